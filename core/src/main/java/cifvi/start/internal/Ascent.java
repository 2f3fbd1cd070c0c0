package cifvi.start.internal;

import cifvi.tensor.Precision;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One quasi-Newton ascent of log p, which asks for the points it needs and is told what is there,
 * so that many of them share a batch. Of the normals N(z, H) it comes by, H being the inverse of
 * minus the second derivatives as {@link Bfgs} knows them, it keeps the one with the best bound.
 *
 * <p>H begins with the curvature along every axis, by differences of the gradient: the units of the
 * variables do not matter.
 */
final class Ascent {
  private static final int HALVINGS = 20;
  private static final int UNIMPROVED = 15;
  private static final double CONVERGED = 1e-3; // nats

  private enum Phase {
    FIRST,
    CURVATURE,
    SEARCH,
    DONE
  }

  private final int d;
  private final int most;
  private final Precision precision;
  private final double[] noise;
  private final int draws;
  private final double[] centre;

  private Phase phase = Phase.FIRST;
  private double[] z;
  private double[] gradient;
  private double value;
  private Bfgs h;
  private int halvings;
  private int iterations;
  private int unimproved;
  private @Nullable LocalNormal best;
  private boolean drawing;
  private double[] direction = {};
  private LineSearch search = new LineSearch(0, 0);

  /**
   * @param centre towards which the start moves while there is no answer
   * @param noise of the draws that a normal is judged by, row-major
   */
  Ascent(double[] start, double[] centre, double[] noise, int most, Precision precision) {
    this.precision = precision;
    d = start.length;
    this.most = most;
    this.noise = noise;
    this.centre = centre;
    draws = noise.length / d;
    z = start.clone();
    gradient = new double[d];
    h = new Bfgs(new double[d]);
  }

  boolean done() {
    return phase == Phase.DONE;
  }

  /** The best normal; null where the density had no answer. */
  @Nullable LocalNormal best() {
    return best;
  }

  /** The points to be told about next. */
  List<double[]> ask() {
    var points = new ArrayList<double[]>();
    switch (phase) {
      case FIRST -> points.add(z);
      case CURVATURE -> {
        var curvature = new Curvature(z, gradient, precision);
        for (int i = 0; i < d; i++) {
          points.add(curvature.point(i));
        }
      }
      case SEARCH -> {
        if (drawing) {
          LocalNormal here = h.normal(z, value);
          for (int row = 0; row < draws; row++) {
            points.add(here.draw(noise, row));
          }
        }
        double[] at = z.clone();
        for (int i = 0; i < d; i++) {
          at[i] += search.length() * direction[i];
        }
        points.add(at);
      }
      case DONE -> {}
    }
    return points;
  }

  /**
   * What is at the points, row by row.
   *
   * @param logP anything but a finite number where there is no answer
   */
  void tell(double[] logP, double[] gradients, int from) {
    switch (phase) {
      case FIRST -> first(logP[from], row(gradients, from));
      case CURVATURE -> curvature(gradients, from);
      case SEARCH -> {
        int last = from;
        if (drawing) {
          judge(logP, from);
          last += draws;
        }
        if (phase != Phase.DONE) {
          search(logP[last], row(gradients, last));
        }
      }
      case DONE -> {}
    }
  }

  private double[] row(double[] gradients, int row) {
    return Arrays.copyOfRange(gradients, row * d, (row + 1) * d);
  }

  private void first(double logP, double[] slopes) {
    if (Double.isFinite(logP)) {
      value = logP;
      gradient = slopes;
      phase = Phase.CURVATURE;
      return;
    }
    for (int i = 0; i < d; i++) {
      z[i] = centre[i] + (z[i] - centre[i]) / 2;
    }
    phase = ++halvings > HALVINGS ? Phase.DONE : Phase.FIRST;
  }

  private void curvature(double[] gradients, int from) {
    h = new Bfgs(new Curvature(z, gradient, precision).sds(gradients, from));
    phase = Phase.SEARCH;
    begin();
  }

  /** A new search along H ∇ log p. */
  private void begin() {
    double[] pulled = h.pulled(gradient);
    direction = h.pushed(pulled);
    search = new LineSearch(value, Arrays.stream(pulled).map(v -> v * v).reduce(0, Double::sum));
    drawing = true;
  }

  private void judge(double[] logP, int from) {
    drawing = false;
    LocalNormal here = h.normal(z, value);
    double bound = here.bound(logP, from, noise, draws);
    if (best == null || bound > best.elbo()) {
      best = here.copy().withElbo(bound);
      unimproved = 0;
    } else if (++unimproved >= UNIMPROVED) {
      phase = Phase.DONE;
    }
    boolean converged = search.slope() < CONVERGED || !Double.isFinite(search.slope());
    if (converged || iterations >= most) {
      phase = Phase.DONE;
    }
  }

  private void search(double logP, double[] slopes) {
    double at = 0;
    for (int i = 0; i < d; i++) {
      at += slopes[i] * direction[i];
    }
    switch (search.tell(logP, at)) {
      case FOUND -> accept(logP, slopes);
      case FAILED -> phase = Phase.DONE;
      case GO_ON -> {}
    }
  }

  private void accept(double logP, double[] slopes) {
    double[] s = Arrays.stream(direction).map(v -> search.length() * v).toArray();
    h.learn(s, gradient, slopes, search.length(), search.slope());
    for (int i = 0; i < d; i++) {
      z[i] += s[i];
    }
    gradient = slopes;
    value = logP;
    iterations++;
    begin();
  }
}
