package cifvi.experiments.target;

import cifvi.experiments.files.Nearest;
import cifvi.experiments.files.UserException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.OptionalInt;
import java.util.SequencedMap;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/** The densities that are known by name. */
public final class Targets {
  /**
   * How one is made.
   *
   * @param dimensions if not said otherwise
   * @param least of the dimensions that it can have; the same as {@code dimensions} where they are
   *     fixed
   */
  private record Entry(int dimensions, int least, IntFunction<KnownDensity> make) {
    static Entry fixed(int dimensions, Supplier<KnownDensity> make) {
      return new Entry(dimensions, dimensions, _ -> make.get());
    }

    boolean isFixed() {
      return dimensions == least;
    }
  }

  private static final SequencedMap<String, Entry> ENTRIES = entries();

  private Targets() {}

  private static SequencedMap<String, Entry> entries() {
    var all = new LinkedHashMap<String, Entry>();
    all.put("funnel", new Entry(10, 2, Funnel::new));
    all.put("banana", Entry.fixed(2, Banana::new));
    all.put("rings", Entry.fixed(2, Rings::new));
    all.put("mixture40", Entry.fixed(2, Mixture40::new));
    all.put("many-well", new Entry(32, 2, ManyWell::new));
    all.put("eight-schools", Entry.fixed(10, () -> new EightSchools(false)));
    all.put("eight-schools-centered", Entry.fixed(10, () -> new EightSchools(true)));
    all.put("brownian", Entry.fixed(32, Brownian::new));
    all.put("gaussian", new Entry(10, 1, Gaussian::new));
    return Collections.unmodifiableSequencedMap(all);
  }

  /** All names. */
  public static List<String> names() {
    return List.copyOf(ENTRIES.keySet());
  }

  /** The density of this name, in the dimensions that it has if nobody says otherwise. */
  public static KnownDensity of(String name) {
    return of(name, OptionalInt.empty());
  }

  /**
   * The density of this name.
   *
   * @param dimensions for those that have it in any number: funnel, many-well, gaussian
   * @throws UserException where there is none, with the names there are
   */
  public static KnownDensity of(String name, OptionalInt dimensions) {
    Entry entry = ENTRIES.get(name);
    if (entry == null) {
      throw new UserException(
          "no target is named \"%s\"%s; there are %s"
              .formatted(name, Nearest.hint(name, names()), String.join(", ", names())));
    }
    int d = dimensions.orElse(entry.dimensions());
    if (entry.isFixed() && d != entry.dimensions()) {
      throw new UserException(
          "%s has %d dimensions, not %d".formatted(name, entry.dimensions(), d));
    }
    if (d < entry.least()) {
      throw new UserException(
          "%s: expected at least %d dimensions, got %d".formatted(name, entry.least(), d));
    }
    return entry.make().apply(d);
  }
}
