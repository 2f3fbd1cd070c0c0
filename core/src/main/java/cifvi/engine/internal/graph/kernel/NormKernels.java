package cifvi.engine.internal.graph.kernel;

import cifvi.engine.internal.cuda.Launcher;
import cifvi.engine.internal.graph.program.Program;
import cifvi.nn.FlatParameters;
import org.bytedeco.pytorch.Tensor;

/** What batch norms do with the whole batch, between the launches that take single rows along. */
public record NormKernels(Launcher launcher, FlatParameters flat, TapeView tape, Tensor prepared) {
  private static final int THREADS = 128;
  private static final int SHARED_BYTES = THREADS * Double.BYTES;

  /** Mean and variance of the batch, which the layer gets to know too. */
  public void statistics(Program.Norm norm) {
    int d = norm.w().size();
    launcher.launch(
        "batch_statistics",
        d,
        THREADS,
        SHARED_BYTES,
        tape.value(norm.w()),
        tape.rows(),
        d,
        shared(norm, 0));
    norm.norm().observe(shared(norm, 0), shared(norm, 1));
  }

  /** Running averages in place of them. */
  public void averages(Program.Norm norm) {
    shared(norm, 0).copy_(norm.norm().runningMean());
    shared(norm, 1).copy_(norm.norm().runningVariance());
  }

  /**
   * The two sums of the backward pass, which are the gradients of the parameters.
   *
   * @param dLogWeight the gradient of the loss in every log-weight
   */
  public void gradients(Program.Norm norm, float dLogWeight) {
    int d = norm.w().size();
    launcher.launch(
        "batch_gradients",
        d,
        THREADS,
        SHARED_BYTES,
        tape.value(norm.w()),
        tape.gradient(norm.z()),
        tape.rows(),
        d,
        dLogWeight,
        part(flat.effective(), norm.logScale(), d),
        shared(norm, 0),
        part(flat.gradient(), norm.shift(), d),
        part(flat.gradient(), norm.logScale(), d));
  }

  /** One of the numbers that all rows share, {@code [d]}. */
  private Tensor shared(Program.Norm norm, int which) {
    int d = norm.w().size();
    return part(prepared, norm.shared() + which * d, d);
  }

  private static Tensor part(Tensor numbers, int from, int count) {
    return numbers.narrow(0, from, count);
  }
}
