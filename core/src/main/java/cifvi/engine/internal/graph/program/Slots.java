package cifvi.engine.internal.graph.program;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Places in the shared memory of a block for variables that are needed during some operations only:
 * two that are never needed together may have the same.
 */
final class Slots {
  private record Interval(int number, int size, int first, int last) {
    boolean meets(Interval other) {
      return first <= other.last && other.first <= last;
    }
  }

  private record Placed(Interval interval, int at) {
    int end() {
      return at + interval.size;
    }
  }

  private final List<Interval> intervals = new ArrayList<>();

  /** A variable that is needed from operation {@code first} to operation {@code last}. */
  void need(int number, int size, int first, int last) {
    intervals.add(new Interval(number, size, first, last));
  }

  /** The places of variables 0 to {@code count - 1}, -1 where one is not needed. */
  int[] allocate(int count) {
    int[] places = new int[count];
    java.util.Arrays.fill(places, -1);
    List<Placed> placed = new ArrayList<>();
    intervals.sort(Comparator.comparingInt(Interval::first));
    for (Interval interval : intervals) {
      var neighbours =
          placed.stream()
              .filter(p -> p.interval.meets(interval))
              .sorted(Comparator.comparingInt(Placed::at))
              .toList();
      int at = 0;
      for (Placed p : neighbours) {
        if (at + interval.size <= p.at) {
          break;
        }
        at = Math.max(at, p.end());
      }
      placed.add(new Placed(interval, at));
      places[interval.number] = at;
    }
    return places;
  }
}
