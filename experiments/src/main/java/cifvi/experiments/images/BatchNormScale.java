package cifvi.experiments.images;

import cifvi.vi.FreeScale;
import java.util.Locale;

/**
 * What becomes of the {@link FreeScale} before batch norms: divided out after every epoch, or left
 * alone.
 */
public enum BatchNormScale {
  DIVIDED,
  FREE;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
