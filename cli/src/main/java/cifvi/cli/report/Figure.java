package cifvi.cli.report;

import cifvi.experiments.files.UserException;
import cifvi.experiments.files.WholeFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A picture of a run with its caption.
 *
 * @param dark what a dark page shows instead; null for the same
 * @param alternative what is to be seen, for those who cannot
 */
public record Figure(
    String label, Path png, @Nullable Path dark, String alternative, String caption) {
  public Figure(String label, Path png, String alternative, String caption) {
    this(label, png, null, alternative, caption);
  }

  public String html() {
    String image = Html.image(bytes(png), alternative);
    return Html.element(
        "figure",
        (dark == null ? image : Html.imageByScheme(image, bytes(dark)))
            + Html.element("figcaption", Html.text("strong", label) + " " + Html.escape(caption)));
  }

  private static byte[] bytes(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new UserException(file + ": cannot be read: " + WholeFile.reason(e), e);
    }
  }

  /** A section with its explanation; nothing where it has no figures. */
  public static String section(String template, String figures) {
    return figures.isEmpty()
        ? ""
        : Template.fill(Template.resource(template), Map.of("figures", figures));
  }
}
