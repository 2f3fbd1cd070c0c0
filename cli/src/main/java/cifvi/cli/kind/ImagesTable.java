package cifvi.cli.kind;

import cifvi.experiments.images.ImagesResult;
import java.io.PrintWriter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The result of an image run, a line each number. */
public final class ImagesTable {
  private ImagesTable() {}

  public static void print(PrintWriter out, ImagesResult r) {
    out.printf(
        Locale.ROOT,
        "%s, %s, %s decoder, seed %d: %,d parameters, %d epochs, best %d, %.0f s%n",
        r.model(),
        r.data(),
        r.decoder(),
        r.seed(),
        r.parameters(),
        r.epochs(),
        r.bestEpoch(),
        r.seconds());
    if (r.brokeOffAtEpoch() != null) {
      out.printf(
          "  broke off in epoch %d, not finite; the best epoch was tested%n", r.brokeOffAtEpoch());
    }
    line(out, "validation bound, best epoch", r.validElboBest(), null);
    line(out, "test ELBO", r.elbo(), r.elboSe());
    if (r.logLikelihood() != null) {
      line(
          out,
          "test log p(x), S = " + r.importanceSamples(),
          r.logLikelihood(),
          r.logLikelihoodSe());
    }
    if (r.logLikelihoodFixed() != null) {
      line(out, "the same, fixed binarisation", r.logLikelihoodFixed(), r.logLikelihoodFixedSe());
    }
    out.flush();
  }

  private static void line(PrintWriter out, String name, double value, @Nullable Double error) {
    String spread = error == null ? "" : String.format(Locale.ROOT, " ± %.3f", error);
    out.printf(Locale.ROOT, "  %-30s %9.3f%s%n", name, value, spread);
  }
}
