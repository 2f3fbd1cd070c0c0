package cifvi.bench;

import cifvi.engine.internal.fused.math.Band;
import cifvi.engine.internal.fused.math.Gemm;
import cifvi.engine.internal.fused.math.Softmax;
import cifvi.engine.internal.fused.math.WeightGradient;
import cifvi.engine.internal.fused.memory.Layout;
import cifvi.engine.internal.fused.memory.Tape;
import cifvi.tensor.Backend;
import cifvi.tensor.CounterRng;
import cifvi.tensor.CounterRng.Purpose;
import cifvi.tensor.Precision;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** The kernels of the fused engine on one full block of rows. */
@State(org.openjdk.jmh.annotations.Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(value = 1, jvmArgsAppend = "--add-modules=jdk.incubator.vector")
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class KernelBenchmark {
  /** Inputs and outputs of a linear map. */
  @Param({"10", "32"})
  int width;

  private final float[] weights = new float[64 * 64];
  private Tape tape;
  private CounterRng rng;
  private Band[] whole;

  @Setup
  public void setUp() {
    whole = Band.of(width, width, (_, _) -> true);
    var layout = new Layout();
    layout.rows(128);
    layout.kernelScratch().rows(64);
    tape = new Tape(layout, new float[64 * 64]);
    Arrays.fill(weights, 0.1f);
    Arrays.fill(tape.values, 0.3f);
    rng = new CounterRng(Backend.cpu(Precision.FLOAT32), 1, Purpose.TRAIN);
    tape.start(rng, 0, Tape.STRIDE, 1);
  }

  @Benchmark
  public void product() {
    int to = 64 * Tape.STRIDE;
    for (Band band : whole) {
      Gemm.add(weights, 0, width, band, tape.values, 0, tape.values, to, tape.padded);
    }
  }

  @Benchmark
  public void weightGradient() {
    WeightGradient.add(
        tape,
        tape.parameterGradient,
        0,
        width,
        whole,
        tape.values,
        0,
        tape.values,
        64 * Tape.STRIDE,
        0);
  }

  @Benchmark
  public void softmax() {
    Softmax.run(tape.values, 0, width, tape.padded);
  }

  @Benchmark
  public void normals() {
    tape.normals(1, 1, 0);
  }
}
