package cifvi.examples;

import cifvi.Cifvi;
import cifvi.Family;
import cifvi.target.Target;
import cifvi.tensor.Scalars;
import java.util.Locale;

/**
 * A target of your own in libtorch operations, which autograd differentiates: a ring in the plane,
 * log p(z) = -(|z| - 3)² / (2 · 0.3²), whose integral is close to 2π · 3 · 0.3 · √(2π).
 *
 * <p>Argument: steps, if you like. On a GPU: {@code fitting(…).device("cuda")}.
 */
public final class OwnTarget {
  private OwnTarget() {}

  public static void main(String[] args) {
    // z is [batch, 2], the answer [batch]; x, the data of an amortised model, is not there.
    Target ring =
        (x, z) -> {
          var off = z.square().sum(1).sqrt().sub(Scalars.of(3));
          return off.square().mul(Scalars.of(-0.5 / (0.3 * 0.3)));
        };
    long steps = args.length > 0 ? Long.parseLong(args[0]) : 4000;
    try (var posterior = Cifvi.fitting(2, ring).family(Family.CIF_NSF).steps(steps).run()) {
      var report = posterior.report();
      double exact = Math.log(2 * Math.PI * 3 * 0.3 * Math.sqrt(2 * Math.PI));
      System.out.printf(Locale.ROOT, "ELBO %.3f ± %.3f%n", report.elbo(), report.elboError());
      System.out.printf(Locale.ROOT, "log Z %.3f, exactly %.3f%n", report.logEvidence(), exact);
      System.out.println(report.engine());
    }
  }
}
