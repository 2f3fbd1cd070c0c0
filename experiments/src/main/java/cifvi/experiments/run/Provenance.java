package cifvi.experiments.run;

import cifvi.tensor.Torch;
import java.io.IOException;
import java.io.UncheckedIOException;

/** {@code provenance.json}: what a result was made with. */
public record Provenance(
    String cifvi,
    String java,
    String libtorch,
    String os,
    String engine,
    String device,
    int threads,
    long seed) {
  /** The version of this program. */
  public static final String VERSION = "0.1.0-SNAPSHOT";

  public static Provenance of(String engine, String device, int threads, long seed) {
    try {
      return new Provenance(
          VERSION,
          System.getProperty("java.vm.name") + " " + Runtime.version(),
          Torch.version(),
          System.getProperty("os.name") + " " + System.getProperty("os.arch"),
          engine,
          device,
          threads,
          seed);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public String json() {
    return Texts.JSON.writeValueAsString(this) + "\n";
  }
}
