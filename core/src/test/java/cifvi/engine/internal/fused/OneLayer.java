package cifvi.engine.internal.fused;

import cifvi.bijection.AffineAutoregressive;
import cifvi.bijection.BatchNorm;
import cifvi.bijection.Chain;
import cifvi.bijection.LuLinear;
import cifvi.bijection.SinhArcsinh;
import cifvi.bijection.SplineAutoregressive;
import cifvi.distribution.DataRows;
import cifvi.distribution.NormalBase;
import cifvi.distribution.Observation;
import cifvi.engine.internal.fused.FusedModels.Case;
import cifvi.nn.Parameters;
import cifvi.posterior.CifLayer;
import cifvi.posterior.FlowLayer;
import cifvi.posterior.Layer;
import cifvi.posterior.Posterior;
import cifvi.posterior.Posteriors;
import cifvi.target.MixtureTarget;
import cifvi.tensor.Backend;
import cifvi.tensor.CounterRng;
import cifvi.tensor.CounterRng.Purpose;
import cifvi.tensor.Scalars;
import cifvi.vi.Model;
import java.util.Arrays;
import java.util.List;
import org.bytedeco.pytorch.Tensor;

/**
 * A model of one layer, whose errors drown in no others.
 *
 * @param spread how far its parameters are from those at initialisation, to one side, so that log
 *     scales do not cancel
 */
public record OneLayer(Kind kind, double spread) implements Case {
  /** The layer, and the parameters that are far away. */
  public enum Kind {
    SPLINE(""),
    AFFINE(""),
    LU(""),
    SINH_ARCSINH(""),
    /** No layer at all: a base whose mean is learnt, too. */
    MEAN_FIELD(""),
    /** An LU map of the rows that are observed. */
    DATA(""),
    BATCH_NORM(""),
    /** Takes out what scale was learnt: the exact gradient of that is zero. */
    BATCH_NORM_BEHIND_SCALE(""),
    CIF(""),
    CIF_WITH_FAR_Q("layers.0.q."),
    /** The same s for all u, so that paths back, with another u, stay where the base is. */
    CIF_WITH_FAR_S("layers.0.st.1.bias");

    private final String far;

    Kind(String far) {
      this.far = far;
    }
  }

  /**
   * Where other things count than elsewhere: the sizes of bins that are nearly as wide, the slopes
   * between bins of which one has the whole box, tanh close to ±1, and s itself.
   */
  public static final List<OneLayer> EXTREMES =
      List.of(
          new OneLayer(Kind.SPLINE, 0),
          new OneLayer(Kind.SPLINE, 0.1),
          new OneLayer(Kind.SPLINE, 2),
          new OneLayer(Kind.CIF, 2),
          new OneLayer(Kind.CIF_WITH_FAR_S, 2));

  private static final int FEATURES = 3;
  private static final int GIVEN = 1;
  private static final double IN_BOX = 0.3;

  @Override
  public Model build(Backend backend, long seed) {
    var parameters = new Parameters(backend, seed);
    boolean learn = kind != Kind.BATCH_NORM;
    Parameters of = parameters.in("base");
    var base =
        switch (kind) {
          case MEAN_FIELD -> NormalBase.meanField(of, FEATURES);
          case DATA -> new DataRows(FEATURES, GIVEN);
          case SPLINE -> NormalBase.create(of, FEATURES, IN_BOX, learn);
          default -> NormalBase.create(of, FEATURES, 1, learn);
        };
    var target =
        new MixtureTarget(
            backend,
            new double[] {1, 2},
            new double[][] {{1, 0, -1}, {-1, 1, 0}},
            new double[][][] {
              {{2, 0, 0}, {0, 1, 0}, {0, 0, 3}}, {{1, 0, 0}, {0, 2, 0}, {0, 0, 1}}
            });
    var posterior = new Posterior(base, layers(parameters.in("layers.0")));
    var model = new Model(posterior, target, parameters);
    spread(model);
    return model;
  }

  private void spread(Model model) {
    var flat = model.parameters().flat();
    Tensor near = flat.values().clone();
    Posteriors.perturb(model, spread, 3);
    flat.update(
        () -> {
          flat.values().add_(Scalars.of(spread));
          flat.slices()
              .forEach(
                  (name, slice) -> {
                    if (!name.startsWith(kind.far)) {
                      slice.of(flat.values()).copy_(slice.of(near));
                    }
                  });
        });
  }

  private List<Layer> layers(Parameters here) {
    return kind == Kind.MEAN_FIELD ? List.of() : List.of(layer(here));
  }

  private Layer layer(Parameters here) {
    return switch (kind) {
      case MEAN_FIELD -> throw new AssertionError("it has none");
      case SPLINE ->
          new FlowLayer(
              new SplineAutoregressive(
                  here, FEATURES, new SplineAutoregressive.Options(8, 1, 2, 1)));
      case AFFINE -> new FlowLayer(new AffineAutoregressive(here, FEATURES, 8, 8));
      case LU, DATA -> new FlowLayer(new LuLinear(here, FEATURES));
      case SINH_ARCSINH -> new FlowLayer(new SinhArcsinh(here, FEATURES));
      case BATCH_NORM, BATCH_NORM_BEHIND_SCALE -> new FlowLayer(new BatchNorm(here, FEATURES));
      case CIF, CIF_WITH_FAR_Q, CIF_WITH_FAR_S ->
          CifLayer.gaussian(here, Chain.IDENTITY, FEATURES, 2, 6);
    };
  }

  /** Rows of numbers that every precision holds, or nothing. */
  @Override
  public Observation x(Backend backend, int rows) {
    if (kind != Kind.DATA) {
      return Observation.none(rows);
    }
    double[] x = new CounterRng(backend, 1, Purpose.SAMPLE).normals(rows, FEATURES + GIVEN);
    Arrays.setAll(x, i -> (float) x[i]);
    return Observation.of(backend.tensor(x, rows, FEATURES + GIVEN));
  }
}
