package cifvi.testing;

import static java.util.Objects.requireNonNull;

import cifvi.nn.FlatParameters;
import cifvi.nn.Parameters;
import cifvi.tensor.Backend;
import cifvi.tensor.CounterRng;
import cifvi.tensor.CounterRng.Purpose;
import cifvi.tensor.Scalars;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.bytedeco.pytorch.BoolOptional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;

/** Inputs, gradients and Jacobians for tests. */
public final class Tensors {
  private Tensors() {}

  /** Seeded standard normals, {@code [rows, columns]}. */
  public static Tensor normal(Backend backend, long seed, long rows, long columns) {
    return new CounterRng(backend, seed, Purpose.SAMPLE).normal(rows, columns);
  }

  /** The tensor of this name, which must be there. */
  public static Tensor get(Map<String, Tensor> tensors, String name) {
    return requireNonNull(tensors.get(name), name);
  }

  /** A copy that collects a gradient. */
  public static Tensor leaf(Tensor tensor) {
    return tensor.detach().clone().set_requires_grad(true);
  }

  /** d f(w) / d w for every row, {@code [batch, out, in]}; rows of f must be independent. */
  public static Tensor jacobian(UnaryOperator<Tensor> f, Tensor w) {
    Tensor leaf = leaf(w);
    Tensor y = f.apply(leaf);
    var rows = new TensorVector();
    for (long i = 0; i < y.size(1); i++) {
      rows.push_back(gradient(y.select(1, i).sum(), leaf));
    }
    return torch.stack(rows, 1);
  }

  /** d sum / d leaf; 0 where there is no dependence. The graph is kept for another call. */
  public static Tensor gradient(Tensor sum, Tensor leaf) {
    if (!sum.requires_grad()) {
      return leaf.detach().new_zeros(leaf.shape());
    }
    Tensor gradient =
        torch
            .grad(
                new TensorVector(sum),
                new TensorVector(leaf),
                new TensorVector(),
                new BoolOptional(true),
                false,
                true)
            .get(0);
    return gradient.defined() ? gradient : leaf.detach().new_zeros(leaf.shape());
  }

  /** Moves every trainable number by noise of this size, so that no start value stays special. */
  public static void jitter(Parameters parameters, long seed, double size) {
    FlatParameters flat = parameters.flat();
    var rng = new CounterRng(parameters.backend(), seed, Purpose.FIGURE);
    flat.update(
        () -> {
          for (String name : parameters.names()) {
            Tensor values = flat.view(flat.values(), name);
            Tensor noise = rng.fromRow(flat.slices().get(name).offset()).normal(values.numel(), 1);
            values.add_(noise.view(values.shape()), Scalars.of(size));
          }
        });
  }

  /**
   * The gradient of every entry of a parameter that takes part in the model; a masked entry is 0
   * among the effective ones.
   */
  public static Tensor usedGradient(Parameters parameters, String name) {
    FlatParameters flat = parameters.flat();
    Tensor used = flat.view(flat.effective(), name).ne(Scalars.of(0));
    return flat.view(flat.gradient(), name).masked_select(used);
  }
}
