package cifvi.bench;

import cifvi.bijection.SplineAutoregressive;
import cifvi.nn.Parameters;
import cifvi.tensor.Backend;
import cifvi.tensor.CounterRng;
import cifvi.tensor.CounterRng.Purpose;
import cifvi.tensor.Precision;
import java.util.concurrent.TimeUnit;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** One spline flow step of the mixture model, both directions, without gradients. */
@State(org.openjdk.jmh.annotations.Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class SplineBenchmark {
  @Param({"1000", "8000"})
  int rows;

  private Parameters parameters;
  private SplineAutoregressive nsf;
  private Tensor w;

  @Setup
  public void setUp() {
    var backend = Backend.cpu(Precision.FLOAT32);
    parameters = new Parameters(backend, 1);
    nsf = new SplineAutoregressive(parameters, 2, SplineAutoregressive.Options.paper(32));
    w = cifvi.tensor.Scope.keep(new CounterRng(backend, 1, Purpose.SAMPLE).normal(rows, 2));
  }

  @TearDown
  public void tearDown() {
    cifvi.tensor.Scope.release(w);
    parameters.close();
  }

  @Benchmark
  public long forward() {
    try (var _ = new PointerScope();
        var _ = new NoGradGuard()) {
      return nsf.forward(w).value().numel();
    }
  }

  @Benchmark
  public long inverse() {
    try (var _ = new PointerScope();
        var _ = new NoGradGuard()) {
      return nsf.inverse(w).value().numel();
    }
  }
}
