package cifvi.experiments.regression;

import java.util.List;

/**
 * Between coefficients of standardised columns and those in the units of a table.
 *
 * <p>w = (α, β_1, ..., log τ) stands for z = (intercept, b_1, ..., log σ) with b_j = β_j c / s_j,
 * intercept = centre + c α - Σ b_j m_j and σ = c τ, where m_j and s_j are mean and standard
 * deviation of column j, and c is the scale of the response. An upper triangular map.
 *
 * @param withSigma whether the last number is log σ
 */
record Units(double centre, double scale, List<Column> predictors, boolean withSigma) {
  int dimensions() {
    return 1 + predictors.size() + (withSigma ? 1 : 0);
  }

  double[] toStandard(double[] z) {
    double[] w = z.clone();
    w[0] -= centre;
    for (int j = 0; j < predictors.size(); j++) {
      Column column = predictors.get(j);
      w[0] += z[1 + j] * column.mean();
      w[1 + j] *= column.sd() / scale;
    }
    w[0] /= scale;
    if (withSigma) {
      w[w.length - 1] -= Math.log(scale);
    }
    return w;
  }

  double[] toUser(double[] w) {
    double[] z = linear(w);
    z[0] += centre;
    if (withSigma) {
      z[z.length - 1] += Math.log(scale);
    }
    return z;
  }

  /** The map from w to z without its shift. */
  private double[] linear(double[] w) {
    double[] z = w.clone();
    z[0] *= scale;
    for (int j = 0; j < predictors.size(); j++) {
      Column column = predictors.get(j);
      z[1 + j] *= scale / column.sd();
      z[0] -= z[1 + j] * column.mean();
    }
    return z;
  }

  /** A matrix of columns w, row-major, as one of columns z. */
  double[] factorToUser(double[] factor) {
    int d = dimensions();
    double[] product = new double[d * d];
    for (int j = 0; j < d; j++) {
      double[] column = new double[d];
      for (int i = 0; i < d; i++) {
        column[i] = factor[i * d + j];
      }
      double[] image = linear(column);
      for (int i = 0; i < d; i++) {
        product[i * d + j] = image[i];
      }
    }
    return product;
  }

  /** Writes the gradient in z for one in w. */
  void pullBack(double[] byW, double[] byZ) {
    byZ[0] = byW[0] / scale;
    for (int j = 0; j < predictors.size(); j++) {
      Column column = predictors.get(j);
      byZ[1 + j] = (byW[1 + j] * column.sd() + byW[0] * column.mean()) / scale;
    }
    if (withSigma) {
      byZ[byZ.length - 1] = byW[byW.length - 1];
    }
  }

  /** log |det dz/dw|. */
  double logDet() {
    double sum = Math.log(scale);
    for (Column column : predictors) {
      sum += Math.log(scale) - Math.log(column.sd());
    }
    return sum;
  }
}
