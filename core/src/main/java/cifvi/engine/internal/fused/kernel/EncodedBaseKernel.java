package cifvi.engine.internal.fused.kernel;

import cifvi.engine.internal.fused.math.NormalRows;
import cifvi.engine.internal.fused.memory.Layout;
import cifvi.engine.internal.fused.memory.Tape;

/**
 * {@link cifvi.distribution.EncodedNormal}: w₀ drawn from the normal that the encoder gives, and
 * -log q(w₀|x).
 */
public final class EncodedBaseKernel implements Kernel {
  private static final int BASE_STREAM = 0;

  private final Net encoder;
  public final Layout.Var out;
  private final int noise;
  private final int log;

  public EncodedBaseKernel(Net encoder, Layout layout) {
    this.encoder = encoder;
    out = layout.variable(encoder.out().size() / 2);
    noise = layout.rows(out.size());
    log = layout.rows(1);
  }

  @Override
  public void forward(Tape tape) {
    encoder.forward(tape);
    tape.normals(BASE_STREAM, out.size(), noise);
    NormalRows.draw(tape.values, encoder.out(), noise, out, tape.padded);
    NormalRows.logDensity(tape.values, encoder.out(), out, log, tape.padded);
    for (int i = 0; i < tape.rows; i++) {
      tape.logWeight[i] -= tape.values[log + i];
    }
  }

  @Override
  public void backward(Tape tape) {
    NormalRows.backwardDraw(tape, encoder.out(), noise, out);
    encoder.backward(tape);
  }

  /** Adds log q(w₀|x). */
  @Override
  public void inverse(Tape tape) {
    encoder.forward(tape);
    NormalRows.logDensity(tape.values, encoder.out(), out, log, tape.padded);
    tape.addLogWeight(tape.values, log);
  }
}
