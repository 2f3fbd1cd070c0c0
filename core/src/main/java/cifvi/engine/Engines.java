package cifvi.engine;

import cifvi.engine.eager.EagerEngine;
import cifvi.engine.internal.fused.Coverage;
import cifvi.engine.internal.fused.FusedEngine;
import cifvi.engine.internal.fused.FusedLogWeights;
import cifvi.engine.internal.graph.Cuda;
import cifvi.engine.internal.graph.GraphLogWeights;
import cifvi.engine.internal.plan.Bound;
import cifvi.tensor.Precision;
import cifvi.vi.LogWeights;
import cifvi.vi.Model;
import cifvi.vi.Objective;
import cifvi.vi.StepEngine;
import cifvi.vi.StepOptions;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import jdk.incubator.vector.VectorShape;

/**
 * Chooses the engine of a run, once, and says why.
 *
 * <p>Classes of {@code cifvi.engine.internal.fused} are touched only where {@code
 * jdk.incubator.vector} is there, and those of {@code cifvi.engine.internal.graph} only where the
 * model is on a CUDA device, so that everything else works without them.
 */
public final class Engines {
  private static final String VECTOR_MODULE = "jdk.incubator.vector";

  private Engines() {}

  /** The engines there are, fastest last. */
  public enum Kind {
    EAGER,
    FUSED,
    GRAPH;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * An engine and why it was chosen.
   *
   * @param reason for the log: {@code hand-written kernels cover the model}
   */
  public record Choice(Kind kind, String reason) {
    @Override
    public String toString() {
      return kind + " (" + reason + ")";
    }
  }

  /**
   * The engine that trains a model for an objective, on a request {@code auto}, {@code eager},
   * {@code fused} or {@code graph}.
   *
   * @throws IllegalArgumentException where the request is none of them or cannot be met
   */
  public static Choice choose(String request, Model model, Objective objective) {
    boolean cuda = model.parameters().backend().cuda();
    return switch (request) {
      case "eager" -> new Choice(Kind.EAGER, "libtorch autograd");
      case "auto" ->
          (cuda ? graphObstacle(model, objective) : obstacle(model, objective))
              .map(why -> new Choice(Kind.EAGER, "libtorch autograd: " + why))
              .orElseGet(() -> cuda ? graph() : fused(model, objective));
      case "fused" -> {
        refuse(request, obstacle(model, objective), cuda ? "graph" : "eager");
        yield fused(model, objective);
      }
      case "graph" -> {
        refuse(
            request,
            graphObstacle(model, objective),
            cuda ? "eager" : "auto, or a model on a CUDA device");
        yield graph();
      }
      default ->
          throw new IllegalArgumentException(
              "engine: expected auto, eager, fused or graph, got " + request);
    };
  }

  /** Bits of the machine's vectors; empty where the JVM runs without the vector module. */
  public static OptionalInt vectorBits() {
    return ModuleLayer.boot().findModule(VECTOR_MODULE).isPresent()
        ? OptionalInt.of(VectorShape.preferredShape().vectorBitSize())
        : OptionalInt.empty();
  }

  private static void refuse(String request, Optional<String> obstacle, String instead) {
    obstacle.ifPresent(
        why -> {
          throw new IllegalArgumentException(
              "engine: " + request + " cannot run this: " + why + "; use " + instead);
        });
  }

  private static Choice fused(Model model, Objective objective) {
    return new Choice(Kind.FUSED, Coverage.reason(model, objective));
  }

  private static Choice graph() {
    return new Choice(Kind.GRAPH, "every step one CUDA graph");
  }

  /** Why the graph engine cannot run this, if so. */
  private static Optional<String> graphObstacle(Model model, Objective objective) {
    var backend = model.parameters().backend();
    return backend.cuda()
        ? Bound.obstacle(objective).or(Cuda::obstacle)
        : Optional.of("it needs a CUDA device, the model is on " + backend.device());
  }

  /** Why the fused engine cannot run this, if so. */
  private static Optional<String> obstacle(Model model, Objective objective) {
    var backend = model.parameters().backend();
    if (!backend.device().equals("cpu")) {
      return Optional.of("fused kernels run on the CPU, the model is on " + backend.device());
    }
    if (backend.precision() != Precision.FLOAT32) {
      return Optional.of("fused kernels are float32, the model is " + backend.precision());
    }
    if (ModuleLayer.boot().findModule(VECTOR_MODULE).isEmpty()) {
      return Optional.of("fused kernels need a JVM with --add-modules " + VECTOR_MODULE);
    }
    return Coverage.obstacle(model, objective);
  }

  /** An engine with counter-based noise. */
  public static StepEngine start(Kind kind, Model model, Objective objective, StepOptions options) {
    return switch (kind) {
      case EAGER -> eager(model, objective, options);
      case FUSED -> new FusedEngine(model, objective, options);
      case GRAPH -> Cuda.engine(model, objective, options);
    };
  }

  private static StepEngine eager(Model model, Objective objective, StepOptions options) {
    var backend = model.parameters().backend();
    return backend.cuda()
        ? new EagerEngine(model, objective, options, Cuda.noise(backend, options.seed()))
        : EagerEngine.seeded(model, objective, options);
  }

  /** What estimators need, by the given engine. */
  public static LogWeights logWeights(Kind kind, Model model, int threads) {
    StepOptions.requireThreads(threads);
    return switch (kind) {
      case EAGER ->
          model.parameters().backend().cuda()
              ? Cuda.eagerLogWeights(model)
              : LogWeights.eager(model);
      case FUSED -> new FusedLogWeights(model, threads);
      case GRAPH -> new GraphLogWeights(model);
    };
  }
}
