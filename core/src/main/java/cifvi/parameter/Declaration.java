package cifvi.parameter;

import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads what {@link Parameter#toString} writes: a declaration in Stan's language. */
final class Declaration {
  private static final String NUMBER = "([^,>\\s]+)";
  private static final Pattern FORM =
      Pattern.compile(
          "(?:array\\[([\\d, ]+)] )?([a-z_]+)"
              + "(?:<(?:lower="
              + NUMBER
              + ")?(?:, )?(?:upper="
              + NUMBER
              + ")?>)?"
              + "(?:\\[([\\d, ]+)])? (\\w+)");

  private Declaration() {}

  static Parameter parse(String text) {
    Matcher m = FORM.matcher(text);
    if (!m.matches()) {
      throw unknown(text);
    }
    try {
      int[] sizes = sizes(m.group(5));
      Parameter element = element(m, m.group(6), sizes);
      return m.group(1) == null ? element : element.array(sizes(m.group(1)));
    } catch (ArrayIndexOutOfBoundsException | NumberFormatException e) {
      throw unknown(text);
    }
  }

  private static Parameter element(Matcher m, String name, int[] sizes) {
    Parameter scalar =
        Parameter.interval(
            name,
            bound(m.group(3), Double.NEGATIVE_INFINITY),
            bound(m.group(4), Double.POSITIVE_INFINITY));
    return switch (m.group(2)) {
      case "real" -> scalar;
      case "vector" -> scalar.vector(sizes[0]);
      case "matrix" -> scalar.matrix(sizes[0], sizes[1]);
      case "simplex" -> Parameter.simplex(name, sizes[0]);
      case "ordered" -> Parameter.ordered(name, sizes[0]);
      case "positive_ordered" -> Parameter.positiveOrdered(name, sizes[0]);
      case "unit_vector" -> Parameter.unitVector(name, sizes[0]);
      case "cholesky_factor_corr" -> Parameter.correlationCholesky(name, sizes[0]);
      case "cholesky_factor_cov" ->
          Parameter.covarianceCholesky(name, sizes[0], sizes[sizes.length - 1]);
      default -> throw unknown(m.group());
    };
  }

  private static double bound(@Nullable String text, double without) {
    return text == null ? without : Double.parseDouble(text);
  }

  private static int[] sizes(@Nullable String text) {
    return text == null
        ? new int[0]
        : Arrays.stream(text.split(", ?", -1)).mapToInt(Integer::parseInt).toArray();
  }

  private static IllegalArgumentException unknown(String text) {
    return new IllegalArgumentException(
        "\"" + text + "\" is no declaration; expected one such as vector<lower=0.0>[3] tau");
  }
}
