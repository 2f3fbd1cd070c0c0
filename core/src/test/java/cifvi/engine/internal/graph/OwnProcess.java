package cifvi.engine.internal.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A JVM beside that of the tests, for what may end it. */
public final class OwnProcess {
  private OwnProcess() {}

  /** The main program of a class, with the class path and the options of this JVM and more. */
  public static ProcessBuilder of(Class<?> main, String... options) {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.addAll(List.of(options));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    var builder = new ProcessBuilder(command);
    builder.environment().put("LC_ALL", "C.UTF-8"); // by which C code prints numbers
    return builder;
  }

  /** What the process prints until it ends, which it must do with exit code 0. */
  public static String output(ProcessBuilder builder) throws IOException, InterruptedException {
    var process = builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output;
  }
}
