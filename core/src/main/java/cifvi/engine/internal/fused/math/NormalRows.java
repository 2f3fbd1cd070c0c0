package cifvi.engine.internal.fused.math;

import static cifvi.engine.internal.fused.memory.Lanes.COUNT;
import static cifvi.engine.internal.fused.memory.Lanes.SPECIES;
import static cifvi.engine.internal.fused.memory.Tape.STRIDE;
import static jdk.incubator.vector.FloatVector.broadcast;
import static jdk.incubator.vector.FloatVector.fromArray;

import cifvi.engine.internal.fused.memory.Layout;
import cifvi.engine.internal.fused.memory.Tape;
import java.util.Arrays;
import jdk.incubator.vector.FloatVector;

/**
 * N(mean, diag(e^{2 logStd})) of a variable with {@code size} columns whose means and, behind them,
 * log-standard deviations are the columns of a network's output ({@link
 * cifvi.distribution.DiagonalNormal}).
 *
 * <pre>
 *   draw u = mean + e^{logStd} ε
 *   log density = Σ -e²/2 - logStd - ½ log 2π,  e = (u - mean) e^{-logStd}
 *   ∂/∂u = -e e^{-logStd},  ∂/∂mean = e e^{-logStd},  ∂/∂logStd = e² - 1
 * </pre>
 */
public final class NormalRows {
  private static final float HALF_LOG_2PI = (float) (0.5 * Math.log(2 * Math.PI));

  private NormalRows() {}

  /** u = mean + e^{logStd} ε. */
  public static void draw(float[] v, Layout.Var outputs, int noise, Layout.Var u, int rows) {
    for (int c = 0; c < u.size(); c++) {
      int mean = outputs.at() + c * STRIDE;
      drawColumn(v, mean, mean + u.size() * STRIDE, noise + c * STRIDE, u.at() + c * STRIDE, rows);
    }
  }

  private static void drawColumn(float[] v, int mean, int logStd, int noise, int u, int rows) {
    for (int s = 0; s < rows; s += COUNT) {
      FloatVector scaled =
          FloatMath.exp(fromArray(SPECIES, v, logStd + s)).mul(fromArray(SPECIES, v, noise + s));
      fromArray(SPECIES, v, mean + s).add(scaled).intoArray(v, u + s);
    }
  }

  /** Writes the log-density of u to the row {@code log}. */
  public static void logDensity(float[] v, Layout.Var outputs, Layout.Var u, int log, int rows) {
    Arrays.fill(v, log, log + rows, 0);
    for (int c = 0; c < u.size(); c++) {
      int mean = outputs.at() + c * STRIDE;
      addLogDensity(v, mean, mean + u.size() * STRIDE, u.at() + c * STRIDE, log, rows);
    }
  }

  private static void addLogDensity(float[] v, int mean, int logStd, int u, int log, int rows) {
    for (int s = 0; s < rows; s += COUNT) {
      FloatVector sd = fromArray(SPECIES, v, logStd + s);
      FloatVector e =
          fromArray(SPECIES, v, u + s)
              .sub(fromArray(SPECIES, v, mean + s))
              .mul(FloatMath.exp(sd.neg()));
      FloatVector term = e.mul(e).mul(-0.5f).sub(sd).sub(HALF_LOG_2PI);
      fromArray(SPECIES, v, log + s).add(term).intoArray(v, log + s);
    }
  }

  /** Of a draw u and of -log density(u): e is ε there, so that only logStd has a part in it. */
  public static void backwardDraw(Tape tape, Layout.Var outputs, int noise, Layout.Var u) {
    for (int c = 0; c < u.size() * STRIDE; c += STRIDE) {
      backwardDraw(tape, outputs, noise + c, u.gradient() + c, c, c + u.size() * STRIDE);
    }
  }

  private static void backwardDraw(
      Tape tape, Layout.Var outputs, int noise, int du, int mean, int logStd) {
    float[] g = tape.gradients;
    int dMean = outputs.gradient() + mean;
    int dLogStd = outputs.gradient() + logStd;
    for (int s = 0; s < tape.padded; s += COUNT) {
      FloatVector gu = fromArray(SPECIES, g, du + s);
      FloatVector scaled =
          FloatMath.exp(fromArray(SPECIES, tape.values, outputs.at() + logStd + s))
              .mul(fromArray(SPECIES, tape.values, noise + s));
      fromArray(SPECIES, g, dMean + s).add(gu).intoArray(g, dMean + s);
      FloatVector sd = gu.fma(scaled, fromArray(SPECIES, tape.dLogWeight, s));
      fromArray(SPECIES, g, dLogStd + s).add(sd).intoArray(g, dLogStd + s);
    }
  }

  /** Of log density(u) at a u that came from elsewhere. */
  public static void backwardLogDensity(Tape tape, Layout.Var outputs, Layout.Var u) {
    for (int c = 0; c < u.size() * STRIDE; c += STRIDE) {
      backwardLogDensity(tape, outputs, u, c, c + u.size() * STRIDE);
    }
  }

  private static void backwardLogDensity(
      Tape tape, Layout.Var outputs, Layout.Var of, int mean, int logStd) {
    float[] v = tape.values;
    float[] g = tape.gradients;
    int u = of.at() + mean;
    int du = of.gradient() + mean;
    int dMean = outputs.gradient() + mean;
    int dLogStd = outputs.gradient() + logStd;
    for (int s = 0; s < tape.padded; s += COUNT) {
      FloatVector perStd = FloatMath.exp(fromArray(SPECIES, v, outputs.at() + logStd + s).neg());
      FloatVector centred =
          fromArray(SPECIES, v, u + s).sub(fromArray(SPECIES, v, outputs.at() + mean + s));
      FloatVector e = centred.mul(perStd);
      FloatVector dLogWeight = fromArray(SPECIES, tape.dLogWeight, s);
      FloatVector gMean = dLogWeight.mul(e).mul(perStd);
      fromArray(SPECIES, g, du + s).sub(gMean).intoArray(g, du + s);
      fromArray(SPECIES, g, dMean + s).add(gMean).intoArray(g, dMean + s);
      FloatVector gStd = dLogWeight.mul(e.mul(e).sub(broadcast(SPECIES, 1)));
      fromArray(SPECIES, g, dLogStd + s).add(gStd).intoArray(g, dLogStd + s);
    }
  }

  /** Adds log a - log b to the log-weights, formed first: where they agree it is exactly zero. */
  public static void addDifference(Tape tape, int a, int b) {
    for (int i = 0; i < tape.rows; i++) {
      tape.logWeight[i] += tape.values[a + i] - tape.values[b + i];
    }
  }
}
