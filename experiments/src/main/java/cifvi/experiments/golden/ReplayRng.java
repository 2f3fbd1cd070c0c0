package cifvi.experiments.golden;

import cifvi.tensor.Backend;
import cifvi.tensor.Rng;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.bytedeco.pytorch.Tensor;

/**
 * Gives out recorded noise, {@code w0} for the base and {@code u at L<i>} for layer i, so that
 * parity is exact.
 */
record ReplayRng(
    Backend backend, Map<String, Numbers> noise, Set<String> used, String name, long firstRow)
    implements Rng {
  private static final long MOST_WITHOUT_NOISE = 100_000;

  ReplayRng(Backend backend, Map<String, Numbers> noise) {
    this(backend, noise, new HashSet<>(), "w0", 0);
  }

  /** Number of rows recorded at this address. */
  long rows() {
    return recorded().shape()[0];
  }

  /** Refuses more rows than are recorded, before anything of their size is made. */
  void requireRows(long rows) {
    long most =
        noise.values().stream()
            .mapToLong(numbers -> numbers.shape().length == 0 ? 1 : numbers.shape()[0])
            .max()
            .orElse(MOST_WITHOUT_NOISE);
    if (rows > most) {
      throw new IllegalArgumentException("noise: expected " + rows + " rows, got at most " + most);
    }
  }

  private Numbers recorded() {
    Numbers recorded = noise.get(name);
    if (recorded == null) {
      throw new IllegalArgumentException("missing noise " + name);
    }
    return recorded;
  }

  @Override
  public Tensor normal(long rows, long columns) {
    used.add(name);
    Tensor all = recorded().on(backend);
    if (all.size(0) < firstRow + rows || all.size(1) != columns) {
      throw new IllegalArgumentException(
          "noise %s: expected %d x %d numbers from row %d, got %d x %d"
              .formatted(name, rows, columns, firstRow, all.size(0), all.size(1)));
    }
    return all.narrow(0, firstRow, rows);
  }

  @Override
  public Tensor uniform(long rows, long columns) {
    throw new UnsupportedOperationException("reference files hold normal noise only");
  }

  @Override
  public ReplayRng layer(int index) {
    return new ReplayRng(backend, noise, used, "u at L" + index, firstRow);
  }

  @Override
  public ReplayRng fromRow(long row) {
    return new ReplayRng(backend, noise, used, name, row);
  }

  /** Fails where the file holds noise that the model did not use. */
  void requireAllUsed() {
    noise.keySet().stream()
        .filter(key -> !used.contains(key))
        .findFirst()
        .ifPresent(
            key -> {
              throw new IllegalArgumentException("not understood: noise " + key);
            });
  }
}
