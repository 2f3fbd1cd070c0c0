package cifvi.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import cifvi.cli.report.sweep.SweepPage;
import cifvi.experiments.sweep.Cell;
import cifvi.experiments.sweep.Sweep;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page of a sweep with made-up cells: two settings with two seeds each, one cell missing. */
class SweepPageTest {
  @TempDir private Path folder;

  static List<Cell> cells(Path folder) throws IOException {
    return List.of(
        cell(folder, "nsf", 1, -0.5, 8),
        cell(folder, "nsf", 2, -0.3, 9),
        cell(folder, "cif-nsf", 1, -0.1, 9),
        cell(folder, "cif-nsf", 2, Double.NaN, 0));
  }

  /** NaN for a cell that has not begun. */
  private static Cell cell(Path folder, String model, long seed, double elbo, int modes)
      throws IOException {
    String name = model + "-seed" + seed;
    if (!Double.isNaN(elbo)) {
      Path run = Files.createDirectories(folder.resolve(name));
      Files.writeString(run.resolve("spec.yaml"), "kind: mog\nsteps: 4\n");
      Files.writeString(
          run.resolve("metrics.csv"),
          "step,elbo,grad_norm,learning_rate,ms\n0,-3,1,0.1,1\n1,-2,1,0.1,1\n2,-1,1,0.1,1\n");
      Files.writeString(
          run.resolve("result.json"),
          "{\"elbo\": %s, \"elbo_se\": 0.01, \"modes_covered\": %d}".formatted(elbo, modes));
    }
    var options = new LinkedHashMap<String, String>();
    options.put("model", model);
    options.put("seed", Long.toString(seed));
    return new Cell(name, "mog", options, List.of("model", "seed"));
  }

  private String page() throws IOException {
    Path out = folder.resolve("index.html");
    SweepPage.write(Sweep.jobs(folder, cells(folder)), out);
    return Files.readString(out);
  }

  @Test
  void settingsHaveMeansOverSeeds() throws IOException {
    String page = page();
    String settings = page.substring(page.indexOf(">Settings<"), page.indexOf(">Cells<"));
    assertThat(settings)
        .contains("<span>2 of 2</span>", "<span>1 of 2</span>", "<span>8, 9</span>")
        .contains("data-value=\"-0.4\"", "−0.4000 <small>± 0.1000</small>")
        .contains("<span>−0.1000</span>"); // one seed has no error
  }

  @Test
  void finishedCellsHaveAPictureAndColumnsSort() throws IOException {
    String page = page();
    assertThat(page.split("<svg class=\"small\"", -1)).hasSize(1 + 3);
    assertThat(page).contains("<button>modes covered</button>", "data-value=\"9.0\"", "aria-sort");
  }

  @Test
  void whatReportDrewIsTheSmallPicture() throws IOException {
    cells(folder);
    Path figures = Files.createDirectories(folder.resolve("nsf-seed1/figures"));
    var drawn = new BufferedImage(800, 400, BufferedImage.TYPE_INT_RGB);
    ImageIO.write(drawn, "png", figures.resolve("density.png").toFile());
    String page = page();
    assertThat(page.split("<img src=\"data:image/png;base64,", -1)).hasSize(1 + 1);
    assertThat(page.split("<svg class=\"small\"", -1)).hasSize(1 + 2);
  }

  @Test
  void withoutSeedsThereAreNoMeans() throws IOException {
    Path out = folder.resolve("index.html");
    SweepPage.write(Sweep.jobs(folder, cells(folder).subList(1, 3)), out);
    assertThat(Files.readString(out)).doesNotContain("standard error over seeds");
  }
}
