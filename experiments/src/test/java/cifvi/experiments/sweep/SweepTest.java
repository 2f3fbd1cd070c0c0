package cifvi.experiments.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import cifvi.experiments.files.FolderLock;
import cifvi.experiments.files.UserException;
import cifvi.experiments.sweep.Job.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The list of jobs, with little shell scripts in place of training. */
@EnabledOnOs(OS.LINUX)
class SweepTest {
  /** A result is there as a whole or not at all, as a run leaves it. */
  private static final String DONE =
      "mkdir -p $0; echo '{\"elbo\": -1.5, \"seed\": 9}' > $0/tmp; mv $0/tmp $0/result.json";

  @TempDir Path folder;
  private final List<String> started = new ArrayList<>();

  /** Cells whose processes run a script; the script's $0 is the cell's folder. */
  private List<Job> run(String yaml, String script, Sweep.Listener listener) {
    var cells = SweepSpec.parse(yaml).cells();
    try (var sweep = Sweep.open(folder, cells, (cell, to) -> shell(script, cell, to), () -> 2, 1)) {
      return sweep.run(listener);
    }
  }

  private Process shell(String script, Cell cell, CellFolder to) throws IOException {
    List<String> arguments = to.arguments(cell);
    started.add(String.join(" ", arguments).replace(folder + "/", ""));
    return new ProcessBuilder("sh", "-c", script, arguments.getLast())
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(to.log().toFile()))
        .start();
  }

  private static Sweep.Listener silent() {
    return new Sweep.Listener() {};
  }

  private List<String> results() throws IOException {
    return Files.readAllLines(folder.resolve("results.csv"));
  }

  @Test
  void allCellsRunAndTheTableHoldsTheirResults() throws IOException {
    var jobs = run("kind: mog\nseed: [1, 2]\nsigma0: [1, learn]", DONE, silent());
    assertThat(jobs).extracting(Job::status).containsOnly(Status.DONE);
    assertThat(started)
        .containsExactly(
            "mog --seed=1 --sigma0=1 --out seed1-sigma0-1",
            "mog --seed=1 --sigma0=learn --out seed1-sigma0-learn",
            "mog --seed=2 --sigma0=1 --out seed2-sigma0-1",
            "mog --seed=2 --sigma0=learn --out seed2-sigma0-learn");
    assertThat(results())
        .startsWith("seed,sigma0,status,folder,elbo", "1,1,done,seed1-sigma0-1,-1.5");
  }

  @Test
  void theTableIsCurrentWhileCellsRun() {
    var tables = new ArrayList<String>();
    run(
        "kind: mog\nseed: [1, 2, 3]",
        DONE,
        new Sweep.Listener() {
          @Override
          public void changed(List<Job> jobs) {
            try {
              tables.add(String.join(" ", results()));
            } catch (IOException e) {
              throw new java.io.UncheckedIOException(e);
            }
          }
        });
    assertThat(tables.getFirst())
        .isEqualTo("seed,status,folder 1,waiting,seed1 2,waiting,seed2 3,waiting,seed3");
    assertThat(tables).anyMatch(t -> t.contains("1,running") && t.contains("3,waiting"));
    assertThat(tables.getLast()).contains("1,done,seed1,-1.5", "3,done,seed3,-1.5");
  }

  @Test
  void whatIsDoneStaysAndWhatHasBegunGoesOn() throws IOException {
    Files.createDirectories(folder.resolve("seed1"));
    Files.writeString(folder.resolve("seed1/result.json"), "{\"elbo\": 7}");
    Files.createDirectories(folder.resolve("seed2"));
    Files.writeString(folder.resolve("seed2/spec.yaml"), "seed: 2");
    run("kind: mog\nseed: [1, 2]", DONE, silent());
    assertThat(started).containsExactly("resume seed2");
    assertThat(results()).contains("1,done,seed1,7");
  }

  @Test
  void aFailedCellIsTriedAgainAndThenLeft() throws IOException {
    String failsOnSeed1 = "echo trying; case $0 in *seed1) exit 1;; esac; " + DONE;
    var jobs = run("kind: mog\nseed: [1, 2]", failsOnSeed1, silent());
    assertThat(jobs).extracting(Job::status).containsExactly(Status.FAILED, Status.DONE);
    assertThat(started).filteredOn(s -> s.contains("seed1")).hasSize(2);
    assertThat(jobs.getFirst().folder().logTail(9)).containsExactly("trying", "trying");
    assertThat(results()).anyMatch(line -> line.startsWith("1,failed,seed1"));
  }

  @Test
  void aCellThatFailsOnceIsDoneInTheEnd() {
    String failsOnce = "if [ ! -e $0.mark ]; then touch $0.mark; kill -9 $$; fi; " + DONE;
    var jobs = run("kind: mog\nseed: [1]", failsOnce, silent());
    assertThat(jobs).extracting(Job::status).containsExactly(Status.DONE);
    assertThat(started).hasSize(2);
  }

  @Test
  void whatWasGivenWronglyIsNotTriedAgain() {
    run("kind: mog\nseed: [1]", "exit 2", silent());
    assertThat(started).hasSize(1);
  }

  @Test
  void noMoreRunThanAreAllowed() {
    var most = new ArrayList<Long>();
    run(
        "kind: mog\nseed: [1, 2, 3, 4]",
        "sleep 0.15; " + DONE,
        new Sweep.Listener() {
          @Override
          public boolean goOn(List<Job> jobs) {
            most.add(jobs.stream().filter(job -> job.status() == Status.RUNNING).count());
            return true;
          }
        });
    assertThat(most).contains(2L).allMatch(running -> running <= 2);
  }

  @Test
  void stoppingAsksTheCellsAndWaitsForThem() {
    var jobs =
        run(
            "kind: mog\nseed: [1, 2, 3]",
            "trap 'touch $0/saved; exit 143' TERM; mkdir -p $0; touch $0/spec.yaml; sleep 9 & wait",
            new Sweep.Listener() {
              @Override
              public boolean goOn(List<Job> jobs) {
                return !jobs.get(1).folder().isStarted();
              }
            });
    assertThat(jobs)
        .extracting(Job::status)
        .containsExactly(Status.STOPPED, Status.STOPPED, Status.WAITING);
    assertThat(folder.resolve("seed1/saved")).exists();
    assertThat(folder.resolve("seed2/saved")).exists();
    assertThat(started).hasSize(2);
  }

  @Test
  void aCellThatAnotherProcessWorksOnIsWaitedFor() throws IOException {
    Path busy = Files.createDirectories(folder.resolve("seed1"));
    var lock = FolderLock.take(busy);
    run(
        "kind: mog\nseed: [1, 2, 3]",
        DONE,
        new Sweep.Listener() {
          @Override
          public void ended(Job job, int exitCode) {
            if (job.cell().name().equals("seed3")) {
              lock.close();
            }
          }
        });
    assertThat(started.getLast()).endsWith("--out seed1");
  }

  @Test
  void aSecondSweepInTheFolderIsRefused() throws IOException {
    try (var _ = FolderLock.take(folder)) {
      assertThatThrownBy(() -> run("kind: mog\nseed: 1", DONE, silent()))
          .isInstanceOf(UserException.class)
          .hasMessageContaining("another process is working in");
    }
  }

  @Test
  void progressComesFromTheLastWholeLine() throws IOException {
    var cell = new CellFolder(folder);
    assertThat(cell.progress()).isEmpty();
    Files.writeString(folder.resolve("spec.yaml"), "steps: 40");
    Files.writeString(folder.resolve("metrics.csv"), "step,elbo,ms\n");
    assertThat(cell.progress()).isEmpty();
    Files.writeString(folder.resolve("metrics.csv"), "step,elbo,ms\n0,-3.5,1\n1,-2.5,1\n2,-1.");
    assertThat(cell.progress()).contains(new CellProgress("step", 2, 40, -2.5));
    Files.writeString(folder.resolve("spec.yaml"), "kind: fit\nsteps: null");
    assertThat(cell.progress())
        .contains(new CellProgress("step", 2, 0, -2.5))
        .hasValueSatisfying(fit -> assertThat(fit.limited()).isFalse());
    Files.writeString(folder.resolve("spec.yaml"), "epochs: 9");
    assertThat(cell.progress()).contains(new CellProgress("epoch", 0, 9, -2.5));
    Files.writeString(folder.resolve("epochs.csv"), "epoch,steps,valid_elbo\n1,540,-99.5\n");
    assertThat(cell.progress()).contains(new CellProgress("epoch", 1, 9, -99.5));
  }
}
