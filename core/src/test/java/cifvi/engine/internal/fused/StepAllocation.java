package cifvi.engine.internal.fused;

import cifvi.engine.internal.fused.FusedModels.Affine;
import cifvi.engine.internal.fused.FusedModels.Case;
import cifvi.engine.internal.fused.FusedModels.Shape;
import cifvi.tensor.Backend;
import cifvi.tensor.Precision;
import cifvi.vi.Model;
import cifvi.vi.Objective;
import cifvi.vi.StepOptions;
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.OptionalDouble;

/** Bytes that a step of a small model allocates; a program that another JVM can run. */
final class StepAllocation {
  static final long MAX_BYTES_A_STEP = 1024;

  private static final int STEPS = 300;

  static final List<Case> SHAPES =
      List.of(
          Shape.mog(true, 9),
          new Affine(5, 20, false),
          new ImageShape(ImageShape.Flow.SPLINE, false, 5, 0, 1, 4));

  private StepAllocation() {}

  /** Prints the least of so many steps' means as it takes until all kernels are compiled. */
  public static void main(String[] args) {
    Case shape = SHAPES.get(Integer.parseInt(args[0]));
    var backend = Backend.cpu(Precision.FLOAT32);
    var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    try (Model model = shape.build(backend);
        var engine =
            new FusedEngine(
                model, new Objective.Elbo(), new StepOptions(OptionalDouble.of(5), 1, 1))) {
      var x = shape.x(backend, 64);
      long bytes = Long.MAX_VALUE;
      for (int round = 0; round < 150 && bytes > MAX_BYTES_A_STEP; round++) {
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < STEPS; i++) {
          engine.step((long) STEPS * round + i, 1e-4, x);
        }
        bytes = (threads.getCurrentThreadAllocatedBytes() - before) / STEPS;
      }
      System.out.println(bytes);
    }
  }
}
