package cifvi.engine.fused;

import cifvi.vi.Objective;

/**
 * What the log-weights l of a batch give for the objective, K adjacent rows belonging to one x:
 *
 * <pre>
 *   bound = log 1/K Σ_k e^{l_k},  ∂bound/∂l_k = e^{l_k} / Σ e^l
 * </pre>
 *
 * <p>With K = 1 the bound is l itself, the ELBO.
 *
 * @param sum of the bounds of all x
 * @param gradient of the loss, which is minus the mean of the bounds, in l for every row
 */
@SuppressWarnings("ArrayRecordComponent") // passed on once, never compared
record RowWeights(double sum, float[] gradient) {
  /** Whether the gradient of every row is known before its log-weight: the same for all. */
  static boolean known(Objective objective) {
    return switch (objective) {
      case Objective.Elbo() -> true;
      case Objective.Iwae(int k) -> k == 1;
    };
  }

  static RowWeights of(Batch batch, Objective objective) {
    return switch (objective) {
      case Objective.Elbo() -> of(batch, 1);
      case Objective.Iwae(int k) -> of(batch, k);
    };
  }

  private static RowWeights of(Batch batch, int k) {
    double[] l = new double[batch.rows()];
    for (Tape tape : batch.tapes()) {
      System.arraycopy(tape.logWeight, 0, l, tape.firstRow(), tape.rows);
    }
    float[] gradient = new float[l.length];
    double sum = 0;
    for (int row = 0; row < l.length; row += k) {
      double max = Double.NEGATIVE_INFINITY;
      for (int i = row; i < row + k; i++) {
        max = Math.max(max, l[i]);
      }
      double total = 0;
      for (int i = row; i < row + k; i++) {
        total += Math.exp(l[i] - max);
      }
      sum += max + Math.log(total / k);
      for (int i = row; i < row + k; i++) {
        gradient[i] = (float) (-Math.exp(l[i] - max) / total * k / l.length);
      }
    }
    return new RowWeights(sum, gradient);
  }
}
