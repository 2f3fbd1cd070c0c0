package cifvi.engine.internal.graph.program;

import cifvi.distribution.NormalBase;
import cifvi.engine.internal.graph.kernel.NoiseRegions;
import cifvi.nn.FlatParameters;
import cifvi.target.MixtureTarget;
import java.util.List;
import org.bytedeco.pytorch.Tensor;

/** Draws from normals, and their densities, as operations. */
record NormalOps(FlatParameters flat, OpLayout layout) {
  /** Mean and log-standard deviation of every row, which all have the same. */
  Variable constant(NormalBase normal) {
    int d = Math.toIntExact(normal.mean().size(0));
    boolean learntMean = flat.holds(normal.mean());
    boolean learntStd = flat.holds(normal.logStd());
    int mean = offset(normal.mean());
    int logStd = offset(normal.logStd());
    Variable both = layout.variable(2 * d);
    layout.add(
        Op.of(
            OpKind.ROW,
            List.of(),
            List.of(both),
            mean,
            logStd,
            learntMean ? 1 : 0,
            learntStd ? 1 : 0));
    if (learntMean) {
      layout.train(WeightMap.bias(both, 0, d, mean));
    }
    if (learntStd) {
      layout.train(WeightMap.bias(both, d, d, logStd));
    }
    return both;
  }

  /** Among the weights, or the constants where it is not learnt. */
  private int offset(Tensor row) {
    return flat.holds(row) ? Math.toIntExact(flat.offset(row)) : layout.constants(row);
  }

  /** The draw that a posterior begins with. */
  Variable base(Variable normal) {
    Variable w = layout.variable(normal.size() / 2);
    draw(normal, NoiseRegions.BASE_STREAM, List.of(w));
    return w;
  }

  /**
   * Draws from the normal of every row.
   *
   * @param out the draw and, where somebody else takes it into the log-weight, log q
   */
  void draw(Variable normal, int stream, List<Variable> out) {
    Variable noise = layout.noise(stream, out.getFirst().size());
    layout.add(Op.of(OpKind.DRAW, List.of(normal), out, noise.number()));
  }

  /** log r(u|z) - log q(u|w), given what r says of u. */
  void auxiliary(Variable normal, Variable u, Variable logQ) {
    layout.add(Op.of(OpKind.AUXILIARY, List.of(normal, u, logQ), List.of()));
  }

  void mixture(MixtureTarget target, Variable z) {
    int components = Math.toIntExact(target.logFactors().size(0));
    int constants = layout.constants(target.means());
    layout.constants(target.whitening());
    layout.constants(target.logFactors());
    Variable exponents = layout.variable(components);
    Variable whitened = layout.variable(components * z.size());
    layout.add(Op.of(OpKind.MIXTURE, List.of(z), List.of(exponents, whitened), constants));
  }
}
