package cifvi.experiments.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** The processor, by the name it gives itself. */
final class Processor {
  private Processor() {}

  /** For instance {@code AMD EPYC 9654 96-Core Processor}, or {@code unknown}. */
  static String model() {
    try (Stream<String> lines = Files.lines(Path.of("/proc/cpuinfo"))) {
      return model(lines);
    } catch (IOException _) {
      return model(Stream.of()); // no Linux
    }
  }

  static String model(Stream<String> lines) {
    return lines
        .filter(line -> line.matches("model name\\s*:.*\\S.*"))
        .map(line -> line.substring(line.indexOf(':') + 1).strip().replaceAll("\\s+", " "))
        .findFirst()
        .orElse("unknown");
  }
}
