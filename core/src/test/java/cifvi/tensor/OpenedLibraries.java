package cifvi.tensor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Opens libtorch in a process of its own and prints which of JavaCPP's libraries that took. */
final class OpenedLibraries {
  private OpenedLibraries() {}

  public static void main(String[] args) throws IOException {
    try {
      Torch.load();
    } catch (DeviceException e) {
      System.out.println("refused: " + e.getMessage());
    }
    try (var maps = Files.lines(Path.of("/proc/self/maps"))) {
      maps.filter(line -> line.contains("jnijavacpp"))
          .map(line -> line.substring(line.indexOf('/')))
          .distinct()
          .forEach(System.out::println);
    }
  }
}
