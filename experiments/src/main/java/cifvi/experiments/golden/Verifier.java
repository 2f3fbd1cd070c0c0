package cifvi.experiments.golden;

import cifvi.tensor.Backend;
import cifvi.tensor.Precision;
import java.io.IOException;
import java.nio.file.Path;
import org.bytedeco.javacpp.PointerScope;

/**
 * Checks this library against reference-vector files: every number a file holds must come out, to
 * {@value Comparison#VALUE_TOLERANCE} for values and {@value Comparison#GRADIENT_TOLERANCE} for
 * gradients in float64.
 */
public final class Verifier {
  private Verifier() {}

  /** Reads and checks one file on the CPU. */
  public static Verdict verify(Path file) {
    return verify(file, Backend.cpu(Precision.FLOAT64));
  }

  /** Reads and checks one file; whatever is wrong with it becomes the reason of a failure. */
  public static Verdict verify(Path file, Backend backend) {
    String name = file.getFileName().toString().replaceFirst("\\.json(\\.gz)?$", "");
    try (var _ = new PointerScope()) {
      var golden = GoldenFile.read(file, backend);
      name = golden.caseName();
      var comparison = new Comparison();
      check(golden, comparison);
      return comparison.verdict(name);
    } catch (IOException | RuntimeException e) {
      String message = e.getMessage() == null ? e.toString() : e.getMessage();
      return Verdict.failed(name, message.lines().findFirst().orElse(""));
    }
  }

  /** Throws where something is wrong with the file. */
  static void check(GoldenFile file, Comparison comparison) {
    switch (file.kind()) {
      case "spline" -> ComponentChecks.spline(file, comparison);
      case "layer" -> ComponentChecks.layer(file, comparison);
      case "net" -> NetworkChecks.check(file, comparison);
      case "target" -> ComponentChecks.target(file, comparison);
      case "elbo" -> PosteriorChecks.elbo(file, comparison);
      case "marginal-elbo" -> PosteriorChecks.marginalElbo(file, comparison);
      case "log-likelihood" -> PosteriorChecks.logLikelihood(file, comparison);
      case "iwae" -> PosteriorChecks.iwae(file, comparison);
      case "trace" -> TraceCheck.check(file, comparison);
      default -> throw new IllegalArgumentException("unknown kind " + file.kind());
    }
  }
}
