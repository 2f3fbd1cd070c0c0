package cifvi.experiments.files;

import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;

/** What somebody meant who wrote a name that is not there. */
public final class Nearest {
  private Nearest() {}

  /** {@code ; did you mean "age"?}, or nothing where no name is near. */
  public static String hint(String wrong, Collection<String> names) {
    return names.stream()
        .min(Comparator.comparingInt(name -> distance(wrong, name)))
        .filter(name -> distance(wrong, name) <= Math.max(2, wrong.length() / 3))
        .filter(name -> distance(wrong, name) < wrong.length())
        .map(name -> "; did you mean \"" + name + "\"?")
        .orElse("");
  }

  /** Letters to put in, take out or replace, whatever their case. */
  private static int distance(String from, String to) {
    String a = from.strip().toLowerCase(Locale.ROOT);
    String b = to.strip().toLowerCase(Locale.ROOT);
    int[] above = new int[b.length() + 1];
    Arrays.setAll(above, j -> j);
    for (int i = 1; i <= a.length(); i++) {
      int[] row = new int[above.length];
      row[0] = i;
      for (int j = 1; j < row.length; j++) {
        int replaced = above[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        row[j] = Math.min(replaced, 1 + Math.min(above[j], row[j - 1]));
      }
      above = row;
    }
    return above[b.length()];
  }
}
