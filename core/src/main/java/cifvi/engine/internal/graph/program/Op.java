package cifvi.engine.internal.graph.program;

import java.util.List;

/**
 * One line of a program's table.
 *
 * @param in variables it reads
 * @param parameters as its kernel wants them
 */
public record Op(OpKind kind, List<Variable> in, List<Variable> out, List<Integer> parameters) {
  static final int INPUTS = 3;
  static final int OUTPUTS = 2;
  static final int PARAMETERS = 9;

  /** Ints a line takes: kind, inputs, outputs, flags, parameters. */
  public static final int WORDS = 1 + INPUTS + OUTPUTS + 1 + PARAMETERS;

  public Op {
    in = List.copyOf(in);
    out = List.copyOf(out);
    parameters = List.copyOf(parameters);
  }

  static Op of(OpKind kind, List<Variable> in, List<Variable> out, Integer... parameters) {
    return new Op(kind, in, out, List.of(parameters));
  }

  /** Inputs that get a gradient. */
  List<Variable> differentiable() {
    return switch (kind.gradients) {
      case EVERY_INPUT -> in;
      case ALL_BUT_LAST -> in.subList(0, in.size() - 1);
    };
  }

  /** In how many parts, one a column, it adds to the log-weight. */
  int terms() {
    return switch (kind.terms) {
      case NONE -> 0;
      case OF_A_ROW -> 1;
      case OF_OUTPUTS -> out.getFirst().size();
      case OF_SECOND_INPUT -> in.get(1).size();
      case OF_PARAMETER -> parameters.get(1);
    };
  }
}
