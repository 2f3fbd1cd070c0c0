package cifvi.examples;

import cifvi.Cifvi;
import cifvi.LogDensity;
import cifvi.parameter.Parameter;
import cifvi.parameter.ParameterSpace;
import cifvi.parameter.Values;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * Logistic regression of a CSV file: the last column is 0 or 1, the others explain it. Parameters
 * are named after columns, and every one is normal(0, 2.5) beforehand.
 *
 * <p>Arguments: the file, such as {@code examples/failures.csv}, and steps if you like.
 */
public final class CsvRegression {
  private CsvRegression() {}

  public static void main(String[] args) throws IOException {
    var lines = Files.readAllLines(Path.of(args[0]));
    String[] names = lines.getFirst().split(",", -1);
    double[][] rows =
        lines.stream()
            .skip(1)
            .map(line -> Arrays.stream(line.split(",", -1)).mapToDouble(Double::valueOf).toArray())
            .toArray(double[][]::new);
    names[names.length - 1] = "intercept";
    var space = ParameterSpace.of(Arrays.stream(names).map(Parameter::real).toList());
    var density = LogDensity.of(space, (x, gradient) -> logP(names, rows, x, gradient));
    var fit = Cifvi.fitting(density).steps(args.length > 1 ? Long.parseLong(args[1]) : 4000);
    try (var posterior = fit.run()) {
      var draws = posterior.draws(4000);
      for (String name : names) {
        System.out.printf(Locale.ROOT, "%s %.2f ± %.2f%n", name, draws.mean(name), draws.sd(name));
      }
    }
  }

  private static double logP(String[] names, double[][] rows, Values x, Values gradient) {
    double[] b = Arrays.stream(names).mapToDouble(x::scalar).toArray();
    int last = b.length - 1;
    double logP = -Arrays.stream(b).map(v -> v * v / (2 * 2.5 * 2.5)).sum();
    Arrays.stream(names).forEach(of -> gradient.of(of).add(-x.scalar(of) / (2.5 * 2.5)));
    for (double[] row : rows) {
      double eta = b[last] + IntStream.range(0, last).mapToDouble(j -> b[j] * row[j]).sum();
      logP += row[last] * eta - Math.max(eta, 0) - Math.log1p(Math.exp(-Math.abs(eta)));
      for (int j = 0; j <= last; j++) {
        double factor = j < last ? row[j] : 1;
        gradient.of(names[j]).add(factor * (row[last] - 1 / (1 + Math.exp(-eta))));
      }
    }
    return logP;
  }
}
