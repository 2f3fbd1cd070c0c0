package cifvi.experiments.run;

import cifvi.tensor.Backend;
import cifvi.tensor.Precision;
import cifvi.tensor.Torch;
import tools.jackson.core.JacksonException;

/**
 * The settings of a run, a record with the names of the command line's options; kept in {@code
 * spec.yaml}.
 */
public interface RunSpec {
  String kind();

  long seed();

  int threads();

  Precision precision();

  String engine();

  String device();

  default String yaml() {
    return Texts.YAML.writeValueAsString(this);
  }

  static <S extends RunSpec> S parse(String yaml, Class<S> type) {
    try {
      return Texts.YAML.readValue(yaml, type);
    } catch (JacksonException e) {
      if (e.getCause() instanceof UserException user) {
        throw user;
      }
      throw new UserException("spec.yaml: " + e.getOriginalMessage(), e);
    }
  }

  /** Where the run computes; says so where there is no such device. */
  default Backend backend() {
    Torch.load();
    Torch.threads(threads());
    try {
      return Backend.of(device(), precision());
    } catch (IllegalArgumentException e) {
      throw new UserException("--" + e.getMessage(), e);
    }
  }

  /** Refuses what no run can be made with. */
  static void requireCommon(int threads, String engine) {
    require(threads >= 1, "--threads: expected at least 1, got " + threads);
    require(engine.equals("eager"), "--engine: expected eager, got " + engine);
  }

  static void requirePositive(String name, double value) {
    require(
        value > 0 && value < Double.POSITIVE_INFINITY,
        name + ": expected a positive number, got " + value);
  }

  static void require(boolean condition, String message) {
    if (!condition) {
      throw new UserException(message);
    }
  }
}
