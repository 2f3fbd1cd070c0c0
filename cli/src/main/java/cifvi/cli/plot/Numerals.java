package cifvi.cli.plot;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Numbers as people read them: with a real minus sign, never as -0. */
public final class Numerals {
  private static final List<String> WORDS =
      List.of("No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine");

  private Numerals() {}

  /** A small count at the beginning of a sentence. */
  public static String word(int count) {
    return count < WORDS.size() ? WORDS.get(count) : whole(count);
  }

  /** A count, its thousands apart. */
  public static String whole(long value) {
    return String.format(Locale.ROOT, "%,d", value).replace('-', '−');
  }

  /** A number that tells names apart, as in w₁₂. */
  public static String subscript(int number) {
    return Integer.toString(number)
        .chars()
        .mapToObj(digit -> Character.toString('₀' + digit - '0'))
        .collect(Collectors.joining());
  }

  /** With so many digits after the point. */
  public static String fixed(double value, int digits) {
    if (!Double.isFinite(value)) {
      return "not finite";
    }
    String text = String.format(Locale.ROOT, "%,." + digits + "f", value);
    return text.matches("-[0.,]+") ? text.substring(1) : text.replace('-', '−');
  }

  /** As in the titles of the paper's figures: three decimals, fewer far from 0. */
  public static String title(double value) {
    return fixed(value, Math.abs(value) < 100 ? 3 : 1);
  }

  /** As short as it goes, for axes. */
  public static String plain(double value) {
    String text = new BigDecimal(value, new MathContext(6)).stripTrailingZeros().toPlainString();
    return text.replace('-', '−');
  }

  /** With as many digits as a number of this size deserves: four decimals near 0, one far away. */
  public static String estimate(double value) {
    return fixed(value, digits(value));
  }

  /** The standard error of an estimate, to the digits that the estimate has. */
  public static String error(double value, double error) {
    return fixed(error, digits(value));
  }

  /** An estimate and its standard error. */
  public static String withError(double value, double error) {
    return estimate(value) + " ± " + error(value, error);
  }

  /** As many decimals as show two digits of the error. */
  public static int decimals(double error) {
    return error > 0 && error < 1e9 ? Math.clamp(1 - (int) Math.floor(Math.log10(error)), 0, 6) : 2;
  }

  /** A measured value and its standard error, both to two digits of the error. */
  public static String measured(double value, double error) {
    return fixed(value, decimals(error)) + " ± " + fixed(error, decimals(error));
  }

  private static int digits(double value) {
    return Math.abs(value) < 10 ? 4 : Math.abs(value) < 1000 ? 2 : 1;
  }
}
