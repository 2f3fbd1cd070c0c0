package cifvi.engine.graph;

import java.util.List;

/**
 * One line of a program's table.
 *
 * @param in variables it reads
 * @param parameters as its kernel wants them
 */
record Op(OpKind kind, List<Variable> in, List<Variable> out, List<Integer> parameters) {
  static final int INPUTS = 3;
  static final int OUTPUTS = 2;
  static final int PARAMETERS = 9;

  /** Ints a line takes: kind, inputs, outputs, flags, parameters. */
  static final int WORDS = 1 + INPUTS + OUTPUTS + 1 + PARAMETERS;

  Op {
    in = List.copyOf(in);
    out = List.copyOf(out);
    parameters = List.copyOf(parameters);
  }

  static Op of(OpKind kind, List<Variable> in, List<Variable> out, Integer... parameters) {
    return new Op(kind, in, out, List.of(parameters));
  }

  /** Inputs that get a gradient: all but log q and the observed picture. */
  List<Variable> differentiable() {
    return switch (kind) {
      case AUXILIARY, CONVOLUTION -> in.subList(0, in.size() - 1);
      default -> in;
    };
  }

  /** In how many parts, one a column, it adds to the log-weight. */
  int terms() {
    return switch (kind) {
      case DRAW, AFFINE, MASKED_AFFINE, SPLINE, BATCH_NORM -> out.getFirst().size();
      case AUXILIARY -> in.get(1).size();
      case LOG_DET -> parameters.get(1);
      default -> 1;
    };
  }
}
