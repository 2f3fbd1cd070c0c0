package cifvi.experiments.files;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What tells this machine from others: containers of one machine, and its kernel, are one. */
final class Machine {
  static final String ID = id();

  private Machine() {}

  private static String id() {
    try {
      return Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
    } catch (IOException _) {
      try {
        return InetAddress.getLocalHost().getHostName().replaceAll("\\s", "_");
      } catch (UnknownHostException _) {
        return "localhost";
      }
    }
  }
}
