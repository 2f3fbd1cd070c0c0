package cifvi.engine.internal.graph.kernel;

import cifvi.tensor.Precision;
import cifvi.vi.Adam;
import cifvi.vi.StepOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Collectors;

/** CUDA source files, which lie beside this class, as one text for the compiler. */
public final class KernelSource {
  private KernelSource() {}

  /** The named files in this order, with {@code real} as the number type. */
  public static String of(Precision precision, String... files) {
    String real = precision == Precision.FLOAT32 ? "float" : "double";
    String prelude =
        "typedef %s real;\nconst double BETA1 = %s, BETA2 = %s, EPSILON = %s, CLIP_EPSILON = %s;\n"
            .formatted(real, Adam.BETA1, Adam.BETA2, Adam.EPSILON, StepOptions.CLIP_EPSILON);
    return Arrays.stream(files)
        .map(file -> "#line 1 \"%s\"\n%s".formatted(file, read(file)))
        .collect(Collectors.joining("\n", prelude, ""));
  }

  private static String read(String file) {
    try (var in = KernelSource.class.getResourceAsStream(file)) {
      if (in == null) {
        throw new IllegalArgumentException("kernel source: " + file + " does not exist");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
