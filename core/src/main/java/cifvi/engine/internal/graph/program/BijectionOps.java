package cifvi.engine.internal.graph.program;

import cifvi.bijection.AffineAutoregressive;
import cifvi.bijection.BatchNorm;
import cifvi.bijection.Permutation;
import cifvi.bijection.RationalQuadraticSpline;
import cifvi.bijection.SinhArcsinh;
import cifvi.bijection.SplineAutoregressive;
import cifvi.engine.internal.plan.Piece;
import cifvi.nn.FlatParameters;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** Bijections as operations. */
final class BijectionOps {
  private static final int NOT_JOINT = 0;

  private final FlatParameters flat;
  private final OpLayout layout;
  private final LinearOps linear;
  private final boolean training;

  /** Batch norms so far, in the order of the forward pass. */
  final List<Program.Norm> norms = new ArrayList<>();

  /** Where rows wait for each other, in the order of the forward pass. */
  final List<Barrier> barriers = new ArrayList<>();

  /**
   * Adds operations to a layout.
   *
   * @param training whether batch norm looks at the whole batch
   */
  BijectionOps(FlatParameters flat, OpLayout layout, LinearOps linear, boolean training) {
    this.flat = flat;
    this.layout = layout;
    this.linear = linear;
    this.training = training;
  }

  Variable spline(SplineAutoregressive nsf, Variable w) {
    Variable raw = linear.residual(nsf.made(), w);
    Variable z = layout.variable(w.size());
    int bins = nsf.spline().bins();
    layout.add(Op.of(OpKind.SPLINE, List.of(w, raw), List.of(z), bins, box(nsf.spline())));
    return z;
  }

  Variable maskedAffine(AffineAutoregressive maf, Variable w) {
    Variable made = linear.mlp(maf.made().mlp(), w);
    Variable z = layout.variable(w.size());
    layout.add(Op.of(OpKind.MASKED_AFFINE, List.of(w, made), List.of(z)));
    return z;
  }

  Variable sinhArcsinh(SinhArcsinh g, Variable w) {
    int d = w.size();
    int skew = Math.toIntExact(flat.offset(g.skew()));
    int logTail = Math.toIntExact(flat.offset(g.logTail()));
    Variable z = layout.variable(d);
    Variable gradient = layout.gradientRows(2 * d);
    int rows = gradient.number();
    layout.add(Op.of(OpKind.SINH_ARCSINH, List.of(w), List.of(z), skew, logTail, rows));
    layout.train(WeightMap.bias(gradient, 0, d, skew));
    layout.train(WeightMap.bias(gradient, d, d, logTail));
    return z;
  }

  /** e^s (w + t), given t and s. */
  Variable affine(Variable w, Variable ts) {
    Variable z = layout.variable(w.size());
    layout.add(Op.of(OpKind.AFFINE, List.of(w, ts), List.of(z)));
    return z;
  }

  Variable permutation(Permutation p, Variable w) {
    return permuted(LongStream.of(p.order()).mapToInt(Math::toIntExact).toArray(), w);
  }

  Variable flip(Variable w) {
    return permuted(IntStream.range(0, w.size()).map(j -> w.size() - 1 - j).toArray(), w);
  }

  /** What a piece of libtorch makes of w: the next w and a term of the log-weight. */
  Variable torch(Piece piece, Variable w) {
    Variable z = layout.variable(w.size());
    Variable log = layout.variable(1);
    var segment = new Program.Segment(piece, layout.export(w), List.of(z, log));
    barriers.add(new Barrier.Torch(segment, layout.cut()));
    layout.imported(z);
    layout.imported(log);
    layout.add(Op.of(OpKind.TERM, List.of(log), List.of(), NOT_JOINT));
    return z;
  }

  /** A stage of its own where it looks at all rows, in the forward and in the backward pass. */
  Variable batchNorm(BatchNorm norm, Variable w) {
    int shared = layout.prepared(Program.Norm.SHARED * w.size());
    int shift = Math.toIntExact(flat.offset(norm.shift()));
    int logScale = Math.toIntExact(flat.offset(norm.logScale()));
    Variable z = layout.variable(w.size());
    int stage = training ? layout.cut() : 0;
    layout.add(Op.of(OpKind.BATCH_NORM, List.of(w), List.of(z), shared, shift, logScale));
    if (training) {
      layout.cut();
      z = layout.here(z); // whose gradient is whole on the tape before the backward pass goes on
    }
    var all = new Program.Norm(norm, w, z, shared, shift, logScale);
    norms.add(all);
    if (training) {
      barriers.add(new Barrier.Norm(all, stage));
    }
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

  private Variable permuted(int[] order, Variable w) {
    Variable z = layout.variable(w.size());
    layout.add(Op.of(OpKind.PERMUTE, List.of(w), List.of(z), layout.integers(order)));
    return z;
  }
}
