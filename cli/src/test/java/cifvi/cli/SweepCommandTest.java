package cifvi.cli;

import static org.assertj.core.api.Assertions.assertThat;

import cifvi.cli.option.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code cifvi sweep}: what is wrong is said before anything runs; what fails does not stop it. */
class SweepCommandTest {
  @TempDir Path folder;

  private Cli sweep(String yaml, Object... more) throws IOException {
    Path file = folder.resolve("grid.yaml");
    Files.writeString(file, yaml.replace("\\n", "\n"));
    var arguments = new Object[4 + more.length];
    arguments[0] = "sweep";
    arguments[1] = file;
    arguments[2] = "--out";
    arguments[3] = folder.resolve("out");
    System.arraycopy(more, 0, arguments, 4, more.length);
    return Cli.run(arguments);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "kind: mug                    | kind: expected mog or images or fit or density, got mug",
        "kind: demo                   | kind: expected mog",
        "kind: mog\\nstpes: 3         | stpes: not an option of mog; did you mean steps?",
        "kind: mog\\nlr_shedule: up   | lr_shedule: not an option of mog; did you mean lr_schedule?",
        "kind: mog\\ntail-bound: 3    | tail-bound: not an option of mog; did you mean tail_bound?",
        "kind: mog\\nhelp: true       | help: not an option of mog",
        "kind: mog\\nout: x           | out: the sweep names the folder of each cell",
        "kind: mog\\nsteps: few       | --steps: expected a whole number, got few",
        "kind: mog\\nmodel: [nsf, vae]| --model: expected nsf or nsf-affine or cif-nsf or coupling-affine or",
        "kind: mog\\nsigma0: [1, 1.0] | sigma0-1 and sigma0-1.0 are the same run",
        "kind: mog\\nseed: []         | seed: the list is empty",
      })
  void whatIsWrongIsSaidBeforeAnythingRuns(String yaml, String message) throws IOException {
    var cli = sweep(yaml);
    assertThat(cli.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(cli.err()).startsWith("cifvi: " + folder.resolve("grid.yaml")).contains(message);
    assertThat(folder.resolve("out")).doesNotExist();
  }

  @Test
  void allThatIsWrongIsSaidAtOnce() throws IOException {
    assertThat(sweep("kind: mog\nstpes: 3\nout: x\nsead: 1").err())
        .contains("did you mean steps?", "out: the sweep", "did you mean seed?");
  }

  @Test
  void aDryRunListsTheCells() throws IOException {
    var cli = sweep("kind: mog\nmodel: [nsf, cif-nsf]\nsteps: 5", "--dry-run");
    assertThat(cli.exitCode()).isZero();
    assertThat(cli.out().lines())
        .containsExactly(
            "waiting  cifvi mog --model=nsf --steps=5 --threads=1 --out " + folder + "/out/nsf",
            "waiting  cifvi mog --model=cif-nsf --steps=5 --threads=1 --out "
                + folder
                + "/out/cif-nsf");
    assertThat(folder.resolve("out")).doesNotExist();
  }

  @Test
  void aCellThatFailsIsTriedAgainAndTheOthersGoOn() throws IOException {
    String yaml =
        "kind: mog\nengine: eager\nmodel: nsf\nsteps: 12\nsamples: 5\nlearning_rate: [1e30, 0.001]\nclip: 1e30";
    var cli = sweep(yaml, "--jobs", 2);
    assertThat(cli.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(cli.out()).startsWith("1 of 2 cells done");
    Path log = folder.resolve("out/learning-rate1e30.log");
    assertThat(cli.err()).contains("failed: learning-rate1e30, at the end of " + log, "non-finite");
    assertThat(Files.readString(log).split("training stopped", -1)).hasSize(3);
    assertThat(Files.readAllLines(folder.resolve("out/results.csv")))
        .anyMatch(line -> line.startsWith("1e30,failed,"))
        .anyMatch(
            line -> line.startsWith("0.001,done,learning-rate0.001,mog,nsf,1,12,29190,eager,cpu"));
    assertThat(Files.readString(folder.resolve("out/index.html")))
        .contains("1 of 2 cells are done, 1 failed.", "<a href=\"learning-rate0.001/\">")
        .doesNotContain("http-equiv=\"refresh\"");

    var changed = sweep(yaml.replace("steps: 12", "steps: 13"));
    assertThat(changed.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(changed.err())
        .contains(
            "learning-rate0.001 holds a run with other settings (steps is 12 there, 13 here)");
  }
}
