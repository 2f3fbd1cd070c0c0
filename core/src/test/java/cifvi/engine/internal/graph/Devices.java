package cifvi.engine.internal.graph;

import cifvi.engine.internal.cuda.DeviceLimits;

/** What some devices have, as their driver says. */
public final class Devices {
  public static final DeviceLimits H200 = of(132, 227);
  public static final DeviceLimits A100 = of(108, 163);
  public static final DeviceLimits RTX_4090 = of(128, 99);
  public static final DeviceLimits ORIN_NANO = of(8, 163);
  public static final DeviceLimits T4 = new DeviceLimits(40, 64 * 1024, 64 * 1024, 0, false);

  private Devices() {}

  /** One kilobyte of a multiprocessor's shared memory is the system's, for every block. */
  private static DeviceLimits of(int multiprocessors, int kilobytes) {
    return new DeviceLimits(multiprocessors, kilobytes * 1024, (kilobytes + 1) * 1024, 1024, true);
  }
}
