package cifvi.experiments.golden;

import cifvi.tensor.Backend;
import cifvi.tensor.Shapes;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.bytedeco.pytorch.Tensor;
import org.jspecify.annotations.Nullable;

/**
 * Compares what we compute with what a file holds, key by key, and knows at the end which keys
 * nobody asked for.
 *
 * <p>The error of a tensor is max|a - b| / max(floor, max|b|), with floor 1 for values and 10⁻³ for
 * gradients. So that one large number cannot hide an error in a small one, |a - b| / max(1, |b|) of
 * every single element is bounded too, less strictly.
 */
final class Comparison {
  static final double VALUE_TOLERANCE = 1e-10;
  static final double GRADIENT_TOLERANCE = 1e-8;
  private static final double ELEMENT_TOLERANCE = 1e-7;

  private final Map<String, Numbers> expectedValues = new LinkedHashMap<>();
  private final Map<String, Numbers> expectedGradients = new LinkedHashMap<>();
  private double valueError;
  private double gradientError;
  private int compared;
  private @Nullable String worst;

  /** Announces values that must all be compared, named {@code section key}. */
  void expectValues(String section, Map<String, Numbers> numbers) {
    numbers.forEach((key, value) -> expectedValues.put(section + " " + key, value));
  }

  /** Announces a single value, or fails if the file has none. */
  void expectValue(String name, @Nullable Numbers number) {
    if (number == null) {
      throw new IllegalArgumentException("missing " + name);
    }
    expectedValues.put(name, number);
  }

  /** Announces gradients that must all be compared. */
  void expectGradients(Map<String, Numbers> numbers) {
    expectedGradients.putAll(numbers);
  }

  boolean expects(String section, String key) {
    return expectedValues.containsKey(section + " " + key);
  }

  void output(String key, Tensor actual) {
    value("outputs " + key, Backend.doubles(actual));
  }

  void value(String name, double... actual) {
    double error = error(name, expectedValues.remove(name), actual, 1, VALUE_TOLERANCE);
    valueError = Math.max(valueError, error);
  }

  void gradient(String key, Tensor actual) {
    double[] numbers = Backend.doubles(actual);
    double error =
        error("grads " + key, expectedGradients.remove(key), numbers, 1e-3, GRADIENT_TOLERANCE);
    gradientError = Math.max(gradientError, error);
  }

  Verdict verdict(String caseName) {
    var left = new LinkedHashMap<>(expectedValues);
    expectedGradients.forEach((key, numbers) -> left.put("grads " + key, numbers));
    String reason = left.isEmpty() ? worst : "not understood: " + String.join(", ", left.keySet());
    return new Verdict(caseName, valueError, gradientError, compared, reason);
  }

  private double error(
      String name, @Nullable Numbers expected, double[] actual, double floor, double tolerance) {
    if (expected == null) {
      throw new IllegalArgumentException("missing " + name);
    }
    double[] b = expected.data();
    if (b.length != actual.length) {
      throw new IllegalArgumentException(
          name
              + ": the file has shape "
              + Shapes.text(expected.shape())
              + ", we computed "
              + actual.length
              + " numbers");
    }
    compared++;
    double scale = floor;
    double difference = 0;
    double element = 0;
    for (int i = 0; i < b.length; i++) {
      double d = Math.abs(actual[i] - b[i]);
      element = Math.max(element, d / Math.max(1, Math.abs(b[i])));
      difference = Double.isNaN(d) ? Double.POSITIVE_INFINITY : Math.max(difference, d);
      scale = Math.max(scale, Math.abs(b[i]));
    }
    note(name, difference / scale, tolerance);
    note("a number of " + name, element, ELEMENT_TOLERANCE);
    return difference / scale;
  }

  private void note(String name, double error, double tolerance) {
    if (!(error <= tolerance) && worst == null) {
      worst =
          String.format(Locale.ROOT, "%s differs by %.2e, more than %.0e", name, error, tolerance);
    }
  }
}
