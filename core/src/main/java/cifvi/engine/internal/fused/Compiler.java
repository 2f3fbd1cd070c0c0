package cifvi.engine.internal.fused;

import cifvi.engine.internal.fused.decoder.LargeDecoderKernel;
import cifvi.engine.internal.fused.decoder.SmallDecoderKernel;
import cifvi.engine.internal.fused.kernel.AffineKernel;
import cifvi.engine.internal.fused.kernel.AuxiliaryKernel;
import cifvi.engine.internal.fused.kernel.BatchNormKernel;
import cifvi.engine.internal.fused.kernel.ConvEncoderKernel;
import cifvi.engine.internal.fused.kernel.DataRowsKernel;
import cifvi.engine.internal.fused.kernel.EncodedBaseKernel;
import cifvi.engine.internal.fused.kernel.HostScoreKernel;
import cifvi.engine.internal.fused.kernel.IndexKernel;
import cifvi.engine.internal.fused.kernel.Kernel;
import cifvi.engine.internal.fused.kernel.LuKernel;
import cifvi.engine.internal.fused.kernel.MaskedAffineKernel;
import cifvi.engine.internal.fused.kernel.MixtureKernel;
import cifvi.engine.internal.fused.kernel.MlpKernel;
import cifvi.engine.internal.fused.kernel.Net;
import cifvi.engine.internal.fused.kernel.NormalBaseKernel;
import cifvi.engine.internal.fused.kernel.PermutationKernel;
import cifvi.engine.internal.fused.kernel.SharedEncoder;
import cifvi.engine.internal.fused.kernel.SinhArcsinhKernel;
import cifvi.engine.internal.fused.kernel.SplineFlowKernel;
import cifvi.engine.internal.fused.kernel.TermKernel;
import cifvi.engine.internal.fused.math.StridedConv;
import cifvi.engine.internal.fused.memory.Layout;
import cifvi.engine.internal.fused.memory.Planes;
import cifvi.engine.internal.fused.memory.Tape;
import cifvi.engine.internal.fused.memory.Weights;
import cifvi.engine.internal.plan.Part;
import cifvi.engine.internal.plan.Piece;
import cifvi.engine.internal.plan.Plan;
import cifvi.nn.ConvEncoder;
import cifvi.nn.Mlp;
import cifvi.target.HostTarget;
import cifvi.vi.Model;
import cifvi.vi.Objective;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.bytedeco.pytorch.Tensor;
import org.jspecify.annotations.Nullable;

/**
 * Turns a plan into kernels, in the order of the forward pass. The switches here are the one place
 * that knows which part has which kernel; a piece of libtorch becomes a {@link Segment}.
 */
final class Compiler {
  private final Weights weights;
  private final boolean training;
  private final boolean shared; // whether several rows may show the same image
  private final Layout layout = new Layout();
  private final List<KernelSchedule.Stage> stages = new ArrayList<>();
  private final Map<Integer, IndexKernel.Index> indices = new HashMap<>();
  private List<Kernel> kernels = new ArrayList<>();
  private Layout.Var w = new Layout.Var(0, 0, 0); // what the last part gave
  private @Nullable DataRowsKernel data;
  private @Nullable Planes planes;

  // What nothing but the log-weight waits for: one stage of segments after all layers.
  private final List<Segment> lateSegments = new ArrayList<>();
  private final List<Kernel> lateKernels = new ArrayList<>();

  private Compiler(Plan plan, boolean training) {
    this.weights = new Weights(plan.parameters());
    this.training = training;
    shared = !training || !plan.bound().isMean();
  }

  /** The plan of a model, pieces of libtorch standing where there is no kernel. */
  static Plan plan(Model model, Objective objective) {
    return Plan.of(model, objective, Compiler::covers);
  }

  private static boolean covers(Part part) {
    return switch (part) {
      case Part.EncodedDraw(ConvEncoder encoder) -> tiled(encoder.weight());
      case Part.Spline spline -> spline.g().spline().bins() > 1;
      case Part.ImageAuxiliary image -> tiled(image.r().convnet().weight());
      case Part.SmallDecoderScore score -> tiled(score.decoder().weight());
      case Part.ConstantDraw _,
          Part.DataDraw _,
          Part.IndexDraw _,
          Part.IndexAffine _,
          Part.VectorAuxiliary _ ->
          true;
      case Part.MaskedAffine _, Part.Normalisation _, Part.Lu _, Part.SinhArcsinhMap _ -> true;
      case Part.Reordering _, Part.Reversal _, Part.MixtureScore _, Part.LargeDecoderScore _ ->
          true;
      case Part.HostScore _, Part.Torch _ -> true;
    };
  }

  private static boolean tiled(Tensor convolution) {
    return convolution.size(0) % StridedConv.TILE == 0;
  }

  /**
   * The schedule of a plan.
   *
   * @param training whether it has a backward pass to the parameters, and batch norm looks at the
   *     batch in place of its running averages
   */
  static KernelSchedule compile(Plan plan, boolean training) {
    return new Compiler(plan, training).schedule(plan);
  }

  private KernelSchedule schedule(Plan plan) {
    List<Part> posterior = plan.parts().subList(0, plan.parts().size() - 1);
    posterior.forEach(this::add);
    boolean reversible = stages.isEmpty() && lateSegments.isEmpty();
    Layout.Var z = w;
    add(plan.parts().getLast());
    segments(lateSegments);
    kernels.addAll(lateKernels);
    endKernels();
    return new KernelSchedule(weights, layout, List.copyOf(stages), data, planes, z, reversible);
  }

  private void add(Part part) {
    switch (part) {
      case Part.ConstantDraw draw ->
          w = add(new NormalBaseKernel(draw.base(), weights, layout)).out;
      case Part.DataDraw draw -> {
        data = add(new DataRowsKernel(draw.base(), layout));
        w = data.out;
      }
      case Part.EncodedDraw draw ->
          w = add(new EncodedBaseKernel(encoder(draw.encoder()), layout)).out;
      case Part.IndexDraw draw -> {
        Net q = mlp(draw.q(), w);
        var index = IndexKernel.Index.of(q.out().size() / 2, draw.layer() + 1, layout);
        indices.put(draw.layer(), index);
        add(new IndexKernel(q, index));
      }
      case Part.Spline spline -> w = add(new SplineFlowKernel(spline.g(), w, weights, layout)).out;
      case Part.MaskedAffine affine ->
          w = add(new MaskedAffineKernel(affine.g(), w, weights, layout)).out;
      case Part.Normalisation norm -> batchNorm(new BatchNormKernel(norm.g(), w, weights, layout));
      case Part.Lu lu -> w = add(new LuKernel(lu.g(), w, weights, layout)).out;
      case Part.SinhArcsinhMap map ->
          w = add(new SinhArcsinhKernel(map.g(), w, weights, layout)).out;
      case Part.Reordering order -> w = add(PermutationKernel.of(order.g(), w, layout)).out;
      case Part.Reversal _ -> w = add(PermutationKernel.flip(w, layout)).out;
      case Part.IndexAffine affine -> {
        Net st = mlp(affine.st(), index(affine.layer()).u());
        w = add(new AffineKernel(st, w, layout)).out;
      }
      case Part.VectorAuxiliary r -> add(new AuxiliaryKernel(mlp(r.r(), w), index(r.layer())));
      case Part.ImageAuxiliary r -> {
        Net net = new ConvEncoderKernel(r.r(), w, planes(), weights, layout);
        add(new AuxiliaryKernel(net, index(r.layer())));
      }
      case Part.MixtureScore mixture -> add(new MixtureKernel(mixture.target(), w, layout));
      case Part.HostScore(HostTarget target) -> {
        endKernels();
        stages.add(new KernelSchedule.Coupled(new HostScoreKernel(target, w, training)));
      }
      case Part.TorchMap(Piece piece) -> map(piece);
      case Part.TorchAuxiliary(int layer, Piece piece) -> {
        var index = index(layer);
        Segment r = late(piece, 2 * index.u().size());
        lateKernels.add(new AuxiliaryKernel(r.asNet(), index));
      }
      case Part.TorchScore(Piece piece) -> {
        Layout.Var log = late(piece, 1).out();
        lateKernels.add(new TermKernel(log.at(), log.gradient(), true));
      }
      case Part.SmallDecoderScore score ->
          add(new SmallDecoderKernel(score.decoder(), w, planes(), weights, layout));
      case Part.LargeDecoderScore score ->
          add(new LargeDecoderKernel(score.decoder(), w, planes(), weights, layout));
    }
  }

  private Net encoder(ConvEncoder encoder) {
    int plane = shared ? planes().at() : planes().observed();
    var net = new ConvEncoderKernel(encoder, plane, planes(), weights, layout);
    return shared ? new SharedEncoder(net, planes()) : net;
  }

  private void batchNorm(BatchNormKernel kernel) {
    if (training) {
      endKernels();
      stages.add(new KernelSchedule.Coupled(kernel));
    } else {
      add(kernel);
    }
    w = kernel.out;
  }

  /** A segment that gives the next w and, as one column more, its part of the log-weight. */
  private void map(Piece piece) {
    int d = w.size();
    Layout.Var both = layout.variable(d + 1);
    segments(List.of(new Segment(piece, w, both)));
    int last = d * Tape.STRIDE;
    add(new TermKernel(both.at() + last, both.gradient() + last, false));
    w = new Layout.Var(both.at(), both.gradient(), d);
  }

  private Segment late(Piece piece, int columns) {
    var segment = new Segment(piece, w, layout.variable(columns));
    lateSegments.add(segment);
    return segment;
  }

  private IndexKernel.Index index(int layer) {
    return Objects.requireNonNull(indices.get(layer));
  }

  private Planes planes() {
    if (planes == null) {
      planes = Planes.of(layout);
    }
    return planes;
  }

  private Net mlp(Mlp mlp, Layout.Var in) {
    return new MlpKernel(mlp, in, weights, layout);
  }

  private <K extends Kernel> K add(K kernel) {
    kernels.add(kernel);
    return kernel;
  }

  private void segments(List<Segment> segments) {
    if (!segments.isEmpty()) {
      endKernels();
      stages.add(new KernelSchedule.Segments(List.copyOf(segments)));
    }
  }

  private void endKernels() {
    if (!kernels.isEmpty()) {
      stages.add(new KernelSchedule.Kernels(List.copyOf(kernels)));
      kernels = new ArrayList<>();
    }
  }
}
