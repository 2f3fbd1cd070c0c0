package cifvi.engine.internal.graph.program;

import cifvi.bijection.LuLinear;
import cifvi.nn.FlatParameters;
import cifvi.nn.Linear;
import cifvi.nn.Mlp;
import cifvi.nn.ResidualMade;
import java.util.List;
import org.bytedeco.pytorch.Tensor;
import org.jspecify.annotations.Nullable;

/** Linear maps and the networks made of them, as operations. */
public record LinearOps(FlatParameters flat, OpLayout layout) {
  /** Flags of the operation, as in {@code linear.cuh}. */
  public static final int TANH = 1;

  public static final int RELU = 2;
  public static final int PREPARED = 4;

  /** tanh between linear maps, none after the last. */
  Variable mlp(Mlp mlp, Variable in) {
    Variable h = in;
    for (Linear linear : mlp.layers()) {
      h = linear(linear, h, null, linear.equals(mlp.layers().getLast()) ? 0 : TANH);
    }
    return h;
  }

  /** Linear, residual blocks h + L₁ relu(L₀ relu(h)), linear. */
  Variable residual(ResidualMade made, Variable in) {
    Variable h = linear(made.first(), in, null, 0);
    for (ResidualMade.Block block : made.blocks()) {
      Variable inner = linear(block.linear0(), h, null, RELU);
      h = linear(block.linear1(), inner, h, RELU);
    }
    return linear(made.last(), h, null, 0);
  }

  /** f(W g(in) + b) + residual, with f = tanh and g = relu where the flags say so. */
  Variable linear(Linear linear, Variable in, @Nullable Variable residual, int flags) {
    int outputs = Math.toIntExact(linear.bias().size(0));
    int weight = offset(linear.weight());
    int bias = offset(linear.bias());
    int transposed = layout.prepared(outputs * in.size());
    layout.prepare(new PrepareJob.Transpose(weight, transposed, outputs, in.size()));
    Variable out = layout.variable(outputs);
    var inputs = residual == null ? List.of(in) : List.of(in, residual);
    layout.add(Op.of(OpKind.LINEAR, inputs, List.of(out), transposed, weight, bias, flags));
    layout.train(WeightMap.dense(in, (flags & RELU) != 0, out, outputs, weight, bias));
    return out;
  }

  /** t = U in, L t + b, and the logarithms of the diagonal of U. */
  Variable lu(LuLinear lu, Variable in) {
    int d = in.size();
    int square = d * d;
    int lowerEntries = d > 1 ? offset(lu.lower()) : 0; // an empty tensor has no place
    int upperEntries = d > 1 ? offset(lu.upper()) : 0;
    int diagonal = offset(lu.diagonal());
    int bias = offset(lu.bias());
    int lower = layout.prepared(4 * square + d); // L, Lᵀ, U, Uᵀ, log diag U
    int upper = lower + 2 * square;
    layout.prepare(new PrepareJob.Factors(diagonal, lowerEntries, upperEntries, lower, d));
    Variable t = layout.variable(d);
    Variable out = layout.variable(d);
    product(in, t, upper, WeightMap.NONE);
    product(t, out, lower, bias);
    layout.add(Op.of(OpKind.LOG_DET, List.of(), List.of(), upper + 2 * square, d));
    layout.train(WeightMap.upper(in, t, upperEntries, diagonal, upper));
    layout.train(WeightMap.lower(t, out, lowerEntries, bias));
    return out;
  }

  private void product(Variable in, Variable out, int matrix, int bias) {
    int transposed = matrix + in.size() * in.size();
    layout.add(Op.of(OpKind.LINEAR, List.of(in), List.of(out), transposed, matrix, bias, PREPARED));
  }

  private int offset(Tensor parameter) {
    return Math.toIntExact(flat.offset(parameter));
  }
}
