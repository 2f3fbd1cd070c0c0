package cifvi.engine.internal.graph.program;

import cifvi.engine.internal.plan.Part;
import cifvi.engine.internal.plan.Piece;
import cifvi.engine.internal.plan.Plan;
import cifvi.nn.SmallDecoder;
import cifvi.vi.Model;
import cifvi.vi.Objective;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Turns a plan into operations, in the order of the forward pass. The switch here is the one place
 * that knows which part has which operations; a piece of libtorch is a {@link Program.Segment}, and
 * the large decoder a {@link Program.Decoder}. An r that looks at an image is a branch, and the
 * decoder of images one more beside it.
 */
public final class DeviceCompiler {
  private static final int JOINT = 1;

  /** The index of a layer, between its draw and its auxiliary term. */
  private record Index(Variable u, Variable logQ) {}

  private final OpLayout layout = new OpLayout();
  private final LinearOps linear;
  private final ImageOps images;
  private final NormalOps normals;
  private final BijectionOps bijections;
  private final Map<Integer, Index> indices = new HashMap<>();
  private final List<Runnable> branches = new ArrayList<>(); // each adds its operations
  private Variable w = new Variable(-1, 0, -1); // what the last part gave

  // What nothing but the log-weight waits for: segments after all layers.
  private final List<Program.Segment> late = new ArrayList<>();
  private final Map<Variable, Variable> exported = new HashMap<>();
  private final List<Runnable> lateOps = new ArrayList<>(); // each adds what a segment gave
  private Optional<Program.Decoder> decoder = Optional.empty();

  private DeviceCompiler(Plan plan, boolean training) {
    linear = new LinearOps(plan.parameters(), layout);
    images = new ImageOps(plan.parameters(), layout, linear);
    normals = new NormalOps(plan.parameters(), layout);
    bijections = new BijectionOps(plan.parameters(), layout, linear, training);
  }

  /** The plan of a model: only what no back end knows is libtorch's. */
  public static Plan plan(Model model, Objective objective) {
    return Plan.of(model, objective, part -> !(part instanceof Part.HostScore));
  }

  /**
   * The program of a plan.
   *
   * @param training whether it is for training steps, in which batch norm looks at the whole batch
   */
  public static Program compile(Plan plan, boolean training) {
    return new DeviceCompiler(plan, training).program(plan);
  }

  private Program program(Plan plan) {
    List<Part> posterior = plan.parts().subList(0, plan.parts().size() - 1);
    posterior.forEach(this::add);
    Variable z = w;
    layout.save(z);
    add(plan.parts().getLast());
    for (Runnable branch : branches) {
      layout.branch();
      branch.run();
    }
    int last = layout.cut();
    lateOps.forEach(Runnable::run);
    var starts = IntStream.rangeClosed(last - branches.size(), last).map(layout::start).boxed();
    return new Program(
        layout, bijections.norms, bijections.barriers, late, decoder, starts.toList(), z);
  }

  private void add(Part part) {
    switch (part) {
      case Part.ConstantDraw draw -> w = normals.base(normals.constant(draw.base()));
      case Part.DataDraw draw -> {
        w = layout.variable(draw.base().features());
        layout.add(Op.of(OpKind.DATA, List.of(), List.of(w), draw.base().columns()));
      }
      case Part.EncodedDraw draw -> w = normals.base(images.encoded(draw.encoder()));
      case Part.IndexDraw draw -> {
        Variable normal = linear.mlp(draw.q(), w);
        var index =
            new Index(layout.variable(normal.size() / 2), layout.variable(normal.size() / 2));
        indices.put(draw.layer(), index);
        normals.draw(normal, draw.layer() + 1, List.of(index.u, index.logQ));
      }
      case Part.Spline spline -> w = bijections.spline(spline.g(), w);
      case Part.MaskedAffine affine -> w = bijections.maskedAffine(affine.g(), w);
      case Part.Normalisation norm -> w = bijections.batchNorm(norm.g(), w);
      case Part.Lu lu -> w = linear.lu(lu.g(), w);
      case Part.SinhArcsinhMap map -> w = bijections.sinhArcsinh(map.g(), w);
      case Part.Reordering order -> w = bijections.permutation(order.g(), w);
      case Part.Reversal _ -> w = bijections.flip(w);
      case Part.IndexAffine affine -> {
        Variable ts = linear.mlp(affine.st(), index(affine.layer()).u);
        w = bijections.affine(w, ts);
      }
      case Part.VectorAuxiliary r ->
          normals.auxiliary(linear.mlp(r.r(), w), index(r.layer()).u, index(r.layer()).logQ);
      case Part.ImageAuxiliary r -> {
        Variable z = w;
        Index index = index(r.layer());
        branches.add(() -> normals.auxiliary(images.joined(r.r(), z), index.u, index.logQ));
      }
      case Part.MixtureScore mixture -> normals.mixture(mixture.target(), w);
      case Part.SmallDecoderScore score when branches.isEmpty() -> decode(score.decoder(), w);
      case Part.SmallDecoderScore score -> {
        Variable z = w;
        branches.add(() -> decode(score.decoder(), z));
      }
      case Part.LargeDecoderScore score -> {
        Variable start = linear.linear(score.decoder().initial(), w, null, 0);
        Variable out = layout.variable(1);
        lateOps.add(() -> logJoint(out));
        decoder =
            Optional.of(
                new Program.Decoder(score.decoder(), layout.export(w), layout.export(start), out));
      }
      case Part.HostScore _ -> throw new IllegalStateException(part + " is no part of this plan");
      case Part.TorchMap(Piece piece) -> w = bijections.torch(piece, w);
      case Part.TorchAuxiliary(int layer, Piece piece) -> {
        Index index = index(layer);
        Variable normal = late(piece, 2 * index.u.size());
        lateOps.add(
            () -> {
              layout.imported(normal);
              normals.auxiliary(normal, index.u, index.logQ);
            });
      }
      case Part.TorchScore(Piece piece) -> {
        Variable out = late(piece, 1);
        lateOps.add(() -> logJoint(out));
      }
    }
  }

  private void decode(SmallDecoder decoder, Variable z) {
    Variable logits = images.decoded(decoder, z);
    layout.add(Op.of(OpKind.BERNOULLI, List.of(logits, z), List.of()));
  }

  /** What a segment of w gives that only the last stage reads. */
  private Variable late(Piece piece, int columns) {
    Variable out = layout.variable(columns);
    Variable in = exported.computeIfAbsent(w, layout::export);
    late.add(new Program.Segment(piece, in, List.of(out)));
    return out;
  }

  /** Takes log p(x, z) of a segment into the log-weight. */
  private void logJoint(Variable v) {
    layout.imported(v);
    layout.add(Op.of(OpKind.TERM, List.of(v), List.of(), JOINT));
  }

  private Index index(int layer) {
    return Objects.requireNonNull(indices.get(layer));
  }
}
