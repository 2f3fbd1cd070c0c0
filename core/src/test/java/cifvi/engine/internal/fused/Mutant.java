package cifvi.engine.internal.fused;

import static cifvi.engine.internal.fused.memory.Tape.STRIDE;

import cifvi.engine.internal.fused.decoder.LargeDecoderKernel;
import cifvi.engine.internal.fused.decoder.SmallDecoderKernel;
import cifvi.engine.internal.fused.kernel.AffineKernel;
import cifvi.engine.internal.fused.kernel.AuxiliaryKernel;
import cifvi.engine.internal.fused.kernel.BatchKernel;
import cifvi.engine.internal.fused.kernel.BatchNormKernel;
import cifvi.engine.internal.fused.kernel.DataRowsKernel;
import cifvi.engine.internal.fused.kernel.EncodedBaseKernel;
import cifvi.engine.internal.fused.kernel.HostScoreKernel;
import cifvi.engine.internal.fused.kernel.IndexKernel;
import cifvi.engine.internal.fused.kernel.Kernel;
import cifvi.engine.internal.fused.kernel.LuKernel;
import cifvi.engine.internal.fused.kernel.MixtureKernel;
import cifvi.engine.internal.fused.kernel.NormalBaseKernel;
import cifvi.engine.internal.fused.kernel.PermutationKernel;
import cifvi.engine.internal.fused.kernel.SinhArcsinhKernel;
import cifvi.engine.internal.fused.kernel.SplineFlowKernel;
import cifvi.engine.internal.fused.kernel.TermKernel;
import cifvi.engine.internal.fused.memory.Batch;
import cifvi.engine.internal.fused.memory.Layout;
import cifvi.engine.internal.fused.memory.Tape;
import java.util.List;
import java.util.function.Predicate;

/**
 * A kernel with a part of what it computes made wrong by one part in 10⁵: added numbers where it
 * adds, written ones where it writes.
 */
final class Mutant implements BatchKernel {
  private static final double WRONG = 1 + 1e-5;

  /** What is wrong. */
  enum Part {
    OUTPUT,
    LOG_WEIGHT,
    INPUT_GRADIENT,
    PARAMETER_GRADIENT,
    INVERSE,
    INVERSE_LOG_WEIGHT
  }

  private final Kernel kernel;
  private final Part part;
  private final Range parameters;

  /** Places of the flat gradient. */
  record Range(long from, long to) {
    static final Range ALL = new Range(0, Long.MAX_VALUE);
  }

  private Mutant(Kernel kernel, Part part, Range parameters) {
    this.kernel = kernel;
    this.part = part;
    this.parameters = parameters;
  }

  /** The schedule with a part of all such kernels wrong. */
  static KernelSchedule of(
      KernelSchedule schedule, Predicate<Kernel> which, Part part, Range parameters) {
    List<KernelSchedule.Stage> stages =
        schedule.stages().stream().map(stage -> of(stage, which, part, parameters)).toList();
    return new KernelSchedule(
        schedule.weights(),
        schedule.layout(),
        stages,
        schedule.data(),
        schedule.planes(),
        schedule.z(),
        schedule.reversible());
  }

  private static KernelSchedule.Stage of(
      KernelSchedule.Stage stage, Predicate<Kernel> which, Part part, Range parameters) {
    return switch (stage) {
      case KernelSchedule.Kernels(List<Kernel> kernels) ->
          new KernelSchedule.Kernels(
              kernels.stream()
                  .map(k -> which.test(k) ? new Mutant(k, part, parameters) : k)
                  .toList());
      case KernelSchedule.Coupled(BatchKernel kernel) when which.test(kernel) ->
          new KernelSchedule.Coupled(new Mutant(kernel, part, parameters));
      case KernelSchedule.Coupled _, KernelSchedule.Segments _ -> stage;
    };
  }

  @Override
  public void forward(Tape tape) {
    double[] before = tape.logWeight.clone();
    kernel.forward(tape);
    if (part == Part.LOG_WEIGHT) {
      spoil(tape.logWeight, before);
    } else if (part == Part.OUTPUT) {
      outputs(kernel).forEach(out -> spoil(tape.values, out.at(), out.size() * STRIDE));
    }
  }

  @Override
  public void backward(Tape tape) {
    float[] gradients = tape.gradients.clone();
    float[] parameterGradient = tape.parameterGradient.clone();
    kernel.backward(tape);
    if (part == Part.INPUT_GRADIENT) {
      spoil(tape.gradients, gradients, Range.ALL);
    } else if (part == Part.PARAMETER_GRADIENT) {
      spoil(tape.parameterGradient, parameterGradient, parameters);
    }
  }

  @Override
  public void inverse(Tape tape) {
    double[] logWeight = tape.logWeight.clone();
    float[] values = tape.values.clone();
    kernel.inverse(tape);
    if (part == Part.INVERSE_LOG_WEIGHT) {
      spoil(tape.logWeight, logWeight);
    } else if (part == Part.INVERSE) {
      for (int i = 0; i < values.length; i++) {
        if (tape.values[i] != values[i]) {
          spoil(tape.values, i, 1);
        }
      }
    }
  }

  @Override
  public void gather(Batch batch) {
    ((BatchKernel) kernel).gather(batch);
  }

  @Override
  public void gatherGradients(Batch batch) {
    float[] gradient = batch.tapes().getFirst().parameterGradient;
    float[] before = gradient.clone();
    ((BatchKernel) kernel).gatherGradients(batch);
    if (part == Part.PARAMETER_GRADIENT) {
      spoil(gradient, before, parameters);
    }
  }

  /** What those after a kernel read; fails for a kernel that nobody has thought of. */
  static List<Layout.Var> outputs(Kernel kernel) {
    return switch (kernel) {
      case NormalBaseKernel k -> List.of(k.out);
      case DataRowsKernel k -> List.of(k.out);
      case EncodedBaseKernel k -> List.of(k.out);
      case IndexKernel k -> List.of(k.index().u(), new Layout.Var(k.index().logQ(), 0, 1));
      case AffineKernel k -> List.of(k.out);
      case SplineFlowKernel k -> List.of(k.out);
      case LuKernel k -> List.of(k.out);
      case SinhArcsinhKernel k -> List.of(k.out);
      case PermutationKernel k -> List.of(k.out);
      case BatchNormKernel k -> List.of(k.out);
      case AuxiliaryKernel _, TermKernel _ -> List.of(); // log-weights alone
      case MixtureKernel _, HostScoreKernel _ -> List.of();
      case SmallDecoderKernel _, LargeDecoderKernel _ -> List.of();
      default -> throw new IllegalArgumentException("outputs of " + kernel.getClass());
    };
  }

  static void spoil(float[] values, Range range) {
    spoil(values, (int) range.from, (int) (range.to - range.from));
  }

  private static void spoil(float[] values, int at, int count) {
    for (int i = at; i < at + count; i++) {
      values[i] = (float) (values[i] * WRONG);
    }
  }

  private static void spoil(double[] sums, double[] before) {
    for (int i = 0; i < sums.length; i++) {
      sums[i] = before[i] + (sums[i] - before[i]) * WRONG;
    }
  }

  private static void spoil(float[] sums, float[] before, Range range) {
    for (int i = (int) range.from; i < Math.min(range.to, sums.length); i++) {
      sums[i] = (float) (before[i] + ((double) sums[i] - before[i]) * WRONG);
    }
  }
}
