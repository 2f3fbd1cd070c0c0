package cifvi.stan;

import cifvi.parameter.Parameter;
import cifvi.parameter.ParameterSpace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** The names of a model's numbers, {@code mu,theta.1,theta.2}, as arrays with their shapes. */
final class StanNames {
  private static final Pattern INDICES = Pattern.compile("(\\.[0-9]{1,9})+$");

  private StanNames() {}

  static List<String> split(String names) {
    return names.isEmpty() ? List.of() : List.of(names.split(",", -1));
  }

  /**
   * Arrays of as many numbers as there are names. Where names are no array, such as those of tuples
   * and complex numbers, every number is one of its own, under a name that files allow.
   */
  static ParameterSpace space(List<String> names) {
    var parameters = new ArrayList<Parameter>();
    var taken = new HashSet<String>();
    int from = 0;
    while (from < names.size()) {
      String base = INDICES.matcher(names.get(from)).replaceFirst("");
      int to = from + 1;
      while (to < names.size() && INDICES.matcher(names.get(to)).replaceFirst("").equals(base)) {
        to++;
      }
      List<String> same = names.subList(from, to);
      int[] sizes = indices(same.getLast(), base);
      var array = variable(unused(allowed(base), taken), sizes);
      if (ParameterSpace.of(array).names().stream()
          .map(name -> base + name.substring(array.name().length()))
          .toList()
          .equals(same)) {
        parameters.add(array);
      } else {
        same.forEach(name -> parameters.add(Parameter.real(unused(allowed(name), taken))));
      }
      from = to;
    }
    return ParameterSpace.of(parameters);
  }

  private static int[] indices(String name, String base) {
    return Arrays.stream(name.substring(base.length()).split("\\.", -1))
        .filter(index -> !index.isEmpty())
        .mapToInt(Integer::parseInt)
        .toArray();
  }

  private static Parameter variable(String name, int[] sizes) {
    boolean small = Arrays.stream(sizes).allMatch(size -> size > 0);
    double count = Arrays.stream(sizes).asDoubleStream().reduce(1, (a, b) -> a * b);
    return sizes.length == 0 || !small || count > Integer.MAX_VALUE
        ? Parameter.real(name)
        : Parameter.real(name).array(sizes);
  }

  private static String allowed(String name) {
    String plain = name.replaceAll("[^A-Za-z0-9_]+", "_").replaceAll("_+$", "");
    return plain.isEmpty() || !Character.isLetter(plain.charAt(0)) ? "x_" + plain : plain;
  }

  private static String unused(String name, Set<String> taken) {
    String fresh = name;
    for (int n = 2; !taken.add(fresh); n++) {
      fresh = name + "_" + n;
    }
    return fresh;
  }
}
