package cifvi.engine.internal.fused;

import cifvi.distribution.Observation;
import cifvi.engine.internal.fused.kernel.BatchKernel;
import cifvi.engine.internal.fused.memory.Batch;
import cifvi.engine.internal.fused.memory.Tape;
import cifvi.tensor.Backend;
import cifvi.tensor.CounterRng;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Takes a batch through a schedule stage after stage: kernels by all threads, each on its own
 * blocks of rows; segments by libtorch, on the whole batch. Every block keeps its tape until it is
 * back.
 */
final class StagedPass {
  private final KernelSchedule schedule;
  private final Backend backend;
  private final Pool pool;
  private final float[][] gradients;
  private final List<List<Tape>> tapes = new ArrayList<>();
  private final Deque<List<LiveSegment>> live = new ArrayDeque<>();
  private Batch batch = new Batch(List.of(), 0);
  private int[] used;

  /**
   * A pass for batches of any size.
   *
   * @param gradients of the parameters, one for each thread
   */
  StagedPass(KernelSchedule schedule, Backend backend, Pool pool, float[][] gradients) {
    this.schedule = schedule;
    this.backend = backend;
    this.pool = pool;
    this.gradients = gradients;
    used = new int[pool.threads()];
    for (int part = 0; part < pool.threads(); part++) {
      tapes.add(new ArrayList<>());
    }
  }

  /**
   * From the base to the log-weights, with {@code copies} adjacent rows for every row of x.
   *
   * @param training whether the backward pass follows
   */
  Batch forward(Observation x, long copies, CounterRng rng, boolean training) {
    start(Math.toIntExact(x.rows() * copies), copies, rng);
    live.clear();
    MemorySegment images = schedule.images(x);
    pool.run(part -> own(part).forEach(tape -> schedule.show(images, tape)));
    Observation repeated = schedule.segmented() ? x.repeat(copies) : x;
    for (KernelSchedule.Stage stage : schedule.stages()) {
      switch (stage) {
        case KernelSchedule.Kernels kernels ->
            pool.run(part -> own(part).forEach(kernels::forward));
        case KernelSchedule.Coupled(BatchKernel kernel) -> {
          kernel.gather(batch);
          pool.run(part -> own(part).forEach(kernel::forward));
        }
        case KernelSchedule.Segments(List<Segment> segments) ->
            live.push(
                segments.stream()
                    .map(s -> LiveSegment.run(s, batch, backend, repeated, rng, training))
                    .toList());
      }
    }
    return batch;
  }

  /** Back to the parameters, given the gradient of the loss in the log-weight of every row. */
  void backward(float[] gradient) {
    pool.run(part -> own(part).forEach(tape -> tape.startBackward(gradient)));
    for (KernelSchedule.Stage stage : schedule.stages().reversed()) {
      switch (stage) {
        case KernelSchedule.Kernels kernels ->
            pool.run(part -> own(part).forEach(kernels::backward));
        case KernelSchedule.Coupled(BatchKernel kernel) -> {
          kernel.gatherGradients(batch);
          pool.run(part -> own(part).forEach(kernel::backward));
        }
        case KernelSchedule.Segments _ -> LiveSegment.backward(live.pop(), batch, backend);
      }
    }
  }

  private List<Tape> own(int part) {
    return tapes.get(part).subList(0, used[part]);
  }

  private void start(int rows, long copies, CounterRng rng) {
    List<Tape> all = new ArrayList<>();
    for (int part = 0; part < pool.threads(); part++) {
      int last = pool.firstRow(part + 1, rows);
      used[part] = 0;
      for (int row = pool.firstRow(part, rows); row < last; row += Tape.STRIDE) {
        Tape tape = tape(part, used[part]++);
        tape.start(rng, row, Math.min(Tape.STRIDE, last - row), copies);
        all.add(tape);
      }
    }
    batch = new Batch(all, rows);
  }

  private Tape tape(int part, int index) {
    List<Tape> own = tapes.get(part);
    if (index == own.size()) {
      own.add(new Tape(schedule.layout(), gradients[part]));
    }
    return own.get(index);
  }
}
