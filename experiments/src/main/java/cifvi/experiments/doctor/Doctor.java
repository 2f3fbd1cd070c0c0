package cifvi.experiments.doctor;

import cifvi.engine.Engines;
import cifvi.experiments.data.DataDirectory;
import cifvi.experiments.data.DataSet;
import cifvi.experiments.data.FileCheck;
import cifvi.tensor.DeviceException;
import cifvi.tensor.NativeCache;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Looks at everything a run needs. Nothing that is missing stops it. */
public record Doctor(Path dataDir) {
  private static final double GIB = 1024 * 1024 * 1024;

  /** In the order in which things rest on each other. */
  public List<Finding> findings() {
    var findings = new ArrayList<Finding>();
    findings.add(
        Finding.ok(
            "java",
            System.getProperty("java.vm.name")
                + " "
                + Runtime.version()
                + ", "
                + System.getProperty("java.home")));
    findings.add(vectors());
    findings.add(memory());
    findings.add(variable("OPENBLAS_NUM_THREADS", "1"));
    findings.add(variable("OMP_WAIT_POLICY", "passive"));
    findings.add(nativeCache());
    findings.addAll(new TorchCheck().findings());
    for (DataSet set : DataSet.values()) {
      findings.add(data(set));
    }
    return findings;
  }

  private static Finding vectors() {
    var bits = Engines.vectorBits();
    return bits.isPresent()
        ? Finding.ok("vectors", bits.getAsInt() + " bits, for the fused engine")
        : Finding.note(
            "vectors",
            "the module jdk.incubator.vector is not there: no fused engine",
            "start Java with --add-modules jdk.incubator.vector, as ./cifvi does");
  }

  private static Finding memory() {
    int cores = Runtime.getRuntime().availableProcessors();
    String found = cores + (cores == 1 ? " core" : " cores");
    if (ManagementFactory.getOperatingSystemMXBean()
        instanceof com.sun.management.OperatingSystemMXBean system) {
      found +=
          ", %s free of %s"
              .formatted(size(system.getFreeMemorySize()), size(system.getTotalMemorySize()));
    }
    return Finding.ok("machine", found);
  }

  /** In GiB, as {@code 138.9 GiB}. */
  static String size(long bytes) {
    return String.format(Locale.ROOT, "%.1f GiB", bytes / GIB);
  }

  private static Finding variable(String name, String value) {
    String set = System.getenv(name);
    return set == null
        ? Finding.note(
            name,
            "not set: spinning threads can slow small models tenfold",
            "start with " + name + "=" + value + ", as ./cifvi does")
        : Finding.ok(name, set);
  }

  /** Where JavaCPP keeps the libraries it takes from the jars. */
  private static Finding nativeCache() {
    try {
      Path cache = NativeCache.folder();
      if (Boolean.getBoolean("org.bytedeco.javacpp.pathsFirst")) {
        return Finding.ok("natives", "in " + System.getProperty("java.library.path"));
      }
      return Finding.ok("natives", "in %s, %s".formatted(cache, size(bytes(cache))));
    } catch (DeviceException e) {
      String[] parts =
          String.valueOf(e.getMessage()).replace("native libraries: ", "").split("; ", 2);
      return Finding.broken("natives", parts[0], parts.length == 2 ? parts[1] : "");
    } catch (IOException e) {
      return Finding.broken("natives", "cannot be read: " + e, "remove their folder");
    }
  }

  private static long bytes(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.mapToLong(file -> file.toFile().isFile() ? file.toFile().length() : 0).sum();
    }
  }

  private Finding data(DataSet set) {
    Path folder = dataDir.resolve(set.toString());
    return FileCheck.of(set, dataDir).stream()
        .filter(check -> !check.ok())
        .findFirst()
        .map(
            bad ->
                Finding.note(
                    set.toString(),
                    "in %s: %s %s".formatted(folder, bad.name(), bad.detail()),
                    DataDirectory.fetchCommand(set, dataDir)))
        .orElseGet(() -> Finding.ok(set.toString(), "in " + folder));
  }
}
