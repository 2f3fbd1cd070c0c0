package cifvi.experiments.figures;

/** The square [-limit, limit]² that a figure shows. */
public record Frame(double limit) {
  public Frame {
    if (!(limit > 0) || Double.isInfinite(limit)) {
      throw new IllegalArgumentException("limit: expected a positive number, got " + limit);
    }
  }

  /** The paper's figures: one beyond the outermost means, so 3 for K = 9 and 4 for K = 16. */
  public static Frame ofMixture(int components) {
    return new Frame(Math.sqrt(components));
  }

  public boolean holds(double x, double y) {
    return Math.abs(x) <= limit && Math.abs(y) <= limit;
  }

  /** Where a coordinate lies between the edges, from 0 to 1. */
  public double share(double coordinate) {
    return (coordinate / limit + 1) / 2;
  }

  /** Position {@code i} of {@code size} that reach from edge to edge. */
  public double at(int i, int size) {
    return -limit + 2 * limit * i / (size - 1);
  }
}
