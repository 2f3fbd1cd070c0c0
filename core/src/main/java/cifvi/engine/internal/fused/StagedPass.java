package cifvi.engine.internal.fused;

import cifvi.distribution.Observation;
import cifvi.engine.internal.fused.kernel.BatchKernel;
import cifvi.engine.internal.fused.memory.Batch;
import cifvi.engine.internal.fused.memory.Planes;
import cifvi.engine.internal.fused.memory.Rows;
import cifvi.engine.internal.fused.memory.Tape;
import cifvi.tensor.Backend;
import cifvi.tensor.CounterRng;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Takes a batch through a program stage after stage: kernels by all threads, each on its own blocks
 * of rows; segments by libtorch, on the whole batch. Every block keeps its tape until it is back.
 */
final class StagedPass {
  private final Program program;
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
  StagedPass(Program program, Backend backend, Pool pool, float[][] gradients) {
    this.program = program;
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
   * @param learn whether the way back follows
   */
  Batch forward(Observation x, long copies, CounterRng rng, boolean learn) {
    start(Math.toIntExact(x.rows() * copies), copies, rng);
    live.clear();
    Planes planes = program.planes();
    if (planes != null) {
      MemorySegment pictures = Planes.pictures(x);
      pool.run(part -> own(part).forEach(tape -> planes.write(pictures, tape)));
    }
    Observation repeated = x.repeat(copies);
    for (Program.Stage stage : program.stages()) {
      switch (stage) {
        case Program.Kernels kernels -> pool.run(part -> own(part).forEach(kernels::forward));
        case Program.Coupled(BatchKernel kernel) -> {
          kernel.gather(batch);
          pool.run(part -> own(part).forEach(kernel::forward));
        }
        case Program.Segments(List<Segment> segments) ->
            live.push(
                segments.stream()
                    .map(s -> LiveSegment.run(s, batch, backend, repeated, rng, learn))
                    .toList());
      }
    }
    return batch;
  }

  /** Back to the parameters, given the gradient of the loss in the log-weight of every row. */
  void backward(float[] gradient) {
    pool.run(part -> own(part).forEach(tape -> tape.startBackward(gradient)));
    for (Program.Stage stage : program.stages().reversed()) {
      switch (stage) {
        case Program.Kernels kernels -> pool.run(part -> own(part).forEach(kernels::backward));
        case Program.Coupled(BatchKernel kernel) -> {
          kernel.gatherGradients(batch);
          pool.run(part -> own(part).forEach(kernel::backward));
        }
        case Program.Segments _ -> LiveSegment.backward(live.pop(), batch, backend);
      }
    }
  }

  private List<Tape> own(int part) {
    return tapes.get(part).subList(0, used[part]);
  }

  private void start(int rows, long copies, CounterRng rng) {
    var split = new Rows(rows, pool.threads());
    List<Tape> all = new ArrayList<>();
    for (int part = 0; part < pool.threads(); part++) {
      int last = split.first(part + 1);
      used[part] = 0;
      for (int row = split.first(part); row < last; row += Tape.STRIDE) {
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
      own.add(new Tape(program.layout(), gradients[part]));
    }
    return own.get(index);
  }
}
