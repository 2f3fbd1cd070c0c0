package cifvi.engine.internal.graph;

import cifvi.distribution.Observation;
import cifvi.engine.internal.cuda.Recorder;
import cifvi.tensor.Backend;
import cifvi.tensor.Scope;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;

/** A function of an observation and a tensor without gradients, captured for one shape of both. */
final class CapturedPass implements AutoCloseable {
  /** The function; its result has the same shape every time. */
  interface Function {
    Tensor apply(Observation x, Tensor in);
  }

  private final StaticInput x;
  private final Tensor in;
  private final Tensor out;
  private final Recorder.Recording recording;

  /**
   * Captures {@code function}.
   *
   * @param out memory for the result, which this takes over
   * @throws RuntimeException where it cannot be captured
   */
  CapturedPass(Recorder recorder, Observation x, Tensor in, Tensor out, Function function) {
    this.x = StaticInput.like(x);
    this.in = Scope.keep(in.clone());
    this.out = Scope.keep(out);
    try {
      recording = recorder.record(() -> run(function));
    } catch (RuntimeException e) {
      release();
      throw e;
    }
  }

  private void run(Function function) {
    try (var _ = new PointerScope();
        var _ = new NoGradGuard()) {
      out.copy_(function.apply(x.x(), in));
    }
  }

  /** The function's result for another observation and tensor, row-major. */
  double[] apply(Observation x, Tensor in) {
    this.x.set(x);
    this.in.copy_(in);
    recording.replay();
    return Backend.doubles(out);
  }

  int kernels() {
    return recording.kernels();
  }

  private void release() {
    x.close();
    Scope.release(in);
    Scope.release(out);
  }

  @Override
  public void close() {
    recording.close();
    release();
  }
}
