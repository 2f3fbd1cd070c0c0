package cifvi.engine.internal.fused.kernel;

import static cifvi.engine.internal.fused.memory.Tape.STRIDE;

import cifvi.engine.internal.fused.memory.Batch;
import cifvi.engine.internal.fused.memory.Layout;
import cifvi.engine.internal.fused.memory.Tape;
import cifvi.target.HostTarget;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * log p(z) and its gradient g by somebody's Java code, called once for the batch:
 *
 * <pre>
 *   l += log p(z),  dz += g dl
 * </pre>
 */
public final class HostScoreKernel implements BatchKernel {
  private final HostTarget target;
  private final Layout.Var z;
  private final boolean training;
  private double[] points = {};
  private double[] logP = {};
  private double @Nullable [] slopes;

  /**
   * The score of z.
   *
   * @param training whether the backward pass follows, which needs gradients
   */
  public HostScoreKernel(HostTarget target, Layout.Var z, boolean training) {
    this.target = target;
    this.z = z;
    this.training = training;
  }

  @Override
  public void gather(Batch batch) {
    int d = z.size();
    if (logP.length != batch.rows()) {
      logP = new double[batch.rows()];
      points = new double[batch.rows() * d];
      slopes = training ? new double[points.length] : null;
    }
    for (Tape tape : batch.tapes()) {
      for (int c = 0; c < d; c++) {
        for (int i = 0; i < tape.rows; i++) {
          points[(tape.firstRow() + i) * d + c] = tape.values[z.at() + c * STRIDE + i];
        }
      }
    }
    target.densities().evaluate(points, logP, slopes);
  }

  @Override
  public void forward(Tape tape) {
    for (int i = 0; i < tape.rows; i++) {
      tape.logJoint[i] = logP[tape.firstRow() + i];
      tape.logWeight[i] += tape.logJoint[i];
    }
  }

  @Override
  public void gatherGradients(Batch batch) {}

  @Override
  public void backward(Tape tape) {
    int d = z.size();
    double[] g = Objects.requireNonNull(slopes);
    for (int c = 0; c < d; c++) {
      int at = z.gradient() + c * STRIDE;
      for (int i = 0; i < tape.rows; i++) {
        tape.gradients[at + i] += (float) g[(tape.firstRow() + i) * d + c] * tape.dLogWeight[i];
      }
    }
  }

  /** A path from z back to the base does not meet the target. */
  @Override
  public void inverse(Tape tape) {
    throw new IllegalStateException("a target has no inverse");
  }
}
