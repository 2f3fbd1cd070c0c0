package cifvi.engine.internal.fused;

import cifvi.distribution.Observation;
import cifvi.engine.internal.fused.kernel.BatchKernel;
import cifvi.engine.internal.fused.kernel.DataRowsKernel;
import cifvi.engine.internal.fused.kernel.Kernel;
import cifvi.engine.internal.fused.memory.Layout;
import cifvi.engine.internal.fused.memory.Planes;
import cifvi.engine.internal.fused.memory.Tape;
import cifvi.engine.internal.fused.memory.Weights;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A compiled model from the base to the target: stretches of kernels, and between them stretches of
 * {@link Segment}s where something has no kernel, and what couples the rows of a batch.
 *
 * @param data what takes in the observed rows, if the model begins with them
 * @param planes where kernels find the observed images, if they look at them
 * @param z what the last layer gives
 * @param reversible whether kernels alone lead from z back to the base
 */
record KernelSchedule(
    Weights weights,
    Layout layout,
    List<Stage> stages,
    @Nullable DataRowsKernel data,
    @Nullable Planes planes,
    Layout.Var z,
    boolean reversible) {
  /** What the whole batch goes through before the next stage begins. */
  sealed interface Stage {}

  /** Kernels in the order of the forward pass, for one block of rows at a time. */
  record Kernels(List<Kernel> kernels) implements Stage {
    void forward(Tape tape) {
      for (int i = 0; i < kernels.size(); i++) {
        kernels.get(i).forward(tape);
      }
    }

    void backward(Tape tape) {
      for (int i = kernels.size() - 1; i >= 0; i--) {
        kernels.get(i).backward(tape);
      }
    }

    void inverse(Tape tape) {
      for (int i = kernels.size() - 1; i >= 0; i--) {
        kernels.get(i).inverse(tape);
      }
    }
  }

  /** A kernel that couples the rows of the batch. */
  record Coupled(BatchKernel kernel) implements Stage {}

  /** Segments that do not depend on each other. */
  record Segments(List<Segment> segments) implements Stage {}

  /** Takes in what a pass is about to see, while no thread runs a kernel. */
  void observe(Observation x) {
    if (data != null) {
      data.observe(x);
    }
  }

  /** The images that the kernels look at, as long as the surrounding scope is open. */
  MemorySegment images(Observation x) {
    return planes == null ? MemorySegment.NULL : Planes.images(x);
  }

  /** Shows the kernels the images of a block. */
  void show(MemorySegment images, Tape tape) {
    if (planes != null) {
      planes.write(images, tape);
    }
  }

  /** Whether kernels do all of it: a block can go forward and backward at once. */
  boolean whole() {
    return stages.size() == 1;
  }

  /** Whether libtorch runs some of it. */
  boolean segmented() {
    return stages.stream().anyMatch(Segments.class::isInstance);
  }

  /** The first stage: all of a whole schedule, the inverse of a reversible one. */
  Kernels kernels() {
    return (Kernels) stages.getFirst();
  }
}
