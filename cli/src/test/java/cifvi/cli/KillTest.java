package cifvi.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Processes killed without warning at random moments of training and of evaluation. Gone on with,
 * they end with the bytes of one left in peace. {@code scripts/kill-test N} kills more often.
 */
class KillTest {
  private static final int KILLS = Integer.getInteger("cifvi.kills", 4);
  private static final long SEED = Long.getLong("cifvi.kills.seed", 11);

  @TempDir private Path folder;

  /** How often a task was killed, by what it was doing. */
  private final Map<String, Integer> kills = new TreeMap<>();

  private int finished;

  @ParameterizedTest
  @EnumSource
  void killedAtRandomMomentsItEndsWithTheSameBytes(KillableTask task) throws Exception {
    Path trained = folder.resolve("trained");
    Path whole = folder.resolve("whole");
    if (task.evaluates()) {
      finish(task.training(), trained);
      copy(trained, whole);
    }
    long nanos = finish(task, whole);
    var random = new Random(SEED);
    int wanted = KILLS / KillableTask.values().length;
    Path run = fresh(task, trained);
    for (int killed = 0; killed < wanted; ) {
      if (isKilled(task, run, random.nextLong(nanos))) {
        killed++;
      } else {
        assertSame(whole, run);
        finished++;
        run = fresh(task, trained);
      }
    }
    finish(task, run);
    assertSame(whole, run);
    System.out.printf("%s: killed %s, finished %d times%n", task, kills, finished + 1);
  }

  private Path fresh(KillableTask task, Path trained) throws IOException {
    Path run = folder.resolve("run-" + finished);
    if (task.evaluates()) {
      copy(trained, run);
    }
    return run;
  }

  /** Lets a process come to its end; how long it worked. */
  private long finish(KillableTask task, Path run) throws Exception {
    Process process = start(task, run);
    long begin = System.nanoTime();
    assertThat(process.waitFor()).as(this::log).isZero();
    return System.nanoTime() - begin;
  }

  /** Kills a process so long after it began to work, unless it ends before. */
  private boolean isKilled(KillableTask task, Path run, long nanos) throws Exception {
    Process process = start(task, run);
    if (process.waitFor(nanos, TimeUnit.NANOSECONDS)) {
      assertThat(process.exitValue()).as(this::log).isZero();
      return false;
    }
    process.destroyForcibly().waitFor();
    kills.merge(phase(task, run), 1, Integer::sum);
    return true;
  }

  /** All steps are logged before an evaluation begins. */
  private static String phase(KillableTask task, Path run) throws IOException {
    if (task.evaluates()) {
      return "evaluation";
    }
    Path metrics = run.resolve("metrics.csv");
    if (!Files.exists(metrics)) {
      return "before the first step";
    }
    try (var lines = Files.lines(metrics, StandardCharsets.ISO_8859_1)) {
      return lines.count() > task.steps() ? "evaluation" : "training";
    }
  }

  /** A process that has begun to work. */
  private Process start(KillableTask task, Path run) throws IOException {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(KillableTask.class.getName(), task.name(), run.toString()));
    Process process =
        new ProcessBuilder(command)
            .redirectError(Redirect.to(folder.resolve("stderr").toFile()))
            .start();
    assertThat(process.inputReader().readLine()).as(this::log).isEqualTo(KillableTask.BEGINS);
    return process;
  }

  private String log() {
    try {
      return Files.readString(folder.resolve("stderr"));
    } catch (IOException e) {
      return e.toString();
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(from.relativize(file)));
      }
    }
  }

  private static void assertSame(Path whole, Path run) throws IOException {
    assertThat(contents(run)).isEqualTo(contents(whole));
  }

  /** What a run says, without how long it took and where it was saved on the way. */
  private static Map<String, String> contents(Path run) throws IOException {
    var contents = new TreeMap<String, String>();
    try (Stream<Path> files = Files.walk(run)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String name = run.relativize(file).toString();
        if (!name.matches("lock|.*previous.safetensors|.*\\.tmp|.*next.safetensors")) {
          contents.put(name, text(file));
        }
      }
    }
    return contents;
  }

  private static String text(Path file) throws IOException {
    String text = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
    if (text.matches("(?s)[^\\n]*,(ms|seconds)\\n.*")) { // the last column of a log
      return text.replaceAll("(?m),[^,\\n]*$", "");
    }
    return text.replaceAll("\"(seconds|ms_per_step)\" : [^,]*", "");
  }
}
