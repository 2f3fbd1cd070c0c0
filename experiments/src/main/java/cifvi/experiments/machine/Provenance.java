package cifvi.experiments.machine;

import cifvi.engine.Engines;
import cifvi.experiments.files.Texts;
import cifvi.tensor.Torch;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/**
 * {@code provenance.json}: what a result was made with, which decides on its last digits.
 *
 * @param commit that the program was built from, or {@code unknown}
 * @param changedSince whether its sources were changed since: {@code yes}, {@code no} or {@code
 *     unknown}
 * @param vectors how wide the vectors of the processor are for the fused engine, and the kernels
 *     that libtorch takes for it
 */
public record Provenance(
    String cifvi,
    String commit,
    String changedSince,
    String java,
    String libtorch,
    String os,
    String cpu,
    String vectors,
    String engine,
    String device,
    int threads,
    long seed) {
  /** The version of this program. */
  public static final String VERSION = "0.1.0-SNAPSHOT";

  private static final String UNKNOWN = "unknown";

  public static Provenance of(String engine, String device, int threads, long seed) {
    try {
      Properties build = build();
      return new Provenance(
          VERSION,
          build.getProperty("commit", UNKNOWN),
          build.getProperty("changed_since", UNKNOWN),
          System.getProperty("java.vm.name") + " " + Runtime.version(),
          Torch.version(),
          System.getProperty("os.name") + " " + System.getProperty("os.arch"),
          Processor.model(),
          vectorWidths(),
          engine,
          device,
          threads,
          seed);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What {@code scripts/BuiltFrom.java} has left; nothing where the build did without it. */
  private static Properties build() throws IOException {
    var build = new Properties();
    try (InputStream in = Provenance.class.getResourceAsStream("build.properties")) {
      if (in != null) {
        build.load(in);
      }
    }
    return build;
  }

  private static String vectorWidths() {
    var bits = Engines.vectorBits();
    return (bits.isPresent() ? bits.getAsInt() + " bits" : "none")
        + ", libtorch "
        + Torch.cpuCapability();
  }

  public String json() {
    return Texts.JSON.writeValueAsString(this) + "\n";
  }
}
