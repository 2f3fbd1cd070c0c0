package cifvi;

import java.util.Arrays;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** How often a density was called, and how often it had no answer, with the first of those. */
final class Faults {
  private static final int SHOWN = 6;

  private final LongAdder calls = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private final AtomicReference<@Nullable String> first = new AtomicReference<>();

  void called() {
    calls.increment();
  }

  /** Calls of a search, whose failures say nothing of the draws. */
  void searched(Faults search) {
    calls.add(search.calls());
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

  /** For a file. */
  SortedMap<String, String> numbers() {
    SortedMap<String, String> numbers = new TreeMap<>();
    numbers.put("calls", Long.toString(calls()));
    numbers.put("failed_calls", Long.toString(failures()));
    String text = first.get();
    if (text != null) {
      numbers.put("first_failure", text);
    }
    return numbers;
  }

  /** From {@link #numbers}. */
  void restore(SortedMap<String, String> numbers) {
    calls.reset();
    calls.add(Long.parseLong(Report.text(numbers, "calls")));
    failed.reset();
    failed.add(Long.parseLong(Report.text(numbers, "failed_calls")));
    first.set(numbers.get("first_failure"));
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
