package cifvi.engine.internal.graph.program;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
    List<DeviceNorm> norms,
    List<Barrier> barriers,
    List<DeviceSegment> late,
    Optional<DecoderSegment> decoder,
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

  /** Whether the chain is all there is, and nobody looks at the whole batch. */
  public boolean single() {
    return barriers.isEmpty() && !lastStage();
  }

  public boolean lastStage() {
    return !late.isEmpty() || decoder.isPresent() || branches() > 0;
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
}
