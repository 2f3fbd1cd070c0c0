package cifvi;

import cifvi.parameter.ParameterSpace;
import java.util.Arrays;

/** log p(f(z)) + log|det Df(z)|, f being the map from R^d to constrained values. */
record ConstrainedDensity(
    ParameterSpace parameters, Calls calls, LogDensity.ConstrainedFunction function)
    implements LogDensity {
  @Override
  public int dimensions() {
    return parameters.unconstrainedSize();
  }

  @Override
  public double at(double[] z, double[] gradient) {
    double[] x = new double[parameters.constrainedSize()];
    double[] dx = new double[x.length];
    double logJacobian = parameters.constrain(z, x);
    double logP = function.at(parameters.values(x), parameters.values(dx));
    Arrays.fill(gradient, 0);
    parameters.addGradient(z, x, dx, gradient);
    return logP + logJacobian;
  }
}
