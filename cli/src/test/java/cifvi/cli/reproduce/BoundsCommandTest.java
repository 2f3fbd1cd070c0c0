package cifvi.cli.reproduce;

import static org.assertj.core.api.Assertions.assertThat;

import cifvi.cli.Cli;
import cifvi.cli.option.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code cifvi reproduce bounds}, {@code slack} and {@code objectives}. */
class BoundsCommandTest {
  @TempDir Path folder;

  @Test
  void modelsAndTheirMiddlesArePlanned() {
    var cli = Cli.run("reproduce", "bounds", "--steps", 400, "--dry-run", "--out", folder);
    assertThat(cli.exitCode()).isEqualTo(ExitCode.DONE);
    assertThat(cli.out().lines())
        .hasSize(5)
        .anyMatch(line -> line.endsWith("cif-nsf-released-k16-sigmalearn-steps400-seed1"))
        .anyMatch(line -> line.endsWith("cif-nsf-released-k16-sigmalearn-steps20-seed1"))
        .anyMatch(line -> line.contains("--model=hvm") && line.contains("--lr-schedule=cosine"));
  }

  @Test
  void boundsOfAnyRunAreWritten() throws IOException {
    Path run = folder.resolve("flow");
    Cli.run("mog", "--model", "nsf", "--steps", 3, "--samples", 20, "--out", run);
    Path out = folder.resolve("out");
    String[] small = {"--draws", "200", "--outer", "20", "--inner", "1,3"};
    var cli =
        Cli.run(
            "reproduce",
            "bounds",
            "--runs",
            run,
            "--out",
            out,
            small[0],
            small[1],
            small[2],
            small[3],
            small[4],
            small[5]);
    assertThat(cli.exitCode()).isEqualTo(ExitCode.DONE);
    assertThat(cli.out().lines()).hasSize(1 + 4 + 5);
    assertThat(Files.readAllLines(out.resolve("bounds.csv")))
        .hasSize(10)
        .anyMatch(line -> line.startsWith("flow,iwae:50,-"))
        .anyMatch(line -> line.startsWith("flow,eq22:3,-"));
    assertThat(out.resolve("bounds.txt")).exists();
  }

  @Test
  void wrongNumbersAreRefused() {
    assertThat(Cli.run("reproduce", "bounds", "--inner", "5,5", "--out", folder).err())
        .contains("--inner: expected numbers from 1 on that rise, got [5, 5]");
    assertThat(Cli.run("reproduce", "bounds", "--batches", "2", "--out", folder).err())
        .contains("--batches: expected at least 3, got 2");
    assertThat(Cli.run("reproduce", "objectives", "--tasks", "k17", "--out", folder).err())
        .contains("--tasks: expected", "got k17");
  }

  @Test
  void slackBeginsWithTheModels() {
    var cli = Cli.run("reproduce", "slack", "--seeds", "2,5", "--dry-run", "--out", folder);
    assertThat(cli.exitCode()).isEqualTo(ExitCode.DONE);
    assertThat(cli.out().lines())
        .hasSize(2)
        .anyMatch(line -> line.endsWith("cif-nsf-released-k16-sigmalearn-steps20000-seed5"));
  }

  /** Steps follow from the timings that are there. */
  @Test
  void objectivesHaveTheTimeOfTheElbo() throws IOException {
    Files.writeString(
        folder.resolve("timings.csv"),
        """
        task,objective,ms_per_step
        k16,elbo,30
        k16,path,60
        k16,iwae:5,40
        k16,dreg:5,75
        k16,iwhvi:4,50
        """);
    var cli =
        Cli.run(
            "reproduce",
            "objectives",
            "--tasks",
            "k16",
            "--steps",
            600,
            "--seeds",
            2,
            "--dry-run",
            "--out",
            folder);
    assertThat(cli.exitCode()).isEqualTo(ExitCode.DONE);
    assertThat(cli.out().lines())
        .hasSize(10)
        .anyMatch(line -> line.endsWith("cif-nsf-released-k16-sigmalearn-steps600-seed1"))
        .anyMatch(line -> line.endsWith("cif-nsf-released-k16-sigmalearn-path-steps300-seed2"))
        .anyMatch(line -> line.endsWith("cif-nsf-released-k16-sigmalearn-dreg-5-steps240-seed1"))
        .anyMatch(line -> line.contains("--samples=200 ") && line.contains("--objective=iwhvi:4 "))
        .allMatch(line -> line.contains("--engine=eager ") && line.contains("--threads=1 "));
  }
}
