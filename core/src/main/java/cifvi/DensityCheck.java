package cifvi;

import cifvi.start.internal.Frame;
import cifvi.tensor.Backend;
import cifvi.tensor.CounterRng;
import cifvi.tensor.CounterRng.Purpose;
import cifvi.tensor.Precision;
import java.util.ArrayList;
import java.util.List;
import org.bytedeco.javacpp.PointerScope;

/**
 * What is looked at before the first step: whether the density has an answer anywhere, gives the
 * same one twice, and has the gradient it says, by central differences along a random direction.
 */
final class DensityCheck {
  private static final int POINTS = 64;
  private static final int TRIED = 5;
  private static final double STEP = 1e-4;
  private static final double TOLERANCE = 1e-2;

  private final DensityBatch density;
  private final Frame frame;
  private final Faults faults;
  private final long seed;

  DensityCheck(DensityBatch density, Frame frame, long seed, Faults faults) {
    this.density = density;
    this.frame = frame;
    this.seed = seed;
    this.faults = faults;
  }

  /** What is odd, one line each. */
  List<String> run() {
    int d = frame.dimensions();
    double[] v;
    try (var _ = new PointerScope()) {
      var rng = new CounterRng(Backend.cpu(Precision.FLOAT64), seed, Purpose.INITIALISE);
      v = Backend.doubles(rng.normal(POINTS + TRIED, d));
    }
    List<double[]> good = new ArrayList<>();
    for (int row = 0; row < POINTS && good.size() < TRIED; row++) {
      double[] z = frame.toZ(v, row);
      if (Double.isFinite(density.at(z, new double[d]))) {
        good.add(z);
      }
    }
    if (good.isEmpty()) {
      throw new IllegalArgumentException(
          "density: no answer at any of "
              + POINTS
              + " points around the start; try another initialPoint or initialScale. "
              + faults.summary().orElse(""));
    }
    var notes = new ArrayList<String>();
    int wrong = 0;
    String example = "";
    for (int i = 0; i < good.size(); i++) {
      double[] z = good.get(i);
      double[] gradient = new double[d];
      double value = density.at(z, gradient);
      double again = density.at(z, new double[d]);
      if (value != again && notes.isEmpty()) {
        notes.add(
            "density: two answers at z = %s, %s and %s; a fit of noise is no fit"
                .formatted(Faults.text(z), value, again));
      }
      double[] direction = frame.at(new double[d]).toZ(v, POINTS + i);
      double slope = 0;
      for (int c = 0; c < d; c++) {
        slope += gradient[c] * direction[c];
      }
      double difference = (moved(z, direction, STEP) - moved(z, direction, -STEP)) / (2 * STEP);
      if (Double.isFinite(difference)
          && Math.abs(slope - difference) > TOLERANCE * (1 + Math.abs(difference))) {
        wrong++;
        example =
            "%.6g along a direction at z = %s, differences say %.6g"
                .formatted(slope, Faults.text(z), difference);
      }
    }
    if (wrong > good.size() / 2 && notes.isEmpty()) {
      notes.add("density: the gradient looks wrong: " + example);
    }
    return notes;
  }

  private double moved(double[] z, double[] direction, double step) {
    double[] at = z.clone();
    for (int c = 0; c < at.length; c++) {
      at[c] += step * direction[c];
    }
    return density.at(at, new double[at.length]);
  }
}
