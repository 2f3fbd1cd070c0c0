package cifvi;

import cifvi.engine.Engines;
import cifvi.parameter.Outputs;
import cifvi.start.internal.Frame;
import cifvi.target.HostTarget;
import cifvi.tensor.Backend;
import cifvi.tensor.CounterRng;
import cifvi.tensor.CounterRng.Purpose;
import cifvi.tensor.Precision;
import cifvi.vi.LogWeights;
import cifvi.vi.Model;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.bytedeco.javacpp.PointerScope;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One {@link Fit} as it runs: families, starts, and what is noticed on the way. */
final class Fitting {
  private static final Logger log = LoggerFactory.getLogger(Fitting.class);
  private static final long NORMAL_STEPS = 1000;
  private static final long FLOW_STEPS = 4000;
  private static final double NORMAL_RATE = 0.03;
  private static final double FLOW_RATE = 3e-3;

  /** Above this many dimensions the matrix of a normal costs more than it gives. */
  private static final int MOST_FULL_RANK = 200;

  /** Of the bound, in nats: what is left is not worth another family. */
  private static final double ENOUGH = 0.02;

  /**
   * The same of a normal that was not trained: a mean that is off by a tenth of a standard
   * deviation costs as much.
   */
  private static final double ENOUGH_FOUND = 0.005;

  /** What a normal leaves to gain, in nats, and how many steps are enough for a flow to gain it. */
  private static final double LITTLE = 0.2;

  private static final long FEW_FLOW_STEPS = 2400;

  private final Fit fit;
  private final Faults faults = new Faults();
  private final List<String> notes = new ArrayList<>();
  private final Backend backend;
  private final StageTraining stages;

  Fitting(Fit fit) {
    this.fit = fit;
    backend = Backend.of(fit.device, fit.precision);
    stages = new StageTraining(fit, backend, faults, notes);
  }

  /** As for every family: the kernels that they are made of are the same. */
  Engines.Choice chooseEngine() {
    HostTarget.Densities none = (_, logP, _) -> Arrays.fill(logP, 0);
    var shape = Shape.of(Family.MEAN_FIELD, fit.placement, fit.initialPoint.length);
    try (Model model = shape.build(new HostTarget(backend, none), backend, 0)) {
      return Engines.choose(fit.engine, model, fit.objective);
    }
  }

  FittedPosterior run() {
    Frame frame =
        fit.initialFactor == null
            ? Frame.around(fit.initialPoint, fit.initialScale)
            : Frame.triangular(fit.initialPoint, fit.initialFactor);
    if (fit.density != null) {
      try (var batch = new DensityBatch(fit.density, frame, faults, 1)) {
        notes.addAll(new DensityCheck(batch, frame, fit.seed, faults).run());
      }
    }
    Stage best = null;
    int bestStart = 0;
    var bounds = new ArrayList<Double>();
    var draws = new ArrayList<Draws>();
    for (int start = 0; start < fit.starts && !stages.stopped(); start++) {
      Stage stage = start(start, start == 0 ? frame : moved(frame, start));
      bounds.add(stage.elbo().mean());
      if (fit.starts > 1) {
        draws.add(drawn(stage, start));
      }
      if (best == null || stage.elbo().mean() > best.elbo().mean()) {
        close(best);
        best = stage;
        bestStart = start;
      } else {
        close(stage);
      }
    }
    faults.summary().ifPresent(notes::add);
    notes.forEach(note -> log.info("{}", note));
    Stage kept = Objects.requireNonNull(best);
    var report =
        new Report(
            kept.family(),
            kept.elbo().mean(),
            kept.elbo().standardError(),
            kept.logEvidence(),
            bounds,
            faults.calls(),
            kept.choice().toString(),
            notes);
    if (!draws.isEmpty()) {
      draws.remove(bestStart); // its own
    }
    return new FittedPosterior(
        fit.space, fit.density, fit.seed, kept.fitted(), report, draws, fit.threads);
  }

  /** What a start has found, also where it is not kept. */
  private Draws drawn(Stage stage, int start) {
    var rng = new CounterRng(backend, fit.seed + start, Purpose.SAMPLE);
    try (LogWeights weights = stage.fitted().weights(fit.threads)) {
      Fitted.Weighed drawn = stage.fitted().draw(weights, fit.startDraws, rng);
      Outputs outputs = fit.density == null ? fit.space : fit.density.outputs();
      return new Draws(outputs, drawn.z(), drawn.logP(), drawn.logG(), fit.seed + start);
    }
  }

  private static void close(@Nullable Stage stage) {
    if (stage != null) {
      stage.close();
    }
  }

  /** Another place to begin, as far away as the first draws are wide. */
  private Frame moved(Frame frame, int start) {
    var rng = new CounterRng(Backend.cpu(Precision.FLOAT64), fit.seed + start, Purpose.INITIALISE);
    try (var _ = new PointerScope()) {
      double[] noise = Backend.doubles(rng.normal(1, frame.dimensions()));
      return frame.at(frame.toZ(noise, 0));
    }
  }

  private Stage start(int start, Frame frame) {
    String prefix = fit.starts == 1 ? "" : "start " + (start + 1) + ", ";
    Beginning begin = stages.begin(frame, fit.seed + start);
    notes.add(begin.note(prefix));
    return switch (fit.family) {
      case MEAN_FIELD -> stage(prefix, Family.MEAN_FIELD, begin.diagonal(), start, fit.steps);
      case FULL_RANK -> stage(prefix, Family.FULL_RANK, begin.local(), start, fit.steps);
      case MIXTURE -> mixture(begin, start);
      case AUTO -> ladder(prefix, begin, start);
      default -> flow(prefix, begin, start);
    };
  }

  private Stage mixture(Beginning begin, int start) {
    return stages.mixture(begin, fit.seed + start);
  }

  private Stage flow(String prefix, Beginning begin, int start) {
    return flow(prefix, fit.family, begin, () -> normal(prefix, begin, start), start, fit.steps);
  }

  /** A flow, tempered where there are separate modes, and else in the frame of a normal. */
  private Stage flow(
      String prefix,
      Family family,
      Beginning begin,
      Supplier<Frame> normal,
      int start,
      long steps) {
    Frame frame = begin.separate() ? begin.wide() : normal.get();
    return stage(prefix, family, frame, begin.coldest(), start, steps);
  }

  /** The frame that a normal gives a flow, trained where ascents have not found the best. */
  private Frame normal(String prefix, Beginning begin, int start) {
    if (begin.frame().dimensions() > MOST_FULL_RANK) {
      Frame from = begin.diagonal();
      return whitened(stage(prefix, Family.MEAN_FIELD, from, start, NORMAL_STEPS));
    }
    Stage found = begun(Family.FULL_RANK, begin.local(), start);
    if (exact(found)) {
      return whitened(found);
    }
    found.close();
    return whitened(stage(prefix, Family.FULL_RANK, begin.local(), start, NORMAL_STEPS));
  }

  private static Frame whitened(Stage normal) {
    try (normal) {
      return normal.whitened();
    }
  }

  /**
   * Moves up while there is something left to gain, and the last step gained some of it. Where
   * there are separate modes a normal is no choice, nor is a mixture of normals unless all of them
   * seem to be found: exact on those it has, it would seem perfect.
   */
  private Stage ladder(String prefix, Beginning begin, int start) {
    Stage best = first(prefix, begin, start);
    Frame frame = best == null || begin.separate() ? begin.wide() : best.whitened();
    for (Family family : List.of(Family.NSF, Family.CIF_NSF)) {
      double before = best == null ? Double.NEGATIVE_INFINITY : best.elbo().mean();
      if (best == null || (left(best) && !stages.stopped())) {
        Stage next = flow(prefix, family, begin, () -> frame, start, ladderSteps(best));
        boolean gained = next.elbo().mean() - before > 2 * next.elbo().standardError();
        best = best == null ? next : better(best, next);
        if (!gained) {
          break;
        }
      }
    }
    Stage chosen = Objects.requireNonNull(best);
    notes.add(
        prefix
            + "auto chose %s: ELBO %.4f, importance sampling leaves %.4f to gain"
                .formatted(chosen.family(), chosen.elbo().mean(), chosen.gap()));
    return chosen;
  }

  private @Nullable Stage first(String prefix, Beginning begin, int start) {
    if (!begin.separate()) {
      return bestNormal(prefix, begin, start);
    }
    return begin.modes().counted() ? mixture(begin, start) : null;
  }

  /** Of a flow after the best so far: fewer where that is a normal which leaves little to gain. */
  private long ladderSteps(@Nullable Stage best) {
    boolean little = best != null && best.fitted().shape().steps() == 0 && best.gap() < LITTLE;
    return fit.steps == 0 && little ? FEW_FLOW_STEPS : fit.steps;
  }

  /**
   * The best that ascents have found, if it is exact, and else the best of that and trained ones.
   */
  private Stage bestNormal(String prefix, Beginning begin, int start) {
    boolean full = begin.frame().dimensions() <= MOST_FULL_RANK;
    Stage found = begun(Family.MEAN_FIELD, begin.diagonal(), start);
    if (full && !exact(found)) {
      found = better(found, begun(Family.FULL_RANK, begin.local(), start));
    }
    if (exact(found)) {
      return found;
    }
    Stage best = stage(prefix, Family.MEAN_FIELD, begin.diagonal(), start, NORMAL_STEPS);
    if (full && left(best)) {
      Frame from = (found.elbo().mean() > best.elbo().mean() ? found : best).whitened();
      best = better(best, stage(prefix, Family.FULL_RANK, from, start, NORMAL_STEPS));
    }
    return better(best, found);
  }

  private Stage begun(Family family, Frame frame, int start) {
    Shape shape = Shape.of(family, fit.placement, frame.dimensions());
    return stages.begun(shape, frame, fit.seed + start);
  }

  /** What weights say is left means nothing where they are not reliable. */
  private static boolean left(Stage stage) {
    return !stage.reliable() || !(stage.gap() < ENOUGH + 2 * stage.elbo().standardError());
  }

  private static boolean exact(Stage begun) {
    return begun.reliable() && begun.gap() < ENOUGH_FOUND;
  }

  private static Stage better(Stage a, Stage b) {
    boolean first = a.elbo().mean() >= b.elbo().mean();
    (first ? b : a).close();
    return first ? a : b;
  }

  private Stage stage(String prefix, Family family, Frame frame, int start, long steps) {
    return stage(prefix, family, frame, 1, start, steps);
  }

  private Stage stage(
      String prefix, Family family, Frame frame, double coldest, int start, long steps) {
    boolean normal = family == Family.MEAN_FIELD || family == Family.FULL_RANK;
    long all = steps > 0 ? steps : normal ? NORMAL_STEPS : FLOW_STEPS;
    double rate = fit.learningRate > 0 ? fit.learningRate : normal ? NORMAL_RATE : FLOW_RATE;
    Shape shape = Shape.of(family, fit.placement, frame.dimensions());
    return stages.run(prefix + family, shape, frame, coldest, fit.seed + start, all, rate);
  }
}
