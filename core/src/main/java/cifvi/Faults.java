package cifvi;

import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;

/** How often a density was called, and how often it had no answer, with the first of those. */
final class Faults {
  private static final int SHOWN = 6;

  private final LongAdder calls = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private final AtomicReference<String> first = new AtomicReference<>();

  void called() {
    calls.increment();
  }

  void failed(double[] z, String why) {
    failed.increment();
    if (first.get() == null) {
      first.compareAndSet(null, why + " at z = " + text(z));
    }
  }

  long calls() {
    return calls.sum();
  }

  long failures() {
    return failed.sum();
  }

  /** One line, where something failed. */
  Optional<String> summary() {
    return failures() == 0
        ? Optional.empty()
        : Optional.of(
            "the density had no answer in %,d of %,d calls, which count for nothing; first: %s"
                .formatted(failures(), calls(), first.get()));
  }

  /** A point, cut short where it has many dimensions. */
  static String text(double[] z) {
    if (z.length <= SHOWN) {
      return Arrays.toString(z);
    }
    String some = Arrays.toString(Arrays.copyOf(z, SHOWN));
    return some.substring(0, some.length() - 1) + ", … " + z.length + " numbers]";
  }
}
