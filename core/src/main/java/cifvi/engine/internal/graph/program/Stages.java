package cifvi.engine.internal.graph.program;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The operations of a program, cut into stages where all rows must have come so far before any goes
 * on. Shared memory does not outlive a stage: what a later one needs of a variable it reads from
 * the tape, and leaves its part of the gradient there. Branches are stages that run side by side,
 * so that nobody else reads what belongs to one of them.
 */
abstract class Stages {
  /** A variable in a stage that it does not belong to. */
  private record Import(Variable of, int stage, boolean differentiable) {}

  private final List<List<Op>> stages = new ArrayList<>();
  private final Set<Integer> branches = new HashSet<>();
  private final Map<Variable, Integer> stageOf = new HashMap<>();
  private final Map<Import, Variable> imports = new HashMap<>();

  /** A first stage without operations. */
  Stages() {
    stages.add(new ArrayList<>());
  }

  /** A variable with the place of another on the tape, where it is saved. */
  abstract Variable sharing(Variable of);

  /** Begins the next stage: all rows come so far before any goes on. Returns its number. */
  int cut() {
    stages.add(new ArrayList<>());
    return current();
  }

  /** Begins a stage that runs beside other branches, after all stages so far. */
  void branch() {
    branches.add(cut());
  }

  /** The number of the stage that operations are added to. */
  private int current() {
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

  /** A differentiable variable as the current stage knows it. */
  Variable here(Variable v) {
    return here(v, true);
  }

  private Variable here(Variable v, boolean differentiable) {
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
    Variable here = sharing(wanted.of);
    add(Op.of(OpKind.IMPORT, List.of(), List.of(here)), wanted.stage);
    if (wanted.differentiable) {
      export(wanted.of, here);
    }
    return here;
  }

  /**
   * Lets segments, which leave a gradient on the tape, read a variable there.
   *
   * @return the variable as they know it
   */
  Variable export(Variable v) {
    Variable leaf = sharing(v);
    export(v, leaf);
    return leaf;
  }

  /** Gives a variable the gradient that is left on the tape for another, which it is elsewhere. */
  private void export(Variable v, Variable elsewhere) {
    add(Op.of(OpKind.EXPORT, List.of(v), List.of(), elsewhere.number()), stage(v));
  }

  private int stage(Variable v) {
    return Objects.requireNonNull(stageOf.get(v));
  }

  /** How many operations stand before a stage. */
  public int start(int stage) {
    return stages.subList(0, stage).stream().mapToInt(List::size).sum();
  }

  /** All operations in the order of the forward pass. */
  public List<Op> ops() {
    return stages.stream().flatMap(List::stream).toList();
  }
}
