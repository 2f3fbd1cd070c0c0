package cifvi.engine.internal.fused.math;

import java.util.ArrayList;
import java.util.List;

/**
 * A part of a masked matrix: outputs {@code from} to {@code to - 1} see none but the inputs {@code
 * first} to {@code last - 1}.
 */
public record Band(int from, int to, int first, int last) {
  /** As many outputs as a tile of {@link Gemm} has. */
  private static final int TILE = 4;

  /** Whether output j sees input i. */
  public interface Mask {
    boolean sees(int j, int i);
  }

  /**
   * Bands that together cover everything the mask lets through, outputs that see nothing left out.
   */
  public static Band[] of(int outputs, int inputs, Mask mask) {
    List<Band> bands = new ArrayList<>();
    int j = 0;
    while (j < outputs) {
      Band band = row(j, inputs, mask);
      int next = j + 1;
      while (band.first < band.last && next < Math.min(j + TILE, outputs)) {
        Band other = row(next++, inputs, mask);
        if (other.first < other.last) {
          band =
              new Band(j, next, Math.min(band.first, other.first), Math.max(band.last, other.last));
        }
      }
      band = new Band(j, next, band.first, band.last);
      if (band.first < band.last) {
        join(bands, band);
      }
      j = next;
    }
    return bands.toArray(Band[]::new);
  }

  /** What outputs {@code from} to {@code to - 1} have of it, which may be nothing. */
  public Band within(int from, int to) {
    return from <= this.from && this.to <= to
        ? this
        : new Band(Math.max(from, this.from), Math.min(to, this.to), first, last);
  }

  private static Band row(int j, int inputs, Mask mask) {
    int first = 0;
    while (first < inputs && !mask.sees(j, first)) {
      first++;
    }
    int last = inputs;
    while (last > first && !mask.sees(j, last - 1)) {
      last--;
    }
    return new Band(j, j + 1, first, last);
  }

  private static void join(List<Band> bands, Band band) {
    if (!bands.isEmpty()) {
      Band before = bands.getLast();
      if (before.to == band.from && before.first == band.first && before.last == band.last) {
        bands.set(bands.size() - 1, new Band(before.from, band.to, band.first, band.last));
        return;
      }
    }
    bands.add(band);
  }
}
