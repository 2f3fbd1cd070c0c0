package cifvi.start.internal;

import cifvi.tensor.Precision;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One quasi-Newton ascent of log p, which asks for the points it needs and is told what is there,
 * so that many of them share a batch. Of the normals N(z, H) it comes by, H = J Jᵀ being the
 * inverse of minus the second derivatives as BFGS knows them, it keeps the one with the best bound.
 *
 * <p>H begins with the curvature along every axis, by differences of the gradient: the units of the
 * variables do not matter. J is updated as a product, J ← (I - s wᵀ) J with w = ρ y - √(ρ/sᵀBs) Bs,
 * which is BFGS for H and keeps it positive; Bs is the gradient times the length of the step.
 */
final class Ascent {
  private static final int HALVINGS = 20;
  private static final int SEARCHES = 30;
  private static final int UNIMPROVED = 15;
  private static final double RISE = 1e-4;
  private static final double SLOPE = 0.9;
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
  private final double[] factor;
  private double logDet;
  private boolean scaled;
  private int iterations;
  private int unimproved;
  private @Nullable LocalNormal best;
  private boolean drawing;

  private double[] direction = {};
  private double slope;
  private double length;
  private double low;
  private double lowValue;
  private double lowSlope;
  private double high;
  private int searches;

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
    factor = new double[d * d];
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
          LocalNormal here = here();
          for (int row = 0; row < draws; row++) {
            points.add(here.draw(noise, row));
          }
        }
        double[] at = z.clone();
        for (int i = 0; i < d; i++) {
          at[i] += length * direction[i];
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

  private LocalNormal here() {
    return new LocalNormal(z, factor, logDet, value, Double.NEGATIVE_INFINITY);
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
    phase = ++searches > HALVINGS ? Phase.DONE : Phase.FIRST;
  }

  private void curvature(double[] gradients, int from) {
    double[] sds = new Curvature(z, gradient, precision).sds(gradients, from);
    for (int i = 0; i < d; i++) {
      factor[i * d + i] = sds[i];
      logDet += Math.log(sds[i]);
    }
    phase = Phase.SEARCH;
    begin();
  }

  /** A new search along H ∇ log p. */
  private void begin() {
    direction = new double[d];
    double[] pulled = pulled(gradient);
    slope = 0;
    for (int i = 0; i < d; i++) {
      for (int j = 0; j < d; j++) {
        direction[i] += factor[i * d + j] * pulled[j];
      }
      slope += pulled[i] * pulled[i];
    }
    length = 1;
    low = 0;
    lowValue = value;
    lowSlope = slope;
    high = Double.POSITIVE_INFINITY;
    searches = 0;
    drawing = true;
  }

  /** Jᵀ v. */
  private double[] pulled(double[] v) {
    double[] pulled = new double[d];
    for (int i = 0; i < d; i++) {
      for (int j = 0; j < d; j++) {
        pulled[j] += factor[i * d + j] * v[i];
      }
    }
    return pulled;
  }

  private void judge(double[] logP, int from) {
    drawing = false;
    LocalNormal here = here();
    double bound = here.bound(logP, from, noise, draws);
    if (best == null || bound > best.elbo()) {
      best = new LocalNormal(z.clone(), factor.clone(), logDet, value, bound);
      unimproved = 0;
    } else if (++unimproved >= UNIMPROVED) {
      phase = Phase.DONE;
    }
    if (slope < CONVERGED || !(slope < Double.POSITIVE_INFINITY) || iterations >= most) {
      phase = Phase.DONE;
    }
  }

  /** Brackets a length that satisfies the weak Wolfe conditions. */
  private void search(double logP, double[] slopes) {
    double at = 0;
    for (int i = 0; i < d; i++) {
      at += slopes[i] * direction[i];
    }
    boolean good = Double.isFinite(logP) && Double.isFinite(at);
    if (good && logP >= value + RISE * length * slope) {
      if (at <= SLOPE * slope || ++searches > SEARCHES) {
        accept(logP, slopes);
        return;
      }
      low = length;
      lowValue = logP;
      lowSlope = at;
      length = high < Double.POSITIVE_INFINITY ? (low + high) / 2 : 2 * length;
    } else {
      high = length;
      double width = high - low;
      double lack = lowValue + lowSlope * width - logP; // of a parabola through both
      double top = good && lack > 0 ? lowSlope * width * width / (2 * lack) : 0.1 * width;
      length = low + Math.clamp(top, 0.1 * width, 0.5 * width);
      if (++searches > SEARCHES) {
        phase = Phase.DONE;
      }
    }
  }

  private void accept(double logP, double[] slopes) {
    double[] s = new double[d];
    double[] y = new double[d];
    double product = 0;
    for (int i = 0; i < d; i++) {
      s[i] = length * direction[i];
      y[i] = gradient[i] - slopes[i];
      product += s[i] * y[i];
    }
    double sBs = length * length * slope;
    if (product > 1e-10 * sBs) {
      if (!scaled) {
        sBs = scale(y, product, sBs);
      }
      update(s, y, 1 / product, sBs);
    }
    for (int i = 0; i < d; i++) {
      z[i] += s[i];
    }
    gradient = slopes;
    value = logP;
    iterations++;
    begin();
  }

  /** Brings H, before it learns anything else, to the curvature of the first step. */
  private double scale(double[] y, double product, double sBs) {
    double yHy = 0;
    for (double v : pulled(y)) {
      yHy += v * v;
    }
    double ratio = product / yHy;
    for (int i = 0; i < d; i++) {
      for (int j = 0; j < d; j++) {
        factor[i * d + j] *= Math.sqrt(ratio);
      }
    }
    logDet += 0.5 * d * Math.log(ratio);
    scaled = true;
    gradient = gradient.clone();
    for (int i = 0; i < d; i++) {
      gradient[i] /= ratio; // so that B s stays length times it
    }
    return sBs / ratio;
  }

  private void update(double[] s, double[] y, double rho, double sBs) {
    double tau = Math.sqrt(rho / sBs);
    double[] w = new double[d];
    for (int i = 0; i < d; i++) {
      w[i] = rho * y[i] - tau * length * gradient[i];
    }
    double[] pulled = pulled(w);
    for (int i = 0; i < d; i++) {
      for (int j = 0; j < d; j++) {
        factor[i * d + j] -= s[i] * pulled[j];
      }
    }
    logDet += 0.5 * Math.log(rho * sBs);
  }
}
