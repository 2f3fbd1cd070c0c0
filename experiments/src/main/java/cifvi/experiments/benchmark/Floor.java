package cifvi.experiments.benchmark;

import cifvi.tensor.Backend;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;

/** What the machine could do: the speed of one large matrix product, and the memory it took. */
public final class Floor {
  private static final int SIZE = 512;
  private static final int SIZE_ON_GPU = 8192;
  private static final int REPEATS = 30;

  private Floor() {}

  /** GFLOP/s of a float32 matrix product in the best of some runs: a GPU, or libtorch's threads. */
  public static double gflops(Backend backend) {
    int size = backend.cuda() ? SIZE_ON_GPU : SIZE;
    double best = Double.POSITIVE_INFINITY;
    try (var _ = new PointerScope();
        var _ = new NoGradGuard()) {
      Tensor a = backend.full(0.5, size, size);
      for (int i = 0; i < REPEATS; i++) {
        long start = System.nanoTime();
        a.mm(a).get(0).get(0).item_float(); // waits for a GPU
        best = Math.min(best, (double) (System.nanoTime() - start));
      }
    }
    return 2.0 * size * size * size / best;
  }

  /** The most memory this process has used, in MB; NaN where the system does not say. */
  static double peakMb() {
    try (var lines = Files.lines(Path.of("/proc/self/status"))) {
      return lines
          .filter(line -> line.startsWith("VmHWM:"))
          .mapToDouble(line -> Double.parseDouble(line.replaceAll("\\D", "")) / 1024)
          .findFirst()
          .orElse(Double.NaN);
    } catch (IOException _) {
      return Double.NaN;
    }
  }
}
