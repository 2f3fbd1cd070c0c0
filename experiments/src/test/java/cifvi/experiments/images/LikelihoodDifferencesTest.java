package cifvi.experiments.images;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import cifvi.experiments.images.ImagesEvaluation.ImageRow;
import cifvi.experiments.images.ImagesEvaluation.TestBinarisation;
import cifvi.experiments.run.RunDirectory;
import cifvi.vi.Estimate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the log-likelihoods of single images say about two models and about one. */
class LikelihoodDifferencesTest {
  private static final List<ImageRow> A =
      List.of(new ImageRow(0, -90, -95), new ImageRow(1, -50, -52), new ImageRow(2, -130, -138));
  private static final List<ImageRow> B =
      List.of(new ImageRow(0, -91, -99), new ImageRow(1, -52, -60), new ImageRow(2, -133, -140));

  @TempDir private Path folder;

  @Test
  void differencesArePaired() {
    Estimate difference = Likelihoods.difference(A, B);
    assertThat(difference.mean()).isCloseTo(2, within(1e-12));
    assertThat(difference.standardError()).isCloseTo(1 / Math.sqrt(3), within(1e-12));
    assertThat(Likelihoods.difference(B, A).mean()).isCloseTo(-2, within(1e-12));
    assertThat(Likelihoods.difference(A, B.subList(0, 2)).count()).isEqualTo(2);
  }

  @Test
  void gapIsThatOfTheSameSamples() {
    assertThat(Likelihoods.gap(A).mean()).isCloseTo(5, within(1e-12));
    assertThat(Likelihoods.gap(A).standardError()).isCloseTo(3 / Math.sqrt(3), within(1e-12));
  }

  @Test
  void samplesAreThoseOfFirstEvaluations() throws IOException {
    Files.writeString(folder.resolve("spec.yaml"), "kind: images\n");
    var likelihoods = new Likelihoods(RunDirectory.read(folder));
    assertThat(likelihoods.samples(TestBinarisation.FIXED)).isEmpty();
    Files.createDirectories(folder.resolve("likelihoods"));
    for (String name : List.of("fixed-S1000-0", "fixed-S10-0", "fixed-S5-1", "fresh-S7-0")) {
      Files.writeString(folder.resolve("likelihoods/" + name + ".csv"), "image\n");
    }
    assertThat(likelihoods.samples(TestBinarisation.FIXED)).containsExactly(10, 1000);
  }
}
