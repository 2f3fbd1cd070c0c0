package cifvi.experiments.golden;

import static org.assertj.core.api.Assertions.assertThat;

import cifvi.experiments.fuzz.RefusedException;
import cifvi.tensor.Backend;
import cifvi.tensor.Precision;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** A reference-vector file whose numbers do not come out fails with the reason. */
public final class GoldenReading {
  private static final int GZIP_MAGIC = 0x1F;

  private GoldenReading() {}

  public static void read(Path file) throws IOException, RefusedException {
    Path named = file;
    try (var in = Files.newInputStream(file)) {
      if (in.read() == GZIP_MAGIC) {
        named = file.resolveSibling(file.getFileName() + ".gz");
      }
    }
    if (!named.equals(file)) {
      Files.copy(file, named, StandardCopyOption.REPLACE_EXISTING);
    }
    check(named);
  }

  private static void check(Path file) throws RefusedException {
    Verdict verdict;
    try {
      var golden = GoldenFile.read(file, Backend.cpu(Precision.FLOAT64));
      var comparison = new Comparison();
      Verifier.check(golden, comparison);
      verdict = comparison.verdict(golden.caseName());
    } catch (IOException | IllegalArgumentException e) {
      throw new RefusedException(file + ": ", e);
    } catch (RuntimeException e) {
      if (e.getClass() != RuntimeException.class) { // as libtorch's are
        throw e;
      }
      throw new RefusedException(file + ": ", e);
    }
    if (!verdict.ok()) {
      throw new RefusedException(file + ": ", new IOException(verdict.reason()));
    }
    assertThat(verdict.compared()).isPositive();
  }
}
