package cifvi.density;

import java.util.Locale;

/** The flow that a density is made of, plain or continuously indexed. */
public enum DensityFamily {
  /** Masked affine maps. */
  MAF,
  /** Autoregressive rational-quadratic splines. */
  NSF,
  /** Masked affine maps, continuously indexed. */
  CIF_MAF,
  /** Splines, continuously indexed. */
  CIF_NSF;

  /** Whether layers draw an index u, so that a density is known through a bound only. */
  public boolean indexed() {
    return this == CIF_MAF || this == CIF_NSF;
  }

  /** Whether the bijections are splines. */
  boolean splines() {
    return this == NSF || this == CIF_NSF;
  }

  /** In commands and files: {@code cif-nsf}. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
