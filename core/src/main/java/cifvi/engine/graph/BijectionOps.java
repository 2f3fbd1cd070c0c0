package cifvi.engine.graph;

import cifvi.bijection.AffineAutoregressive;
import cifvi.bijection.BatchNorm;
import cifvi.bijection.Bijection;
import cifvi.bijection.Chain;
import cifvi.bijection.Flip;
import cifvi.bijection.LuLinear;
import cifvi.bijection.Permutation;
import cifvi.bijection.RationalQuadraticSpline;
import cifvi.bijection.SplineAutoregressive;
import cifvi.nn.FlatParameters;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** Bijections as operations. The switch here is the one place that knows which has which. */
final class BijectionOps {
  private final FlatParameters flat;
  private final ProgramLayout layout;
  private final LinearOps linear;
  private final boolean learn;
  private final List<DeviceNorm> norms = new ArrayList<>();

  /**
   * Adds operations to a layout.
   *
   * @param learn whether batch norm looks at the whole batch
   */
  BijectionOps(FlatParameters flat, ProgramLayout layout, LinearOps linear, boolean learn) {
    this.flat = flat;
    this.layout = layout;
    this.linear = linear;
    this.learn = learn;
  }

  /** Batch norms so far, in the order of the forward pass. */
  List<DeviceNorm> norms() {
    return norms;
  }

  /**
   * What g makes of w.
   *
   * @throws DeviceCompiler.UncoveredException where it has no operation
   */
  Variable add(Bijection g, Variable w) {
    return switch (g) {
      case Chain chain -> {
        Variable last = w;
        for (Bijection part : chain.parts()) {
          last = add(part, last);
        }
        yield last;
      }
      case SplineAutoregressive nsf -> {
        Variable raw = linear.residual(nsf.made(), w);
        Variable z = layout.variable(w.size());
        int bins = nsf.spline().bins();
        layout.add(Op.of(OpKind.SPLINE, List.of(w, raw), List.of(z), bins, box(nsf.spline())));
        yield z;
      }
      case AffineAutoregressive maf -> {
        Variable made = linear.mlp(maf.made().mlp(), w);
        Variable z = layout.variable(w.size());
        layout.add(Op.of(OpKind.MASKED_AFFINE, List.of(w, made), List.of(z)));
        yield z;
      }
      case BatchNorm norm -> batchNorm(norm, w);
      case LuLinear lu -> linear.lu(lu, w);
      case Permutation p ->
          permutation(LongStream.of(p.order()).mapToInt(Math::toIntExact).toArray(), w);
      case Flip _ ->
          permutation(IntStream.range(0, w.size()).map(j -> w.size() - 1 - j).toArray(), w);
      default -> throw new DeviceCompiler.UncoveredException("bijection", g);
    };
  }

  /** A stage of its own where it looks at all rows, on the way there and on the way back. */
  private Variable batchNorm(BatchNorm norm, Variable w) {
    int shared = layout.prepared(DeviceNorm.SHARED * w.size());
    int shift = Math.toIntExact(flat.offset(norm.shift()));
    int logScale = Math.toIntExact(flat.offset(norm.logScale()));
    Variable z = layout.variable(w.size());
    int stage = learn ? layout.cut() : 0;
    layout.add(Op.of(OpKind.BATCH_NORM, List.of(w), List.of(z), shared, shift, logScale));
    if (learn) {
      layout.cut();
      z = layout.here(z); // whose gradient is whole on the tape before the way back goes on
    }
    norms.add(new DeviceNorm(norm, stage, w, z, shared, shift, logScale));
    return z;
  }

  /** B, 2B(1 - Km) and 2Bm, as {@code spline.cuh} wants them. */
  private int box(RationalQuadraticSpline spline) {
    double size = 2 * spline.bound();
    return layout.constants(
        (float) spline.bound(),
        (float) (size * (1 - spline.bins() * RationalQuadraticSpline.MIN_SIZE)),
        (float) (size * RationalQuadraticSpline.MIN_SIZE));
  }

  private Variable permutation(int[] order, Variable w) {
    Variable z = layout.variable(w.size());
    layout.add(Op.of(OpKind.PERMUTE, List.of(w), List.of(z), layout.integers(order)));
    return z;
  }
}
