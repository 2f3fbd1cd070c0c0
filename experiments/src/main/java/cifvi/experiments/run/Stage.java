package cifvi.experiments.run;

import cifvi.distribution.Observation;
import cifvi.engine.Engines;
import cifvi.tensor.Rng;
import cifvi.vi.LogWeights;
import cifvi.vi.Model;
import cifvi.vi.Objective;
import cifvi.vi.Schedule;
import cifvi.vi.StepEngine;
import cifvi.vi.StepOptions;
import cifvi.vi.Trainer;
import cifvi.vi.WeightAverage;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A model in training within a run: its engine and optimiser, and the state that checkpoints keep.
 *
 * <p>Most runs have one stage: {@link #restore}, then {@link #train}. A run of several gives each a
 * name, which its checkpoints tell. It asks {@link Checkpoints#stage} where it is, opens the stage
 * of that name and restores it; every stage after that is opened, given its parameters by those of
 * the stage before, and begun with {@link #begin}. Steps are counted on through all stages, and so
 * are the lines of {@code metrics.csv}: a stage's schedule and batches see those numbers. Killed
 * between two stages, a run finds the earlier one finished and begins the later one again, from the
 * same parameters. What else it must remember of earlier stages, such as which of them was best, it
 * keeps by {@link #keepBest} and in files of its own.
 */
public final class Stage implements AutoCloseable {
  /**
   * How a stage trains.
   *
   * @param name null where the run has no other
   * @param clip largest gradient norm; empty for no clipping
   * @param averaged whether an average of the weights is evaluated
   * @param patience for early stopping; empty where there is no validation
   */
  public record Settings(
      @Nullable String name,
      Schedule schedule,
      OptionalDouble clip,
      boolean averaged,
      OptionalInt patience) {}

  private final Run<?> run;
  private final Model model;
  private final StepEngine engine;
  private final LogWeights weights;
  private final @Nullable WeightAverage average;
  private final Checkpoints.State state;

  Stage(Run<?> run, Model model, Engines.Kind kind, Objective objective, Settings settings) {
    RunSpec spec = run.spec();
    this.run = run;
    this.model = model;
    this.engine =
        Engines.start(
            kind, model, objective, new StepOptions(settings.clip(), spec.seed(), spec.threads()));
    this.weights = Engines.logWeights(kind, model, spec.threads());
    this.average = settings.averaged() ? new WeightAverage(model.parameters()) : null;
    this.state =
        new Checkpoints.State(
            settings.name(),
            model.parameters(),
            engine.optimiser(),
            new Trainer(engine, settings.schedule()),
            average,
            settings.patience().isPresent()
                ? new EarlyStopping(settings.patience().getAsInt())
                : null);
  }

  /**
   * Goes on from the newest good checkpoint that the logs reach.
   *
   * @param epochs that are told of in {@code epochs.csv}; 0 without validation
   * @return false in a new run, which has none
   */
  public boolean restore(long epochs) {
    return run.checkpoints()
        .restore(state, Logged.of(run.directory(), epochs), run.listener()::note);
  }

  /** Begins the stage after so many steps of earlier ones, with the parameters as they are now. */
  public void begin(long steps) {
    restartAverage();
    trainer().resume(steps, 0, 0);
    run.checkpoints().save(state);
  }

  /** Lets the average forget parameters that training did not begin with. */
  public void restartAverage() {
    if (average != null) {
      average.restart();
    }
  }

  /** Opens the log and the checkpoints for steps from here on; closed, it has saved the last. */
  public Training training() {
    return new Training(run.directory(), run.checkpoints(), state, run.listener());
  }

  /**
   * Takes steps until {@code until} are done in all, or the listener says stop; either way the last
   * state is saved.
   *
   * @param batch the observation of a step, by its number
   * @return whether all are done
   */
  public boolean train(long until, LongFunction<Observation> batch) {
    try (var training = training()) {
      training.run(until, until, batch, _ -> {});
    }
    return trainer().steps() >= until;
  }

  /** Keeps the state as the one to be evaluated, whatever is trained after it. */
  public void keepBest() {
    run.checkpoints().saveBest(state);
  }

  /** Gives the model the averaged parameters, where they are averaged. */
  public void applyAverage() {
    if (average != null) {
      average.apply();
    }
  }

  /** What comes of the averaged parameters, where they are averaged; training goes on without. */
  public <T> T averaged(Supplier<T> work) {
    return average == null ? work.get() : average.during(work);
  }

  /** Lets batch norms have statistics of x where the averaged parameters are the model's. */
  public void measureAverage(Observation x, Rng rng) {
    if (average != null) {
      average.measure(model, x, rng);
    }
  }

  public Model model() {
    return model;
  }

  /** What estimates of the model are made with. */
  public LogWeights weights() {
    return weights;
  }

  public Trainer trainer() {
    return state.trainer();
  }

  /** What a checkpoint keeps. */
  public Checkpoints.State state() {
    return state;
  }

  @Override
  public void close() {
    if (average != null) {
      average.close();
    }
    weights.close();
    engine.close();
  }
}
