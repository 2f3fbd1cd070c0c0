package cifvi.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A standalone cluster, started by the repository's script. */
record LocalCluster(Path folder, String url) {
  private static final Path SCRIPT = Path.of("../scripts/spark-local").toAbsolutePath().normalize();

  static LocalCluster start(Path folder, int workers, int cores) throws Exception {
    return start(folder, workers, cores, Map.of());
  }

  static LocalCluster start(Path folder, int workers, int cores, Map<String, String> environment)
      throws Exception {
    Files.createDirectories(folder);
    var builder =
        script("start", folder.toString(), Integer.toString(workers), Integer.toString(cores));
    builder.environment().put("CIFVI_SPARK_CLASS_PATH", read(Path.of("target/classpath.txt")));
    builder.environment().putAll(environment);
    run(builder, folder.resolve("script.log"));
    return new LocalCluster(folder, read(folder.resolve("url")).strip());
  }

  private static ProcessBuilder script(String... words) {
    var builder =
        new ProcessBuilder(
            Stream.concat(Stream.of("bash", SCRIPT.toString()), Arrays.stream(words)).toList());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().remove("SPARK_HOME");
    return builder;
  }

  private static void run(ProcessBuilder builder, Path log) throws Exception {
    Process process =
        builder.redirectErrorStream(true).redirectOutput(Redirect.appendTo(log.toFile())).start();
    assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
    assertThat(process.exitValue()).as(read(log)).isZero();
  }

  static String read(Path file) throws IOException {
    return Files.readString(file);
  }

  /** The class path of cells, as the launcher gives it. */
  static String cells() throws IOException {
    return String.join(
        File.pathSeparator,
        Path.of("target/classes").toAbsolutePath().toString(),
        Path.of("../cli/target/classes").toAbsolutePath().normalize().toString(),
        read(Path.of("../cli/target/classpath.txt")).strip());
  }

  ProcessHandle worker(int number) throws IOException {
    String pid = read(folder.resolve("worker-" + number + ".pid")).strip();
    return ProcessHandle.of(Long.parseLong(pid)).orElseThrow();
  }

  /** Executors that run now. */
  List<ProcessHandle> executors() throws IOException {
    return Stream.of(worker(1), worker(2)).flatMap(ProcessHandle::children).toList();
  }

  void stop() throws Exception {
    run(script("stop", folder.toString()), folder.resolve("script.log"));
  }
}
