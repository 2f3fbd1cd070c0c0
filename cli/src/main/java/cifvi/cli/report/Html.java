package cifvi.cli.report;

import cifvi.cli.plot.Numerals;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Pieces of HTML; texts become HTML only through {@link #escape}. */
public final class Html {
  private Html() {}

  public static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")
        .replace("'", "&#39;");
  }

  /** An element around HTML; {@code open} is its name, with attributes where it has some. */
  public static String element(String open, String html) {
    return "<" + open + ">" + html + "</" + open.split(" ", 2)[0] + ">";
  }

  /** An element around a text. */
  public static String text(String open, String text) {
    return element(open, escape(text));
  }

  /** A link to a place relative to the page. */
  public static String link(String path, String text) {
    String place =
        URLEncoder.encode(path, StandardCharsets.UTF_8).replace("+", "%20").replace("%2F", "/");
    return text("a href=\"" + place + "\"", text);
  }

  /** A cell of a table that shows its column's name where there is no room for columns. */
  public static String cell(String name, String html) {
    return element("td data-name=\"" + escape(name) + "\"", element("span", html));
  }

  /** The same with the number by which it is sorted. */
  public static String cell(String name, String html, double value) {
    return cell(name, html).replaceFirst("^<td", "<td data-value=\"" + value + "\"");
  }

  /** An estimate with its standard error beside or below it. */
  public static String withError(double value, double error) {
    return Numerals.estimate(value) + " " + text("small", "± " + Numerals.error(value, error));
  }

  public static String join(Stream<String> pieces) {
    return pieces.collect(Collectors.joining("\n"));
  }

  /** An image that travels inside the page. */
  public static String image(byte[] png, String alternative) {
    return "<img src=\"" + data(png) + "\" alt=\"" + escape(alternative) + "\">";
  }

  /** The image, in whose place a dark page shows another. */
  public static String imageByScheme(String image, byte[] dark) {
    return element(
        "picture",
        "<source media=\"(prefers-color-scheme: dark)\" srcset=\"" + data(dark) + "\">" + image);
  }

  private static String data(byte[] png) {
    return "data:image/png;base64," + Base64.getEncoder().encodeToString(png);
  }
}
