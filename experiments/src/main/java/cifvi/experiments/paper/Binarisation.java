package cifvi.experiments.paper;

import java.util.Locale;

/** How grey test images become black and white. */
public enum Binarisation {
  /** Anew at every evaluation, as in the paper. */
  FRESH("log_likelihood"),

  /** Once, with a stated seed, the same for every model: differences can be paired. */
  FIXED("log_likelihood_fixed");

  private final String key;

  Binarisation(String key) {
    this.key = key;
  }

  /** The test log-likelihood in {@code result.json}. */
  public String key() {
    return key;
  }

  /** As in the names of the files in {@code likelihoods/}. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
