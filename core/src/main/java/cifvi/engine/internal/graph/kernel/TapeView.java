package cifvi.engine.internal.graph.kernel;

import cifvi.engine.internal.graph.program.OpTable;
import cifvi.engine.internal.graph.program.Variable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.bytedeco.pytorch.Tensor;

/**
 * The tape of a program as libtorch sees it: every variable is a contiguous {@code [rows, size]}.
 */
public record TapeView(Tensor tape, OpTable table, int rows) {
  public Tensor value(Variable v) {
    return region(table.saved()[v.number()], v.size());
  }

  public Tensor gradient(Variable v) {
    return region(table.gradientSaved()[v.number()], v.size());
  }

  /** Where streams, by number, leave their noise. */
  public NoiseRegions noise(Map<Integer, Variable> streams, DeviceMemory memory) {
    List<NoiseRegions.Region> regions = new ArrayList<>();
    streams.forEach(
        (stream, v) ->
            regions.add(new NoiseRegions.Region(stream, table.saved()[v.number()], v.size())));
    return NoiseRegions.of(tape, rows, regions, memory);
  }

  /**
   * As a tensor of its own: kernels that change other parts of the tape are no concern of autograd.
   */
  private Tensor region(int column, int size) {
    return tape.narrow(0, (long) column * rows, (long) size * rows).view(rows, size).data();
  }
}
