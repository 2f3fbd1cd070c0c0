package cifvi.cli.kind;

import cifvi.experiments.mog.MogResult;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;

/** Results of mixture runs, one a line. */
public final class MogTable {
  private MogTable() {}

  public static void print(PrintWriter out, List<MogResult> results) {
    out.printf(
        Locale.ROOT,
        "%-10s %-9s %10s %9s %28s %7s %9s %8s%n",
        "model",
        "placement",
        "parameters",
        "ELBO",
        "marginal ELBO, bracket ± se",
        "modes",
        "log Z",
        "seconds");
    for (MogResult r : results) {
      out.printf(
          Locale.ROOT,
          "%-10s %-9s %,10d %9.4f %28s %7s %9.4f %8.0f%n",
          r.model(),
          r.model().startsWith("cif-") ? r.placement() : "-",
          r.parameters(),
          r.elbo(),
          String.format(
              Locale.ROOT,
              "[%.4f, %.4f] ± %.4f",
              r.marginalElboLower(),
              r.marginalElbo(),
              r.marginalElboSe()),
          r.modesCovered() + "/" + r.components(),
          r.logZ(),
          r.seconds());
    }
    out.flush();
  }
}
