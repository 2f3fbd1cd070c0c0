package cifvi.experiments.figures;

import cifvi.distribution.Observation;
import cifvi.experiments.models.MogModel;
import cifvi.posterior.FlowLayer;
import cifvi.posterior.Step;
import cifvi.target.MixtureTarget;
import cifvi.tensor.Backend;
import cifvi.tensor.CounterRng;
import cifvi.tensor.CounterRng.Purpose;
import cifvi.vi.LogWeights;
import cifvi.vi.Model;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What the figures of one mixture model show; the noise is the figures' own, so that looking at a
 * run changes nothing in it.
 */
public record MogPicture(Model model, long seed, Frame frame) {
  /** Draws behind a kernel estimate, as in the paper, and behind the share inside the frame. */
  public static final int DENSITY_DRAWS = 5000;

  /** Draws followed through the layers. */
  public static final int PASSAGE_DRAWS = 1600;

  private static final int GRID = 121;

  /** q(z) on the grid, exact for a flow and by paths back for a CIF. */
  public DrawnDensity posterior(LogWeights weights) {
    return Look.at(
        model,
        () -> {
          var q = new BackwardDensity(weights, rng(2));
          return DrawnDensity.of(new DensityGrid(frame, GRID, q.at(grid())), q.how(), draws());
        });
  }

  /** The density of q as the paper's figures have it, by a kernel estimate from its draws. */
  public DrawnDensity kernelEstimate() {
    Points draws = Look.at(model, this::draws);
    Kde kde = Kde.of(draws);
    String how =
        String.format(Locale.ROOT, "kernel width %.2f by %.2f", kde.bandwidthX(), kde.bandwidthY());
    return DrawnDensity.of(kde.on(frame, GRID), how, draws);
  }

  private Points draws() {
    return Points.of(model.posterior().sample(Observation.none(DENSITY_DRAWS), rng(0)).z());
  }

  /** The target's density itself. */
  public DensityGrid target() {
    return Look.at(
        model,
        () -> {
          var z = backend().tensor(grid(), GRID * GRID, 2);
          var density = ((MixtureTarget) model.target()).logDensity(z).exp();
          return new DensityGrid(frame, GRID, Backend.doubles(density));
        });
  }

  private double[] grid() {
    double[] positions = new double[2 * GRID * GRID];
    for (int i = 0; i < GRID * GRID; i++) {
      positions[2 * i] = frame.at(i % GRID, GRID);
      positions[2 * i + 1] = frame.at(i / GRID, GRID);
    }
    return positions;
  }

  /** Draws on their way from the base to z, as far as it leads through the plane. */
  public Passage passage() {
    return Look.at(
        model,
        () -> {
          List<Step> steps = model.posterior().trace(Observation.none(PASSAGE_DRAWS), rng(1));
          boolean flow = model.posterior().layers().getFirst() instanceof FlowLayer;
          int layersAStep = flow ? (steps.size() - 2) / MogModel.STEPS : 1;
          var shown = new ArrayList<Step>(List.of(steps.getFirst()));
          for (int i = (flow ? 1 : 0) + layersAStep; i < steps.size(); i += layersAStep) {
            shown.add(steps.get(i));
          }
          var stages =
              shown.stream().filter(s -> s.w().size(1) == 2).map(s -> Points.of(s.w())).toList();
          var indices = new ArrayList<double[]>();
          for (Step step : steps) {
            if (step.u() != null && step.u().size(1) == 1) {
              indices.add(Backend.doubles(step.u()));
            }
          }
          return new Passage(stages, indices);
        });
  }

  private CounterRng rng(long step) {
    return new CounterRng(backend(), seed, Purpose.FIGURE).step(step);
  }

  private Backend backend() {
    return model.parameters().backend();
  }
}
