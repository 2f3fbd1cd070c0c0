package cifvi.experiments.golden;

import cifvi.tensor.Backend;
import java.util.LinkedHashMap;
import java.util.Map;
import org.bytedeco.pytorch.Tensor;

/** The inputs of a single component, as leaves whose gradients are compared too. */
final class Inputs {
  private final Map<String, Tensor> tensors = new LinkedHashMap<>();
  private final Map<String, Tensor> unused = new LinkedHashMap<>();

  Inputs(GoldenFile file, Backend backend) {
    file.required("inputs")
        .forEach((name, numbers) -> tensors.put(name, numbers.on(backend).set_requires_grad(true)));
    unused.putAll(tensors);
  }

  Tensor get(String name) {
    Tensor tensor = tensors.get(name);
    if (tensor == null) {
      throw new IllegalArgumentException("missing inputs " + name);
    }
    unused.remove(name);
    return tensor;
  }

  void requireAllUsed() {
    if (!unused.isEmpty()) {
      throw new IllegalArgumentException(
          "not understood: inputs " + String.join(", ", unused.keySet()));
    }
  }

  /** Σ cotangent · value: the weight of one output in the loss. */
  Tensor weighted(String cotangent, Tensor value) {
    Tensor weights = get(cotangent);
    return weights.detach().mul(value.view(weights.shape())).sum();
  }
}
