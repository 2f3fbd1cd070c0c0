package cifvi.examples;

import cifvi.Cifvi;
import cifvi.LogDensity;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;

/**
 * A density of your own, with its gradient: where is the centre of measurements one of which went
 * wrong? y ~ Student t with 4 degrees of freedom around mu, with width sigma; mu ~ normal(0, 10),
 * log sigma ~ normal(0, 1); z = (mu, log sigma).
 *
 * <p>Arguments: a file for the posterior (for {@link DrawService}), and steps; both may be missing.
 */
public final class OwnDensity {
  private static final double[] MEASURED = {4.8, 5.1, 5.3, 4.9, 5.0, 5.2, 4.7, 19.0};

  private OwnDensity() {}

  static double logDensity(double[] z, double[] gradient) {
    double mu = z[0];
    double sigma = Math.exp(z[1]);
    double logP = -0.5 * (mu * mu / 100 + z[1] * z[1]);
    gradient[0] = -mu / 100;
    gradient[1] = -z[1];
    for (double y : MEASURED) {
      double e = (y - mu) / sigma;
      logP += -z[1] - 2.5 * Math.log1p(e * e / 4);
      gradient[0] += 5 * e / (4 + e * e) / sigma;
      gradient[1] += 5 * e * e / (4 + e * e) - 1;
    }
    return logP;
  }

  public static void main(String[] args) throws IOException {
    var fit = Cifvi.fitting(LogDensity.of(2, OwnDensity::logDensity));
    fit = args.length > 1 ? fit.steps(Long.parseLong(args[1])) : fit;
    try (var posterior = fit.initialPoint(5, 0).run()) {
      var draws = posterior.draws(4000);
      System.out.printf(Locale.ROOT, "mu %.3f ± %.3f%n", draws.mean("z.1"), draws.sd("z.1"));
      System.out.printf(Locale.ROOT, "of 4000 draws count %.0f%n", draws.effectiveSampleSize());
      System.out.println(posterior.report().engine());
      if (args.length > 0) {
        posterior.save(Path.of(args[0]));
      }
    }
  }
}
