package cifvi.experiments.regression;

/** log p(responses | predictors) as a function of standardised coefficients. */
interface Likelihood {
  /**
   * The log-likelihood; its gradient is added.
   *
   * @param w the intercept at the means of the predictors, their coefficients, and log σ where
   *     there is one
   */
  double at(double[] w, double[] gradient);
}
