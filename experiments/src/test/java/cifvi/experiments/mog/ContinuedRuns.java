package cifvi.experiments.mog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import cifvi.experiments.files.UserException;
import cifvi.experiments.run.Average;
import cifvi.experiments.run.Continuation;
import cifvi.experiments.run.Run;
import cifvi.experiments.run.RunListener;
import cifvi.posterior.Placement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.io.TempDir;

/** Mixture runs of a few steps that are stopped, changed and gone on with. */
abstract class ContinuedRuns {
  static final String LATEST = "checkpoints/latest.safetensors";
  static final Continuation RESTART = new Continuation(Map.of(), true);

  @TempDir Path folder;

  final List<String> notes = new ArrayList<>();

  static MogSpec spec(String schedule, long steps) {
    MogSpec spec = MogRunTest.spec(MogSpec.Flow.NSF, Placement.PAPER, Average.EMA);
    return MogSpec.parse(
        spec.yaml()
            .replace("lr_schedule: cosine", "lr_schedule: " + schedule)
            .replace("steps: 12", "steps: " + steps));
  }

  static Continuation steps(long steps) {
    return new Continuation(Map.of("steps", steps), false);
  }

  Path start(String name, String schedule, long steps, long stopAfter) {
    Path run = folder.resolve(name);
    Run.start(new MogExperiment(MogRunTest.SMALL), spec(schedule, steps), run, listener(stopAfter));
    return run;
  }

  Path finished(String name, long steps) {
    return start(name, "constant", steps, Long.MAX_VALUE);
  }

  final RunListener listener(long stopAfter) {
    return new RunListener() {
      @Override
      public boolean step(long done, long of, double elbo) {
        return done < stopAfter;
      }

      @Override
      public void note(String line) {
        notes.add(line);
      }
    };
  }

  Optional<MogResult> resume(Path run, Continuation how) {
    return Run.resume(new MogExperiment(MogRunTest.SMALL), run, how, listener(Long.MAX_VALUE));
  }

  void assertRefused(Path run, Continuation how, String... words) throws IOException {
    Map<String, String> before = contents(run);
    assertThatThrownBy(() -> resume(run, how))
        .isInstanceOf(UserException.class)
        .hasMessageContainingAll(words);
    assertThat(contents(run)).isEqualTo(before);
  }

  static Map<String, String> contents(Path run) throws IOException {
    var contents = new TreeMap<String, String>();
    try (var files = Files.walk(run)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        byte[] bytes = Files.readAllBytes(file);
        contents.put(run.relativize(file).toString(), Arrays.toString(bytes));
      }
    }
    contents.remove("lock");
    return contents;
  }
}
