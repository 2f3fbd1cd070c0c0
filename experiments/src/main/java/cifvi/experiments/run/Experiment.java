package cifvi.experiments.run;

import java.util.Optional;

/**
 * A kind of run: its settings, what it does, and what it finds out.
 *
 * @param <S> its settings
 * @param <R> its result
 */
public interface Experiment<S extends RunSpec, R extends RunResult> {
  /** The record that {@code spec.yaml} is read into. */
  Class<S> specType();

  /** Refuses, before anything is computed, what a run with this spec would lack, such as data. */
  default void require(S spec) {}

  /** Refuses to go on with what an earlier version began in another way. */
  default void requireResumable(RunDirectory directory, S spec) {}

  /** The result of a run that is finished by its spec as it is now. */
  Optional<R> result(RunDirectory directory, S spec);

  /** Makes everything ready, before a folder is made; what cannot be run is refused here. */
  Prepared<S, R> prepare(S requested);

  /** A run that can begin, or go on. */
  interface Prepared<S extends RunSpec, R extends RunResult> extends AutoCloseable {
    /** The settings that were asked for, with the engine that was chosen in place of auto. */
    S spec();

    /** Trains, from where the checkpoints are, and evaluates; empty where the listener stopped. */
    Optional<R> run(RunDirectory directory, RunListener listener);

    @Override
    default void close() {}
  }
}
