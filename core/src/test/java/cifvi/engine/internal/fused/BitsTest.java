package cifvi.engine.internal.fused;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import cifvi.testing.NativeScope;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import jdk.incubator.vector.FloatVector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The same bits in a JVM that interprets and in one that has compiled every kernel, whatever vector
 * registers it has.
 */
@ExtendWith(NativeScope.class)
class BitsTest {
  @Test
  void coldAndHotGiveTheSameBits() throws IOException, InterruptedException {
    assumeWide();
    Process interpreting = run(List.of("-Xint"), Bits.class, Bits.COLD);
    Bits.heat();
    assertThat(Bits.all(Bits.SHAPES)).isEqualTo(output(interpreting));
  }

  /**
   * A processor with AVX-512 has 32 vector registers of 512 bits; with AVX2 alone it has 16 of 256.
   */
  @Test
  void sixteenVectorRegistersGiveTheSameBits() throws IOException, InterruptedException {
    assumeWide();
    Process hot = run(List.of("-XX:UseAVX=2"), Bits.class, Bits.HOT);
    assertThat(output(hot)).isEqualTo(Bits.all(Bits.SHAPES) + " " + Bits.all(Bits.LARGE));
  }

  private static void assumeWide() {
    var narrow = Coverage.ofVectors(FloatVector.SPECIES_PREFERRED.vectorBitSize());
    assumeTrue(narrow.isEmpty(), () -> narrow.orElse("") + ", or a kernel takes seconds");
  }

  /** A program in a JVM of its own. */
  static Process run(List<String> options, Class<?> program, String argument) throws IOException {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.addAll(
        List.of(
            "--add-modules",
            "jdk.incubator.vector",
            "--enable-native-access=ALL-UNNAMED",
            "-Dorg.bytedeco.javacpp.maxPhysicalBytes=0",
            "-cp",
            System.getProperty("java.class.path"),
            program.getName(),
            argument));
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
  }

  /** The last line that it prints. */
  static String output(Process process) throws IOException, InterruptedException {
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return out.strip().lines().reduce((_, last) -> last).orElse("");
  }
}
