package cifvi.examples;

import cifvi.Cifvi;
import cifvi.LogDensity;

/** z1 ~ normal(0, 1), z2 ~ normal(z1², 1): the README's example, in five statements. */
public final class Banana {
  private Banana() {}

  public static void main(String[] args) {
    var posterior =
        Cifvi.fit(
            LogDensity.of(
                2,
                (z, gradient) -> {
                  gradient[1] = z[0] * z[0] - z[1];
                  gradient[0] = -z[0] - 2 * z[0] * gradient[1];
                  return -0.5 * (z[0] * z[0] + gradient[1] * gradient[1]);
                }));
    IO.println("mean " + posterior.draws(1000).mean("z.2") + ", " + posterior.report());
  }
}
