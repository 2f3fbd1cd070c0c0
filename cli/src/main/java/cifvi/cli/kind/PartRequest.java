package cifvi.cli.kind;

import cifvi.experiments.parts.PartUnits;
import cifvi.experiments.parts.Parts.Range;
import java.util.List;
import java.util.stream.LongStream;

/**
 * A part of an evaluation.
 *
 * @param options of the whole
 * @param repeat which of its estimates
 * @param fresh of images: whether they are binarised anew
 */
public record PartRequest(EvaluateOptions options, int repeat, boolean fresh, Range range) {
  List<PartUnits.Unit> of(PartUnits units) {
    return LongStream.range(range.from(), range.to()).mapToObj(units::unit).toList();
  }
}
