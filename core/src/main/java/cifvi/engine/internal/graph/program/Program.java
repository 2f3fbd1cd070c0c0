package cifvi.engine.internal.graph.program;

import cifvi.bijection.BatchNorm;
import cifvi.engine.internal.graph.kernel.DecoderPass;
import cifvi.engine.internal.plan.Piece;
import cifvi.nn.LargeDecoder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;

/**
 * A compiled model: the chain, its branches, and a last stage where there are segments or branches.
 *
 * @param norms batch norms, in the order of the forward pass
 * @param barriers where rows wait for each other, likewise
 * @param late segments before the last stage
 * @param decoder the target where it is one of its own kind, likewise
 * @param starts first operation of every branch and, behind them, of the last stage
 * @param z what the last layer gives
 */
public record Program(
    OpLayout layout,
    List<Norm> norms,
    List<Barrier> barriers,
    List<Segment> late,
    Optional<Decoder> decoder,
    List<Integer> starts,
    Variable z) {
  public int branches() {
    return starts.size() - 1;
  }

  /** First operation behind the chain. */
  public int split() {
    return starts.getFirst();
  }

  /** First operation of the last stage. */
  public int last() {
    return starts.getLast();
  }

  /** Behind the last operation. */
  public int end() {
    return layout.ops().size();
  }

  /** Whether something is behind the chain that its way back waits for. */
  public boolean lastStage() {
    return !late.isEmpty() || decoder.isPresent() || branches() > 0;
  }

  /** The operation of the chain where a pass is behind the last barrier. */
  public int behindBarriers(ToIntFunction<Barrier> stage) {
    return barriers.isEmpty() ? 0 : layout.start(stage.applyAsInt(barriers.getLast()));
  }

  /** All operations but those of branches. */
  public List<Op> chainOps() {
    var ops = new ArrayList<>(layout.ops());
    ops.subList(split(), last()).clear();
    return ops;
  }

  /** The operations of every branch. */
  public List<List<Op>> branchOps() {
    return IntStream.range(0, branches())
        .mapToObj(i -> layout.ops().subList(starts.get(i), starts.get(i + 1)))
        .toList();
  }

  /**
   * A batch norm.
   *
   * @param z its output, as the next stage knows it
   * @param shared place in the prepared numbers of what all rows share, see {@code batchnorm.cuh}
   * @param shift offset of the parameter
   * @param logScale offset of the parameter
   */
  public record Norm(BatchNorm norm, Variable w, Variable z, int shared, int shift, int logScale) {
    /** Numbers that all rows share, for every feature: m, v, dshift, dlog_scale. */
    static final int SHARED = 4;
  }

  /**
   * A {@link Piece} of libtorch, from one variable of the tape to others, which lie side by side in
   * what it gives.
   */
  public record Segment(Piece piece, Variable in, List<Variable> out) {
    /** Of what it gives. */
    public int columns() {
      return out.stream().mapToInt(Variable::size).sum();
    }
  }

  /**
   * log p(x, z) of images that the large decoder makes, see {@link DecoderPass}.
   *
   * @param z for its prior
   * @param start what the decoder's linear start makes of it
   * @param out log p(x, z)
   */
  public record Decoder(LargeDecoder decoder, Variable z, Variable start, Variable out) {}
}
