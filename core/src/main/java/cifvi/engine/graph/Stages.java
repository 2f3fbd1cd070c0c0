package cifvi.engine.graph;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;

/**
 * The operations of a program, cut into stages where all rows must have come so far before any goes
 * on. Shared memory does not outlive a stage: what the next ones need of a variable they read from
 * the tape, and what it gets of a gradient there comes back on the tape, stage by stage.
 */
final class Stages {
  private final List<List<Op>> stages = new ArrayList<>();
  private final Map<Variable, Integer> stageOf = new HashMap<>();
  private final Map<Variable, Variable> successors = new HashMap<>(); // one stage later
  private final UnaryOperator<Variable> sharing;

  /**
   * A first stage without operations.
   *
   * @param sharing makes a variable with the place of another on the tape
   */
  Stages(UnaryOperator<Variable> sharing) {
    this.sharing = sharing;
    cut();
  }

  /** Begins the next stage. */
  void cut() {
    stages.add(new ArrayList<>());
  }

  /** The number of the stage that operations are added to. */
  int current() {
    return stages.size() - 1;
  }

  /** Adds an operation, whose inputs may be variables of any stage. */
  void add(Op op) {
    var in = op.in().stream().map(v -> here(v, op.differentiable().contains(v))).toList();
    add(new Op(op.kind(), in, op.out(), op.parameters()), current());
  }

  private void add(Op op, int stage) {
    stages.get(stage).add(op);
    op.out().forEach(v -> stageOf.put(v, stage));
  }

  /** A variable as the current stage knows it. */
  Variable here(Variable v, boolean differentiable) {
    Variable here = v;
    while (stage(here) < current()) {
      here = successor(here, differentiable);
    }
    return here;
  }

  private int stage(Variable v) {
    return Objects.requireNonNull(stageOf.get(v));
  }

  private Variable successor(Variable v, boolean differentiable) {
    Variable known = successors.get(v);
    if (known != null) {
      return known;
    }
    if (differentiable) {
      add(Op.of(OpKind.EXPORT, List.of(v), List.of()), stage(v));
    }
    Variable next = sharing.apply(v);
    add(Op.of(OpKind.IMPORT, List.of(), List.of(next)), stage(v) + 1);
    successors.put(v, next);
    return next;
  }

  /** How many operations stand before a stage. */
  int start(int stage) {
    return stages.subList(0, stage).stream().mapToInt(List::size).sum();
  }

  /** All operations in the order of the forward pass. */
  List<Op> ops() {
    return stages.stream().flatMap(List::stream).toList();
  }
}
