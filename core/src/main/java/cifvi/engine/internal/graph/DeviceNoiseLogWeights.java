package cifvi.engine.internal.graph;

import cifvi.distribution.Observation;
import cifvi.engine.internal.cuda.Launcher;
import cifvi.engine.internal.graph.kernel.DeviceRng;
import cifvi.tensor.CounterRng;
import cifvi.tensor.Rng;
import cifvi.vi.LogWeights;

/** Log-weights by other means, with counter-based noise made on the device. */
record DeviceNoiseLogWeights(LogWeights logWeights, Launcher launcher) implements LogWeights {
  @Override
  public Draws draw(Observation x, long times, Rng rng) {
    return logWeights.draw(x, times, onDevice(rng));
  }

  @Override
  public double[] backward(double[] z, Observation x, long paths, Rng rng) {
    return logWeights.backward(z, x, paths, onDevice(rng));
  }

  private Rng onDevice(Rng rng) {
    return rng instanceof CounterRng counter ? new DeviceRng(launcher, counter) : rng;
  }

  @Override
  public boolean explicit() {
    return logWeights.explicit();
  }

  @Override
  public void close() {
    logWeights.close();
  }
}
