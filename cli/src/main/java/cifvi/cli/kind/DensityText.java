package cifvi.cli.kind;

import cifvi.experiments.density.DensityResult;
import java.io.PrintWriter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The result of a density run, a line each number. */
final class DensityText {
  private DensityText() {}

  static void print(PrintWriter out, DensityResult r) {
    out.printf(
        Locale.ROOT,
        "%s, %s%s, seed %d: %,d parameters, %,d steps, best validation %d of %d, %.0f s%n",
        r.model(),
        r.data(),
        r.given() == null ? "" : " given " + r.given(),
        r.seed(),
        r.parameters(),
        r.steps(),
        r.bestEpoch(),
        r.epochs(),
        r.seconds());
    if (r.brokeOff()) {
      out.println("  broke off, not finite; the best parameters until then were tested");
    }
    line(out, "validation bound, best", r.validElboBest(), null);
    line(out, "test ELBO", r.elbo(), r.elboSe());
    line(
        out, "test log p(x), S = " + r.importanceSamples(), r.logLikelihood(), r.logLikelihoodSe());
    line(out, "its bias, S against 2S", r.logLikelihoodBias(), null);
    out.flush();
  }

  private static void line(PrintWriter out, String name, double value, @Nullable Double error) {
    String spread = error == null ? "" : String.format(Locale.ROOT, " ± %.4f", error);
    out.printf(Locale.ROOT, "  %-28s %9.4f%s%n", name, value, spread);
  }
}
