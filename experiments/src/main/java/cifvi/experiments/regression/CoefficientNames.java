package cifvi.experiments.regression;

import cifvi.parameter.Parameter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Names of coefficients: those of their columns, as far as files of draws allow them. */
final class CoefficientNames {
  static final String INTERCEPT = "intercept";
  static final String SIGMA = "sigma";

  private CoefficientNames() {}

  /** The intercept and a coefficient for every column; a name that had to change is noted. */
  static List<Parameter> of(List<Column> predictors, List<String> notes) {
    var parameters = new ArrayList<Parameter>();
    parameters.add(Parameter.real(INTERCEPT));
    var taken = new HashSet<>(Set.of(INTERCEPT, SIGMA));
    for (Column column : predictors) {
      String allowed = allowed(column.name());
      String name = allowed;
      for (int n = 2; !taken.add(name); n++) {
        name = allowed + "_" + n;
      }
      if (!name.equals(column.name())) {
        notes.add("the coefficient of column \"%s\" is named %s".formatted(column.name(), name));
      }
      parameters.add(Parameter.real(name));
    }
    return parameters;
  }

  /** Letters of a to z, digits and _, a letter first, no _ at either end. */
  private static String allowed(String column) {
    String name = column.replaceAll("[^A-Za-z0-9_]+", "_").replaceAll("^_+|_+$", "");
    return name.isEmpty() || !Character.isLetter(name.charAt(0))
        ? ("x_" + name).replaceAll("_$", "")
        : name;
  }
}
