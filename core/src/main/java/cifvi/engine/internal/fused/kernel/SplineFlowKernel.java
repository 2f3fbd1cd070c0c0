package cifvi.engine.internal.fused.kernel;

import static cifvi.engine.internal.fused.memory.Tape.STRIDE;

import cifvi.bijection.SplineAutoregressive;
import cifvi.engine.internal.fused.math.SplineGradient;
import cifvi.engine.internal.fused.math.SplineKernel;
import cifvi.engine.internal.fused.memory.Layout;
import cifvi.engine.internal.fused.memory.Tape;
import cifvi.engine.internal.fused.memory.Weights;
import cifvi.nn.Conditioner;
import java.util.Arrays;

/**
 * {@link SplineAutoregressive}: z_i = RQS(w_i; net(w_{&lt;i})), log|det| = Σ_i log dz_i/dw_i. The
 * spline of the first feature is the same for all rows.
 */
public final class SplineFlowKernel implements Kernel {
  private final Layout.Var in;
  public final Layout.Var out;
  private final Conditioner conditioner;
  private final ResidualMadeKernel made;
  private final SplineKernel[] splines;
  private final SplineGradient[] gradients;
  private final int perFeature;
  private final int raw;
  private final int dRaw;
  private final int log;

  public SplineFlowKernel(SplineAutoregressive g, Layout.Var in, Weights weights, Layout layout) {
    this.in = in;
    out = layout.variable(in.size());
    conditioner = g.made().conditioner();
    perFeature = g.spline().rawSize();
    var scratch = layout.kernelScratch();
    dRaw = scratch.rows(in.size() * perFeature);
    log = scratch.rows(2);
    int bin = scratch.rows(SplineGradient.SCRATCH);
    made = new ResidualMadeKernel(g.made(), in, weights, layout, scratch);
    raw = layout.rows(in.size() * perFeature);
    splines = new SplineKernel[in.size()];
    gradients = new SplineGradient[in.size()];
    for (int i = 0; i < splines.length; i++) {
      int column = i * STRIDE;
      int own = raw + perFeature * column;
      int dOwn = dRaw + perFeature * column;
      int saved = layout.rows(SplineKernel.SAVED);
      int x = in.at() + column;
      int dx = in.gradient() + column;
      int dz = out.gradient() + column;
      splines[i] = new SplineKernel(g.spline(), own, saved, x, out.at() + column, log, i == 0);
      gradients[i] = new SplineGradient(splines[i], own, saved, x, dx, dz, dOwn, bin);
    }
  }

  @Override
  public void forward(Tape tape) {
    made.forward(tape, raw);
    Arrays.fill(tape.scratch, log, log + tape.padded, 0);
    for (SplineKernel spline : splines) {
      spline.forward(tape);
    }
    tape.addLogWeight(tape.scratch, log);
  }

  @Override
  public void backward(Tape tape) {
    for (SplineGradient gradient : gradients) {
      gradient.backward(tape);
    }
    made.backward(tape, dRaw);
  }

  /**
   * One pass of the network for every group of features but the first, whose outputs depend on
   * nothing.
   */
  @Override
  public void inverse(Tape tape) {
    Arrays.fill(tape.values, in.at(), in.at() + in.size() * STRIDE, 0);
    Arrays.fill(tape.scratch, log, log + tape.padded, 0);
    for (int i = 0; i < splines.length; i++) {
      if (i > 0 && conditioner.end(i - 1, splines.length) == i) {
        made.hidden(tape);
      }
      made.outputs(tape, raw, i * perFeature, (i + 1) * perFeature);
      splines[i].inverse(tape);
    }
    tape.addLogWeight(tape.scratch, log);
  }
}
