package cifvi.cli.sweep;

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

  /** Likewise, with more variables in its environment. */
  public static Process start(List<String> arguments, Path log, Map<String, String> environment)
      throws IOException {
    var builder =
        new ProcessBuilder(command(arguments))
            .redirectErrorStream(true)
            .redirectOutput(Redirect.appendTo(log.toFile()));
    builder.environment().putAll(environment);
    return builder.start();
  }

  private static List<String> command(List<String> arguments) {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(argument -> !argument.startsWith(TERMINAL) && !argument.startsWith("-D" + PARENT))
        .forEach(command::add);
    command.add(TERMINAL + "false");
    command.add("-D" + PARENT + "=" + ProcessHandle.current().pid());
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(MAIN);
    command.addAll(arguments);
    return command;
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
