package cifvi.engine.internal.graph.program;

/**
 * A linear map whose weights are trained; fields as in {@code weights.cu}.
 *
 * @param x its input
 * @param rectify whether it sees relu(x)
 * @param y its output, or what the output is a part of from column {@code from} on
 * @param weight offset of the weight, or of the strict triangle, in the flat parameters
 * @param bias offset of the bias, or -1
 * @param diagonal of an upper triangle: offset of what becomes its diagonal
 * @param prepared of an upper triangle: its place in the prepared weights
 */
public record WeightMap(
    Kind kind,
    Variable x,
    int inputs,
    boolean rectify,
    Variable y,
    int outputs,
    int from,
    int weight,
    int bias,
    int diagonal,
    int prepared) {
  static final int NONE = -1;

  /** Which entries of dy xᵀ are parameters. */
  public enum Kind {
    DENSE,
    LOWER,
    UPPER;

    /** What the kernel calls it, which is compiled with the same list. */
    @SuppressWarnings("EnumOrdinal")
    public int code() {
      return ordinal();
    }
  }

  public static WeightMap dense(
      Variable x, boolean rectify, Variable y, int outputs, int weight, int bias) {
    return new WeightMap(Kind.DENSE, x, x.size(), rectify, y, outputs, 0, weight, bias, NONE, NONE);
  }

  /** Parameters whose gradients are the sums of {@code outputs} columns of that of y. */
  static WeightMap bias(Variable y, int from, int outputs, int bias) {
    return new WeightMap(Kind.DENSE, y, 0, false, y, outputs, from, NONE, bias, NONE, NONE);
  }

  static WeightMap lower(Variable x, Variable y, int weight, int bias) {
    int d = x.size();
    return new WeightMap(Kind.LOWER, x, d, false, y, d, 0, weight, bias, NONE, NONE);
  }

  static WeightMap upper(Variable x, Variable y, int weight, int diagonal, int prepared) {
    int d = x.size();
    return new WeightMap(Kind.UPPER, x, d, false, y, d, 0, weight, NONE, diagonal, prepared);
  }

  /** The map as its kernel reads it. */
  public int[] words(OpTable table) {
    return new int[] {
      kind.code(),
      table.saved()[x.number()],
      inputs,
      rectify ? 1 : 0,
      table.gradientSaved()[y.number()],
      outputs,
      y.size(),
      from,
      weight,
      bias,
      diagonal,
      prepared
    };
  }
}
