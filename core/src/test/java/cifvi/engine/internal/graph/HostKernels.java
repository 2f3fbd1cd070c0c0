package cifvi.engine.internal.graph;

import cifvi.engine.internal.graph.kernel.KernelSource;
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
                KernelSource.common(p),
                "set_address",
                "captured_noise",
                "captured_streams",
                "noise_at",
                "set_step",
                "gradient_squares",
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
          "interpret",
          "interpret_forward",
          "interpret_backward",
          "prepare",
          "importance_weights",
          "weight_gradients",
          "add_weight_parts",
          "convolution_gradients",
          "add_convolution_parts",
          "prepare_convolutions",
          "prepare_image_convolutions",
          "convolve_planes",
          "decode_images",
          "decode_images_back",
          "bernoulli_images",
          "bernoulli_gradients",
          "fold_averages",
          "take_averages");

  /** Those of them that a source has. */
  static HostLauncher of(String source) {
    var names = PROGRAM.stream().filter(name -> source.contains(" " + name + "("));
    return HostLauncher.of(source, names.toArray(String[]::new));
  }

  private static final class Program {
    static final HostLauncher LAUNCHER = of(KernelSource.pass());
  }
}
