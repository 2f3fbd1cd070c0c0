package cifvi.experiments.run;

import cifvi.engine.Engines;
import cifvi.tensor.Backend;
import cifvi.vi.Model;
import cifvi.vi.Objective;
import java.util.Optional;

/**
 * A kind of run that trains a model: how it is built, trained and evaluated. Everything else is the
 * same for all such kinds, and {@link Run} does it.
 *
 * <p>Training is a program of {@link Stage}s. Where one model is trained there is one stage, with
 * the model that {@link #build} gave. Where a stage follows from the one before, {@link #train}
 * builds the model of the next when it gets there; see {@link Stage} on how such a run is gone on
 * with.
 */
public interface ModelExperiment<S extends RunSpec, R extends RunResult> extends Experiment<S, R> {
  /**
   * The model that training begins with, which the caller closes. The engine that {@code spec.yaml}
   * names in place of {@code auto} is the one chosen for it.
   */
  Model build(S spec, Backend backend);

  /** What the steps of its training maximise. */
  Objective objective(S spec);

  /** The engine for one of its models, and why; refuses one that cannot run it. */
  default Engines.Choice engine(S spec, Model model) {
    return spec.choose(model, objective(spec));
  }

  /** Refuses, before anything is written, what the engine has no room for. */
  default void requireMemory(S spec, Engines.Choice engine) {}

  /**
   * Trains, from where the checkpoints are, and evaluates.
   *
   * @param model from {@link #build}, closed by the caller
   * @return empty where the listener said stop
   * @throws ArithmeticException where the steps ceased to be finite and nothing is left to evaluate
   */
  Optional<R> train(Run<S> run, Model model);

  /** A model for the parameters that are evaluated: that of the stage they are of. */
  default Model buildTrained(RunDirectory directory, S spec, Backend backend) {
    return build(spec, backend);
  }

  @Override
  default Prepared<S, R> prepare(S requested) {
    return Run.prepare(this, requested);
  }
}
