package cifvi.experiments.benchmark;

import cifvi.density.DensityFamily;
import cifvi.density.DensityShape;
import cifvi.distribution.Observation;
import cifvi.engine.Engines;
import cifvi.experiments.models.Decoder;
import cifvi.experiments.models.ImageModel;
import cifvi.experiments.models.MogModel;
import cifvi.nn.Images;
import cifvi.posterior.Placement;
import cifvi.tensor.Backend;
import cifvi.tensor.CounterRng;
import cifvi.tensor.CounterRng.Purpose;
import cifvi.tensor.Scalars;
import cifvi.tensor.Scope;
import cifvi.vi.Model;
import cifvi.vi.Objective;
import cifvi.vi.StepEngine;
import cifvi.vi.StepOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.bytedeco.pytorch.Tensor;

/**
 * A training step that can be timed, at the paper's sizes: 1000 samples for mixtures and densities,
 * 100 images otherwise.
 */
public sealed interface StepCase {
  String name();

  Model build(Backend backend);

  Objective objective();

  OptionalDouble clip();

  Observation observation(Backend backend);

  /** Rows of the posterior in one step. */
  long rows();

  /** All cases, small ones first. */
  static List<StepCase> all() {
    var cases =
        new ArrayList<StepCase>(
            List.of(
                new Mog(false),
                new Mog(true),
                new Density(DensityFamily.NSF),
                new Density(DensityFamily.CIF_NSF)));
    for (Decoder decoder : Decoder.values()) {
      for (ImageModel model : ImageModel.values()) {
        cases.add(new Image(decoder, model));
      }
    }
    return cases;
  }

  /**
   * A model and an engine that trains it.
   *
   * @param buildMs how long model and observation took
   */
  record Running(StepCase step, Model model, StepEngine engine, Observation x, double buildMs)
      implements AutoCloseable {
    @Override
    public void close() {
      engine.close();
      model.close();
    }
  }

  /** Why the named engine cannot run this case, if so. */
  default Optional<String> obstacle(String engine, Backend backend) {
    try (Model model = build(backend)) {
      Engines.choose(engine, model, objective());
      return Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.ofNullable(e.getMessage());
    }
  }

  /**
   * Ready to run with the named engine.
   *
   * @throws IllegalArgumentException where that engine cannot run this case
   */
  default Running start(String engine, Backend backend, int threads) {
    long start = System.nanoTime();
    Model model = build(backend);
    Observation x = observation(backend);
    double buildMs = (System.nanoTime() - start) / 1e6;
    var kind = Engines.choose(engine, model, objective()).kind();
    var options = new StepOptions(clip(), 1, threads);
    return new Running(this, model, Engines.start(kind, model, objective(), options), x, buildMs);
  }

  /** The mixture models, K = 9. */
  record Mog(boolean cif) implements StepCase {
    @Override
    public String name() {
      return cif ? "mog-cif-nsf" : "mog-nsf";
    }

    @Override
    public Model build(Backend backend) {
      return MogModel.paper(cif, Placement.PAPER).build(backend, 1);
    }

    @Override
    public Objective objective() {
      return new Objective.Elbo();
    }

    @Override
    public OptionalDouble clip() {
      return OptionalDouble.of(5);
    }

    @Override
    public long rows() {
      return 1000;
    }

    @Override
    public Observation observation(Backend backend) {
      return Observation.none(rows());
    }
  }

  /** Density models of the same sizes as those of mixtures, on as many points of the plane. */
  record Density(DensityFamily family) implements StepCase {
    @Override
    public String name() {
      return "density-" + family;
    }

    @Override
    public Model build(Backend backend) {
      return DensityShape.of(family, 2, 0).build(backend, 1);
    }

    @Override
    public Objective objective() {
      return new Objective.Elbo();
    }

    @Override
    public OptionalDouble clip() {
      return OptionalDouble.of(5);
    }

    @Override
    public long rows() {
      return 1000;
    }

    @Override
    public Observation observation(Backend backend) {
      return Observation.of(Scope.keep(new CounterRng(backend, 1, Purpose.DATA).normal(rows(), 2)));
    }
  }

  /** The image models, on random binary images: the time does not depend on what they show. */
  record Image(Decoder decoder, ImageModel model) implements StepCase {
    private static final int BATCH = 100;

    @Override
    public String name() {
      return "images-" + decoder + "-" + model;
    }

    @Override
    public Model build(Backend backend) {
      return model.build(backend, 1, decoder, Placement.PAPER, ImageModel.Nets.RELEASED);
    }

    @Override
    public Objective objective() {
      return model.objective();
    }

    @Override
    public OptionalDouble clip() {
      return model.clip();
    }

    @Override
    public long rows() {
      return objective() instanceof Objective.Iwae iwae ? (long) BATCH * iwae.k() : BATCH;
    }

    @Override
    public Observation observation(Backend backend) {
      Tensor u = new CounterRng(backend, 1, Purpose.BINARISE).uniform(BATCH, Images.PIXELS);
      Tensor x = u.lt(Scalars.of(0.2)).to(u.scalar_type()).view(BATCH, 1, Images.SIDE, Images.SIDE);
      return Observation.of(Scope.keep(x));
    }
  }
}
