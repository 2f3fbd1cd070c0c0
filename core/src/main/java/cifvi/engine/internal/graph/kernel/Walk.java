package cifvi.engine.internal.graph.kernel;

import cifvi.engine.internal.graph.program.Barrier;
import cifvi.engine.internal.graph.program.Op;
import cifvi.engine.internal.graph.program.OpKind;
import cifvi.engine.internal.graph.program.Program;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * The passes that one launch along operations makes. Each is a kernel of its own, compiled beside
 * the others and for what its launches meet, since compiling takes longer than in proportion to
 * what a kernel has.
 */
public enum Walk {
  /** The end of the chain where nothing is behind it, else branches and the last stage. */
  BOTH("interpret"),
  /** All operations: those of an evaluation. */
  FORWARD("interpret_forward"),
  BACKWARD("interpret_backward");

  final String kernel;

  Walk(String kernel) {
    this.kernel = kernel;
  }

  String file() {
    return kernel + ".cu";
  }

  /** The kinds of operations that launches for a program meet; none where there is no launch. */
  Set<OpKind> meets(Program program) {
    Set<OpKind> kinds = EnumSet.noneOf(OpKind.class);
    operations(program).forEach(op -> kinds.add(op.kind()));
    return kinds;
  }

  private List<Op> operations(Program program) {
    List<Op> all = program.layout().ops();
    boolean late = program.lastStage();
    return switch (this) {
      case FORWARD -> all;
      case BOTH ->
          late
              ? all.subList(program.split(), program.end())
              : all.subList(program.behindBarriers(Barrier::stage), program.split());
      case BACKWARD ->
          late || !program.barriers().isEmpty() ? all.subList(0, program.split()) : List.of();
    };
  }
}
