package cifvi.spark;

import cifvi.cli.sweep.Child;
import cifvi.experiments.files.FolderLock;
import java.io.File;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.spark.SparkFiles;
import org.apache.spark.TaskContext;
import org.apache.spark.resource.ResourceInformation;

/**
 * {@code cifvi} on a worker: the process that the launcher would start, of the jars that Spark has
 * brought there.
 *
 * @param classPath of a worker that is this very machine; empty elsewhere
 * @param jars their names
 * @param folder where relative paths begin, if it is there
 */
record WorkerProgram(String classPath, List<String> jars, String folder) implements Serializable {
  /** As in {@code scripts/start}. */
  private static final List<String> OPTIONS =
      List.of(
          "-XX:+UseSerialGC",
          "--add-modules",
          "jdk.incubator.vector",
          "--enable-native-access=ALL-UNNAMED",
          "-Dorg.bytedeco.javacpp.maxPhysicalBytes=0");

  /** As in {@code scripts/start}, where nothing else is said. */
  private static final Map<String, String> VARIABLES =
      Map.of(
          "OPENBLAS_NUM_THREADS", "1",
          "OMP_WAIT_POLICY", "passive",
          "CUBLAS_WORKSPACE_CONFIG", ":4096:8");

  /** An attempt whose executor was killed is still saving; its machine may be lost, too. */
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  WorkerProgram {
    jars = List.copyOf(jars);
  }

  /** Runs it to its end; interrupted, it asks the process to save, and waits until it has. */
  int run(List<String> arguments, Path log) throws IOException {
    var options = new ArrayList<>(OPTIONS);
    options.add(FolderLock.patience(PATIENCE));
    ProcessBuilder builder = Child.builder(options, path(), arguments, log);
    VARIABLES.forEach((name, value) -> builder.environment().putIfAbsent(name, value));
    Map<String, ResourceInformation> resources = TaskContext.get().resourcesJMap();
    ResourceInformation gpu = resources.get("gpu");
    if (gpu != null) {
      builder.environment().put("CUDA_VISIBLE_DEVICES", String.join(",", gpu.addresses()));
    }
    if (Files.isDirectory(Path.of(folder))) {
      builder.directory(new File(folder));
    }
    return waitFor(builder.start());
  }

  private static int waitFor(Process process) {
    try {
      return process.waitFor();
    } catch (InterruptedException _) {
      process.destroy();
      try {
        if (!process.waitFor(1, TimeUnit.MINUTES)) {
          process.destroyForcibly();
        }
      } catch (InterruptedException _) {
        process.destroyForcibly();
      }
      Thread.currentThread().interrupt();
      return process.onExit().join().exitValue();
    }
  }

  /** Jars that Spark has brought lie in its folder; one that was there already is in use. */
  private String path() {
    if (!classPath.isEmpty()) {
      return classPath;
    }
    Path root = Path.of(SparkFiles.getRootDirectory()).toAbsolutePath(); // "." on workers
    if (!Files.exists(root.resolve(jars.getFirst()))) {
      return Shipment.ownJar().toString();
    }
    return String.join(
        File.pathSeparator, jars.stream().map(name -> root.resolve(name).toString()).toList());
  }
}
