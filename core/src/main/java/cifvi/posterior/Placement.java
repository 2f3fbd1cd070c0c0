package cifvi.posterior;

import java.util.Locale;

/** Where the affine in u stands in a layer. */
public enum Placement {
  /**
   * G(w; u) = e^{s(u)} (g(w) + t(u)): after the flow's bijection, q sees what enters it, r what
   * leaves the affine.
   */
  PAPER,

  /**
   * As the authors' code has it: before the flow's bijection, q and r on both sides of the affine
   * alone.
   */
  RELEASED;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
