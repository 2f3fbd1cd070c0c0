package cifvi.experiments.target;

import cifvi.LogDensity;

/** A density with answers that are known from elsewhere. */
public interface KnownDensity extends LogDensity {
  /** What it is, in one line. */
  String description();

  /** What a fit of it should find. */
  KnownAnswers known();

  /** All of these keep no state. */
  @Override
  default Calls calls() {
    return Calls.PARALLEL;
  }
}
