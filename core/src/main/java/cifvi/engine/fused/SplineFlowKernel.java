package cifvi.engine.fused;

import static cifvi.engine.fused.Tape.STRIDE;

import cifvi.bijection.SplineAutoregressive;
import java.util.Arrays;

/** {@link SplineAutoregressive}: z_i = RQS(w_i; net(w_{&lt;i})), log|det| = Σ_i log dz_i/dw_i. */
final class SplineFlowKernel implements Kernel {
  private final Layout.Var in;
  private final Layout.Var out;
  private final ResidualMadeKernel made;
  private final SplineKernel spline;
  private final SplineGradient gradient;
  private final int perFeature;
  private final int raw;
  private final int kept;
  private final int dRaw;
  private final int bin;
  private final int log;

  SplineFlowKernel(SplineAutoregressive g, Layout.Var in, Weights weights, Layout layout) {
    this.in = in;
    out = layout.variable(in.size());
    spline = new SplineKernel(g.spline());
    gradient = new SplineGradient(spline);
    perFeature = g.spline().rawSize();
    var scratch = layout.kernelScratch();
    dRaw = scratch.rows(in.size() * perFeature);
    bin = scratch.rows(SplineGradient.SCRATCH);
    log = scratch.rows(1);
    made = new ResidualMadeKernel(g.made(), in, weights, layout, scratch);
    raw = layout.rows(in.size() * perFeature);
    kept = layout.rows(in.size() * SplineKernel.KEPT);
  }

  Layout.Var out() {
    return out;
  }

  @Override
  public void forward(Tape tape) {
    made.forward(tape, raw);
    Arrays.fill(tape.scratch, log, log + tape.padded, 0);
    for (int i = 0; i < in.size(); i++) {
      spline.forward(
          tape.values,
          raw(i),
          kept(i),
          in.at() + i * STRIDE,
          out.at() + i * STRIDE,
          tape.scratch,
          log,
          tape.padded);
    }
    tape.addLogWeight(tape.scratch, log);
  }

  @Override
  public void backward(Tape tape) {
    for (int i = 0; i < in.size(); i++) {
      gradient.backward(
          tape,
          raw(i),
          kept(i),
          in.at() + i * STRIDE,
          in.gradient() + i * STRIDE,
          out.gradient() + i * STRIDE,
          dRaw + i * perFeature * STRIDE,
          bin);
    }
    made.backward(tape, dRaw);
  }

  /** One pass of the network for every feature but the first, whose outputs depend on nothing. */
  @Override
  public void inverse(Tape tape) {
    Arrays.fill(tape.values, in.at(), in.at() + in.size() * STRIDE, 0);
    Arrays.fill(tape.scratch, log, log + tape.padded, 0);
    for (int i = 0; i < in.size(); i++) {
      if (i > 0) {
        made.hidden(tape);
      }
      made.outputs(tape, raw, i * perFeature, (i + 1) * perFeature);
      spline.inverse(
          tape.values,
          raw(i),
          kept(i),
          out.at() + i * STRIDE,
          in.at() + i * STRIDE,
          tape.scratch,
          log,
          tape.padded);
    }
    tape.addLogWeight(tape.scratch, log);
  }

  private int raw(int feature) {
    return raw + feature * perFeature * STRIDE;
  }

  private int kept(int feature) {
    return kept + feature * SplineKernel.KEPT * STRIDE;
  }
}
