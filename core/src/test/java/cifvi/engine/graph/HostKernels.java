package cifvi.engine.graph;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import cifvi.tensor.Precision;
import java.util.EnumMap;
import java.util.Map;

/** Kernels for the processor, compiled once: noise and Adam in every precision, programs. */
final class HostKernels {
  private static final Map<Precision, HostLauncher> LAUNCHERS = new EnumMap<>(Precision.class);

  private HostKernels() {}

  /** Skips the test where there is no g++. */
  static HostLauncher of(Precision precision) {
    assumeTrue(HostLauncher.available(), "no g++ on the path");
    return LAUNCHERS.computeIfAbsent(
        precision,
        p ->
            HostLauncher.compile(
                KernelSource.of(p, "noise.cu", "adam.cu", "buffers.cu"),
                "set_address",
                "captured_noise",
                "noise_at",
                "set_step",
                "gradient_squares",
                "decide",
                "adam",
                "save_buffers",
                "undo_buffers"));
  }

  /** Kernels of programs; skips the test where there is no g++. */
  static HostLauncher program() {
    assumeTrue(HostLauncher.available(), "no g++ on the path");
    return Program.LAUNCHER;
  }

  private static final class Program {
    static final HostLauncher LAUNCHER =
        HostLauncher.compile(
            ProgramSource.text(),
            ProgramSource.PROGRAM,
            ProgramSource.PREPARE,
            ProgramSource.WEIGHT_GRADIENTS,
            ProgramSource.BATCH_STATISTICS,
            ProgramSource.BATCH_GRADIENTS);
  }
}
