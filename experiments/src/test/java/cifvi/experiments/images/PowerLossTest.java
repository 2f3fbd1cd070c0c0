package cifvi.experiments.images;

import static org.assertj.core.api.Assertions.assertThat;

import cifvi.experiments.models.ImageModel;
import cifvi.experiments.run.UserException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Power fails: each file of a run is, on its own, as it was at some earlier moment, not there yet,
 * or cut within what was appended since. The run then ends with the bytes of one left in peace, or
 * is refused with the remedy.
 */
class PowerLossTest {
  private static final int LOSSES = 40;
  private static final List<String> FILES =
      List.of(
          "checkpoints/latest.safetensors",
          "checkpoints/previous.safetensors",
          "checkpoints/best.safetensors",
          "metrics.csv",
          "epochs.csv",
          "provenance.json");

  @TempDir private Path folder;

  private static ImagesListener stopAfter(long steps) {
    return new ImagesListener() {
      @Override
      public boolean step(long done, long of, double elbo) {
        return done < steps;
      }
    };
  }

  @Test
  void everyMixtureOfOldAndNewFilesIsGoneOnWithOrRefused() throws IOException {
    ImagesSpec spec = TinyImages.spec(ImageModel.VAE, 3, 50, 1e-2);
    Path whole = folder.resolve("whole");
    ImagesRun.start(spec, TinyImages.DATA, whole, ImagesListener.SILENT);
    Path run = folder.resolve("run");
    var moments = new ArrayList<Map<String, byte[]>>();
    ImagesRun.start(spec, TinyImages.DATA, run, stopAfter(2));
    moments.add(files(run));
    for (int steps : new int[] {4, 5, 7}) {
      ImagesRun.resume(run, _ -> TinyImages.DATA, stopAfter(steps));
      moments.add(files(run));
    }
    var random = new Random(5);
    int resumed = 0;
    for (int loss = 0; loss < LOSSES; loss++) {
      Path lost = folder.resolve("lost-" + loss);
      Files.createDirectories(lost.resolve("checkpoints"));
      Files.copy(run.resolve("spec.yaml"), lost.resolve("spec.yaml"));
      for (String file : FILES) {
        mixed(moments, file, random, lost.resolve(file));
      }
      resumed += resumes(whole, lost) ? 1 : 0;
    }
    assertThat(resumed).isBetween(5, LOSSES - 5); // both happen
  }

  private static Map<String, byte[]> files(Path run) throws IOException {
    var files = new TreeMap<String, byte[]>();
    for (String file : FILES) {
      if (Files.exists(run.resolve(file))) {
        files.put(file, Files.readAllBytes(run.resolve(file)));
      }
    }
    return files;
  }

  /**
   * The file as it was at one of the moments, mostly a late one; a log perhaps with half a line.
   */
  private static void mixed(List<Map<String, byte[]>> moments, String file, Random random, Path to)
      throws IOException {
    int moment = Math.min(moments.size() - 1, random.nextInt(moments.size() + 3));
    byte @Nullable [] bytes = random.nextInt(12) == 0 ? null : moments.get(moment).get(file);
    if (bytes == null) {
      return;
    }
    byte[] newest = moments.getLast().getOrDefault(file, bytes);
    boolean cut = file.endsWith(".csv") && newest.length > bytes.length && random.nextBoolean();
    int length = cut ? random.nextInt(bytes.length, newest.length) : bytes.length;
    Files.write(to, cut ? Arrays.copyOf(newest, length) : bytes);
  }

  private static boolean resumes(Path whole, Path lost) throws IOException {
    try {
      assertThat(ImagesRun.resume(lost, _ -> TinyImages.DATA, ImagesListener.SILENT)).isPresent();
    } catch (UserException e) {
      assertThat(e).hasMessageContaining("--restart");
      assertThat(lost.resolve("result.json")).doesNotExist();
      return false;
    }
    for (String file :
        List.of(
            "checkpoints/latest.safetensors",
            "checkpoints/best.safetensors",
            "likelihoods/fresh-S4-0.csv")) {
      assertThat(lost.resolve(file)).hasSameBinaryContentAs(whole.resolve(file));
    }
    assertThat(result(lost)).isEqualTo(result(whole));
    return true;
  }

  private static String result(Path run) throws IOException {
    return Files.readString(run.resolve("result.json"))
        .replaceAll("\"(seconds|ms_per_step)\" : [^,]*", "");
  }
}
