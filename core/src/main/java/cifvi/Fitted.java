package cifvi;

import cifvi.engine.Engines;
import cifvi.vi.Model;

/**
 * A family with its parameters, in the frame it was fitted in.
 *
 * @param score what the model's target calls, closed with it
 * @param scored whether that is the density, and not a stand-in
 */
record Fitted(
    Shape shape, Frame frame, Model model, AutoCloseable score, boolean scored, Engines.Kind engine)
    implements AutoCloseable {
  @Override
  public void close() {
    model.close();
    try {
      score.close();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
