package cifvi.experiments.figures;

import java.util.List;

/**
 * The way of draws from the base to z.
 *
 * @param stages the base draw, then w after every step of the flow; the last is z
 * @param indices u of every continuously-indexed layer, in order, one for each draw; none for a
 *     plain flow
 */
public record Passage(List<Points> stages, List<double[]> indices) {
  public Passage {
    stages = List.copyOf(stages);
    indices = List.copyOf(indices);
  }

  public Points z() {
    return stages.getLast();
  }
}
