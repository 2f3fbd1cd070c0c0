package cifvi.engine.internal.graph.kernel;

import cifvi.distribution.Observation;
import cifvi.engine.internal.cuda.Launcher;
import cifvi.engine.internal.graph.program.Op;
import cifvi.engine.internal.graph.program.Program;
import cifvi.nn.FlatParameters;
import cifvi.nn.Images;
import cifvi.tensor.Shapes;
import java.util.stream.LongStream;
import org.bytedeco.pytorch.Tensor;
import org.jspecify.annotations.Nullable;

/** Takes all rows along operations, by {@code interpreter.cuh}: one launch for some of them. */
public final class InterpreterKernel {
  private final Launcher launcher;
  private final FlatParameters flat;
  private final Program program;
  private final TapeView tape;
  private final Tensor prepared;
  private final LaunchShape chain;
  private final LaunchShape branches;
  private final Tensor words;
  private final Tensor starts;
  private final Tensor constants;
  private final Tensor arrived;

  /** Δ + log p(x, z) of every row and, behind that, the parts that branches have in it, doubles. */
  public final Tensor logWeight;

  /** log p(x, z) of every row, doubles. */
  public final Tensor logJoint;

  public InterpreterKernel(
      Launcher launcher,
      FlatParameters flat,
      Program program,
      TapeView tape,
      Tensor prepared,
      DeviceMemory memory) {
    this.launcher = launcher;
    this.flat = flat;
    this.program = program;
    this.tape = tape;
    this.prepared = prepared;
    int rows = tape.rows();
    chain = LaunchShape.chain(tape.table(), program.chainOps(), rows, launcher.limits());
    branches = LaunchShape.branches(tape.table(), program.branchOps(), rows, launcher.limits());
    words = memory.integers(tape.table().words());
    starts = memory.integers(program.starts());
    constants = memory.constants(program.layout().constants());
    arrived = memory.integers(new int[1]);
    logWeight = memory.doubles((1L + program.branches()) * rows);
    logJoint = memory.doubles(rows);
  }

  /** Replaces the integers that operations refer to, and the constants. */
  public void refresh(Tensor newWords, Tensor newConstants) {
    words.copy_(newWords);
    constants.copy_(newConstants);
  }

  /** The gradient of the loss, minus the mean, in every log-weight. */
  public float dLogWeight() {
    return -1f / tape.rows();
  }

  /** Along the chain's operations from {@code from} to {@code to - 1}. */
  public void walk(Walk walk, int from, int to, Observation x) {
    walk(walk, from, from, to, x, null);
  }

  /**
   * The same with what comes of it for a batch norm: its statistics behind a forward pass, the sums
   * of its gradients behind a backward pass.
   *
   * @param back first operation of the backward pass, which may begin behind the forward pass
   * @param norm as {@link NormKernels#batch} has it, null for none
   */
  public void walk(Walk walk, int from, int back, int to, Observation x, @Nullable Tensor norm) {
    int parts = from == 0 ? 0 : from == program.last() ? 1 + program.branches() : 1;
    launch(walk, chain, null, from, back, to, parts, x, norm);
  }

  /** Along every branch. */
  public void branches(Walk walk, Observation x) {
    if (program.branches() > 0) {
      int from = program.split();
      launch(walk, branches, starts, from, from, program.last(), 0, x, null);
    }
  }

  /**
   * One launch.
   *
   * @param starts of branches, null for the chain
   * @param parts of the log-weight that are there already
   */
  private void launch(
      Walk walk,
      LaunchShape shape,
      @Nullable Tensor starts,
      int from,
      int back,
      int to,
      int parts,
      Observation x,
      @Nullable Tensor norm) {
    launcher.launch(
        walk.kernel,
        shape.blocks(),
        shape.threads(),
        shape.sharedBytes(),
        words,
        program.layout().variables.size(),
        starts,
        from,
        back,
        to,
        parts,
        flat.effective(),
        prepared,
        constants,
        observed(x),
        tape.tape(),
        logWeight,
        logJoint,
        tape.rows(),
        shape.tile(),
        tape.table().width(),
        dLogWeight(),
        norm,
        arrived,
        flat.gradient());
  }

  /** What is observed, null where nobody looks at it. */
  private @Nullable Tensor observed(Observation x) {
    for (Op op : program.layout().ops()) {
      switch (op.kind().looks) {
        case AT_IMAGES -> {
          return observed("images", x, 1, Images.SIDE, Images.SIDE);
        }
        case AT_ROWS -> {
          return observed("rows", x, op.parameters().getFirst());
        }
        case AT_VARIABLES -> {}
      }
    }
    return null;
  }

  private Tensor observed(String what, Observation x, long... shape) {
    if (!(x instanceof Observation.Batch(Tensor data))) {
      throw new IllegalArgumentException("x: expected a batch of " + what + ", got no observation");
    }
    Shapes.require(
        "x", data, LongStream.concat(LongStream.of(tape.rows()), LongStream.of(shape)).toArray());
    Shapes.requireSameKind("x", data, flat.values());
    return data.contiguous();
  }
}
