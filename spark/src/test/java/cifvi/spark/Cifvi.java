package cifvi.spark;

import cifvi.cli.Main;
import cifvi.cli.sweep.Child;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The command, in this process or in one of its own. */
record Cifvi(int exitCode, String out, String err) {
  /** With Spark on the class path. */
  static final String DRIVER = System.getProperty("java.class.path");

  static Cifvi run(Object... words) {
    var out = new StringWriter();
    var err = new StringWriter();
    int exitCode =
        Main.commandLine()
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true))
            .execute(words(words).toArray(String[]::new));
    return new Cifvi(exitCode, out.toString(), err.toString());
  }

  /** As the launcher starts it. */
  static Process start(String classPath, Path log, Object... words) throws IOException {
    var options = new ArrayList<>(ManagementFactory.getRuntimeMXBean().getInputArguments());
    options.add("-Dcifvi.cells=" + LocalCluster.cells());
    return Child.builder(options, classPath, words(words), log).start();
  }

  private static List<String> words(Object... words) {
    return Arrays.stream(words).map(Object::toString).toList();
  }
}
