package cifvi.experiments.machine;

import cifvi.experiments.files.UserException;
import java.lang.management.ManagementFactory;
import java.util.Locale;

/** Refuses what the memory of a machine cannot hold before it is asked for. */
public final class MachineMemory {
  private static final double GIB = 1L << 30;

  private MachineMemory() {}

  /** Requires room for so many of these bytes each. */
  public static void require(String option, long count, long bytes, String instead) {
    if (ManagementFactory.getOperatingSystemMXBean()
        instanceof com.sun.management.OperatingSystemMXBean system) {
      require(option, count, bytes, instead, system.getTotalMemorySize());
    }
  }

  static void require(String option, long count, long bytes, String instead, long total) {
    if (count > total / bytes) {
      throw new UserException(
          String.format(
              Locale.ROOT,
              "%s: %,d take about %.1f GiB, and this machine has %.1f: use fewer%s",
              option,
              count,
              count * bytes / GIB,
              total / GIB,
              instead));
    }
  }
}
