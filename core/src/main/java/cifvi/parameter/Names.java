package cifvi.parameter;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Names of parameters, and of the columns that hold their numbers. */
final class Names {
  private static final Pattern STAN = Pattern.compile("[A-Za-z][A-Za-z0-9_]*");

  private Names() {}

  /** Requires what Stan allows as a name, which is safe in any file. */
  static String require(String name) {
    if (!STAN.matcher(name).matches() || name.endsWith("__")) {
      throw new IllegalArgumentException(
          """
          "%s" is no name for a parameter: take letters of a to z, digits and _, a letter first, \
          and no __ at the end, which columns such as lp__ have"""
              .formatted(name));
    }
    return name;
  }

  /** {@code L.1.1}, {@code L.2.1}, ...: indices from 1, the first fastest; a scalar's own name. */
  static List<String> columns(String name, List<Integer> dimensions) {
    List<String> names = List.of("");
    for (int size : dimensions.reversed()) {
      names = withIndex(size, names);
    }
    return names.stream().map(suffix -> name + suffix).toList();
  }

  private static List<String> withIndex(int size, List<String> later) {
    var names = new ArrayList<String>(size * later.size());
    for (String suffix : later) {
      for (int index = 1; index <= size; index++) {
        names.add("." + index + suffix);
      }
    }
    return names;
  }
}
