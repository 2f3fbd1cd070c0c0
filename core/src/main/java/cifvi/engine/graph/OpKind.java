package cifvi.engine.graph;

/** The operations of a program; what each does stands beside its kernel. */
enum OpKind {
  LINEAR(0),
  DRAW(1),
  AUXILIARY(2),
  ROW(3),
  AFFINE(4),
  MASKED_AFFINE(5),
  SPLINE(6),
  PERMUTE(7),
  LOG_DET(8),
  MIXTURE(9),
  TERM(10),
  IMPORT(11),
  EXPORT(12),
  OBSERVE(13),
  PAINT(14),
  CONVOLUTION(15),
  BATCH_NORM(16),
  TRANSPOSED(17),
  BERNOULLI(18);

  /** What the kernel calls it. */
  final int code;

  OpKind(int code) {
    this.code = code;
  }

  /** Whether it looks at the observed pictures. */
  boolean observes() {
    return this == OBSERVE || this == BERNOULLI;
  }

  /** Whether the way back needs room for a gradient of y that nobody else has given one. */
  boolean scratch() {
    return this == MIXTURE;
  }

  /** Whether the gradient of y stays on the tape for the weights. */
  boolean weighted() {
    return this == LINEAR || this == ROW;
  }
}
