package cifvi.engine.internal.graph;

import cifvi.engine.internal.graph.kernel.KernelSource;
import cifvi.engine.internal.graph.kernel.PassSource;
import cifvi.tensor.Precision;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Kernels for the processor, compiled at most once: noise and Adam in every precision, programs. A
 * test that starts one is skipped where there is no g++.
 */
final class HostKernels {
  private static final Map<Precision, HostLauncher> LAUNCHERS = new EnumMap<>(Precision.class);

  private HostKernels() {}

  static HostLauncher of(Precision precision) {
    return LAUNCHERS.computeIfAbsent(
        precision,
        p ->
            HostLauncher.of(
                KernelSource.of(p, "noise.cu", "adam.cu", "buffers.cu"),
                "set_address",
                "captured_noise",
                "captured_streams",
                "noise_at",
                "set_step",
                "gradient_squares",
                "decide",
                "adam",
                "save_buffers",
                "undo_buffers"));
  }

  /** Kernels of programs. */
  static HostLauncher program() {
    return Program.LAUNCHER;
  }

  /** Names of the kernels of programs. */
  static final List<String> PROGRAM =
      List.of(
          PassSource.INTERPRET,
          PassSource.PREPARE,
          PassSource.IMPORTANCE_WEIGHTS,
          PassSource.WEIGHT_GRADIENTS,
          PassSource.ADD_WEIGHT_PARTS,
          PassSource.CONVOLUTION_GRADIENTS,
          PassSource.ADD_CONVOLUTION_PARTS,
          PassSource.BATCH_STATISTICS,
          PassSource.BATCH_GRADIENTS);

  private static final class Program {
    static final HostLauncher LAUNCHER =
        HostLauncher.of(PassSource.text(), PROGRAM.toArray(String[]::new));
  }
}
