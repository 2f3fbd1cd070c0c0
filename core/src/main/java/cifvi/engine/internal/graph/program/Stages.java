package cifvi.engine.internal.graph.program;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * The operations of a program, cut into stages where all rows must have come so far before any goes
 * on. Shared memory does not outlive a stage: what a later one needs of a variable it reads from
 * the tape, and leaves its part of the gradient there. Branches are stages that run side by side,
 * so that nobody else reads what belongs to one of them.
 */
final class Stages {
  /** A variable in a stage that it does not belong to. */
  private record Import(Variable of, int stage, boolean differentiable) {}

  private final List<List<Op>> stages = new ArrayList<>();
  private final Set<Integer> branches = new HashSet<>();
  private final Map<Variable, Integer> stageOf = new HashMap<>();
  private final Map<Import, Variable> imports = new HashMap<>();
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

  /** Begins a stage that runs beside other branches. */
  void branch() {
    cut();
    branches.add(current());
  }

  /** The number of the stage that operations are added to. */
  int current() {
    return stages.size() - 1;
  }

  /** Adds an operation, whose inputs may be variables of any stage that is no branch. */
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
    if (stage(v) == current()) {
      return v;
    }
    if (branches.contains(stage(v))) {
      throw new IllegalStateException(
          "variable %d of branch %d cannot be read in stage %d"
              .formatted(v.number(), stage(v), current()));
    }
    return imports.computeIfAbsent(new Import(v, current(), differentiable), this::read);
  }

  private Variable read(Import wanted) {
    Variable here = sharing.apply(wanted.of);
    add(Op.of(OpKind.IMPORT, List.of(), List.of(here)), wanted.stage);
    if (wanted.differentiable) {
      export(wanted.of, here);
    }
    return here;
  }

  /** Gives a variable the gradient that is left on the tape for another, which it is elsewhere. */
  void export(Variable v, Variable elsewhere) {
    add(Op.of(OpKind.EXPORT, List.of(v), List.of(), elsewhere.number()), stage(v));
  }

  private int stage(Variable v) {
    return Objects.requireNonNull(stageOf.get(v));
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
