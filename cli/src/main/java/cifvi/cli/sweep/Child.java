package cifvi.cli.sweep;

import cifvi.experiments.sweep.Cell;
import cifvi.experiments.sweep.CellFolder;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** This very program as a process of its own: the same Java, options and classes. */
public final class Child {
  /** Which no package of a command may use. */
  private static final String MAIN = "cifvi.cli.Main";

  private static final String PARENT = "cifvi.parent";
  private static final String TERMINAL = "-Dcifvi.terminal=";

  private Child() {}

  /** Starts {@code cifvi} with these arguments; what it prints is appended to the log. */
  public static Process start(List<String> arguments, Path log) throws IOException {
    return start(arguments, log, Map.of());
  }

  /** Starts a cell, or goes on with it, with more variables in its environment. */
  public static Process start(Cell cell, CellFolder folder, Map<String, String> environment)
      throws IOException {
    return start(folder.arguments(cell), folder.log(), environment);
  }

  private static Process start(List<String> arguments, Path log, Map<String, String> environment)
      throws IOException {
    var options = new ArrayList<>(ManagementFactory.getRuntimeMXBean().getInputArguments());
    options.removeIf(
        option -> option.startsWith(TERMINAL) || option.startsWith("-D" + PARENT + "="));
    var builder = builder(options, System.getProperty("java.class.path"), arguments, log);
    builder.environment().putAll(environment);
    return builder.start();
  }

  /** This Java with other options and classes; what it prints is appended to the log. */
  public static ProcessBuilder builder(
      List<String> options, String classPath, List<String> arguments, Path log) {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.add(TERMINAL + "false");
    command.add("-D" + PARENT + "=" + ProcessHandle.current().pid());
    command.add("-cp");
    command.add(classPath);
    command.add(MAIN);
    command.addAll(arguments);
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(Redirect.appendTo(log.toFile()));
  }

  /** In a child: completes when the parent is gone, however it ended; elsewhere never. */
  public static CompletableFuture<?> orphaned() {
    Long parent = Long.getLong(PARENT);
    return parent == null
        ? new CompletableFuture<>()
        : ProcessHandle.of(parent)
            .<CompletableFuture<?>>map(ProcessHandle::onExit)
            .orElseGet(() -> CompletableFuture.completedFuture(parent));
  }
}
