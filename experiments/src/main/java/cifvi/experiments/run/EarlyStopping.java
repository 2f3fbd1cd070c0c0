package cifvi.experiments.run;

/**
 * Stops a run whose validation value has stopped rising: the best is kept, and the run ends with
 * the first bad epoch beyond {@code patience} bad ones in a row.
 */
public final class EarlyStopping {
  private final int patience;
  private long epochs;
  private long bestEpoch;
  private long badEpochs;
  private double best = Double.NEGATIVE_INFINITY;

  public EarlyStopping(int patience) {
    this.patience = patience;
  }

  /** Takes in the validation value of one more epoch; true where it is strictly the best so far. */
  public boolean add(double value) {
    epochs++;
    if (value > best) {
      best = value;
      bestEpoch = epochs;
      badEpochs = 0;
      return true;
    }
    badEpochs++;
    return false;
  }

  public boolean stop() {
    return badEpochs > patience;
  }

  /** Number of epochs validated. */
  public long epochs() {
    return epochs;
  }

  /** The epoch with the best value, counted from 1; 0 before the first. */
  public long bestEpoch() {
    return bestEpoch;
  }

  public double best() {
    return best;
  }

  /** Bad epochs in a row. */
  public long badEpochs() {
    return badEpochs;
  }

  /** How many more bad epochs are borne. */
  public long patienceLeft() {
    return patience - badEpochs;
  }

  /** What a checkpoint keeps. */
  record State(long epochs, long bestEpoch, long badEpochs, double best) {}

  State state() {
    return new State(epochs, bestEpoch, badEpochs, best);
  }

  /** Goes on from a checkpoint. */
  void resume(State state) {
    epochs = state.epochs;
    bestEpoch = state.bestEpoch;
    badEpochs = state.badEpochs;
    best = state.best;
  }
}
