package cifvi.engine.internal.graph.kernel;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import cifvi.engine.internal.cuda.Nvrtc;
import cifvi.tensor.Precision;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The sources compile for real GPUs, where NVRTC is found. */
class KernelSourceTest {
  private static final List<String> OPTIONS = List.of("--gpu-architecture=sm_90", "--std=c++17");

  private static Nvrtc nvrtc() {
    assumeTrue(Nvrtc.find().isPresent(), "no libnvrtc; -Dcifvi.nvrtc=/path/to/libnvrtc.so.13");
    return Nvrtc.get();
  }

  @ParameterizedTest
  @EnumSource(Precision.class)
  void everySourceCompiles(Precision precision) {
    byte[] cubin =
        nvrtc()
            .compile(
                KernelSource.of(
                    precision,
                    "noise.cu",
                    "last_block.cuh",
                    "adam.cu",
                    "buffers.cu",
                    "binarise.cu"),
                OPTIONS);
    assertThat(new String(cubin, 1, 3, StandardCharsets.US_ASCII)).isEqualTo("ELF");
    assertThat(new String(cubin, StandardCharsets.ISO_8859_1))
        .contains(
            "noise_at",
            "captured_noise",
            "captured_streams",
            "gradient_squares",
            "adam",
            "undo_buffers");
  }

  @Test
  void programsCompile() {
    var nvrtc = nvrtc();
    var cubins =
        KernelSource.passes().stream()
            .map(source -> nvrtc.compile(source, OPTIONS))
            .map(cubin -> new String(cubin, StandardCharsets.ISO_8859_1))
            .collect(joining());
    assertThat(cubins)
        .contains(
            "interpret",
            "interpret_forward",
            "interpret_backward",
            "prepare",
            "weight_gradients",
            "add_weight_parts",
            "convolve_planes",
            "decode_images",
            "decode_images_back",
            "convolution_gradients",
            "add_convolution_parts",
            "prepare_convolutions",
            "bernoulli_images",
            "fold_averages",
            "take_averages");
  }

  /** Least sizes, ε and the like stand in the Java class they belong to, and are put in front. */
  @Test
  void constantsOfTheMathematicsComeFromJava() {
    String adam = KernelSource.of(Precision.FLOAT32, "adam.cu");
    String program = KernelSource.pass();
    for (String text : List.of(adam, program)) {
      assertThat(text.substring(text.indexOf("#line")))
          .doesNotContainPattern("[0-9]e-[0-9]")
          .doesNotContainPattern("0\\.0+1");
    }
    assertThat(adam).contains("CLIP_EPSILON = 1.0E-6;");
    assertThat(program)
        .contains(
            "NORM_EPSILON = 1.0E-5f;",
            "MIN_DERIVATIVE = 0.001f;",
            "RAW_ONE = 0.5397424f;",
            "MIN_DIAGONAL = 0.001f;");
  }

  @Test
  void errorsNameFileAndLine() {
    String source = "#line 1 \"noise.cu\"\n\n__global__ void broken() { x = 1; }";
    var nvrtc = nvrtc(); // outside, or a missing compiler would pass for the error
    assertThatThrownBy(() -> nvrtc.compile(source, OPTIONS))
        .hasMessageContaining("noise.cu(2)")
        .hasMessageContaining("undefined");
  }
}
