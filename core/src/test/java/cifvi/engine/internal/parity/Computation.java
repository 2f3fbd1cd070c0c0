package cifvi.engine.internal.parity;

import cifvi.tensor.Rng;
import cifvi.vi.Model;
import java.util.SequencedMap;

/** What is judged, as the model's own code computes it: numbers by name. */
public interface Computation {
  SequencedMap<String, double[]> of(Model model, Rng noise);
}
