package cifvi.spark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.api.java.function.Function;

/** A part of an evaluation on a worker; what it computes goes back to the driver. */
record ComputeTask(WorkerProgram program, SharedFolder folder, List<String> words)
    implements Function<Integer, TaskEnd> {
  private static final int LOG_LINES = 3;

  ComputeTask {
    words = List.copyOf(words);
  }

  @Override
  public TaskEnd call(Integer index) throws IOException {
    Path scratch = Files.createTempDirectory("cifvi-part");
    Path to = scratch.resolve("result");
    Path log = scratch.resolve("log");
    try {
      folder.requireSeen();
      var arguments = Stream.concat(words.stream(), Stream.of("--to", to.toString())).toList();
      int exitCode = program.run(arguments, log);
      return new TaskEnd(exitCode, exitCode == 0 ? Files.readString(to) : tail(log));
    } catch (SharedFolder.UnseenException e) {
      return new TaskEnd(2, String.valueOf(e.getMessage()));
    } finally {
      Files.deleteIfExists(to);
      Files.deleteIfExists(log);
      Files.deleteIfExists(scratch);
    }
  }

  private static String tail(Path log) throws IOException {
    List<String> lines = Files.exists(log) ? Files.readAllLines(log) : List.of();
    return String.join("\n", lines.subList(Math.max(0, lines.size() - LOG_LINES), lines.size()));
  }
}
