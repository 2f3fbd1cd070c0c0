package cifvi.distribution;

import cifvi.bijection.RationalQuadraticSpline;
import cifvi.nn.Mlp;
import cifvi.nn.Parameters;
import cifvi.testing.Tensors;
import java.util.List;
import java.util.function.Function;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/** Every distribution of the library, in one or two dimensions, for the contract tests. */
final class DistributionCases {
  /** How many different rows a case has. */
  static final long ROWS = 7;

  private static final double JITTER = 0.2;

  /** A batch of densities from which rows can be chosen, also repeatedly. */
  interface Rows {
    /** The densities of the rows with these numbers, {@code [batch]} of integers. */
    Distribution at(Tensor rows);
  }

  /**
   * A named constructor.
   *
   * @param binary whether outcomes are 0 or 1
   * @param reparametrised whether gradients flow through draws
   * @param smooth whether a sum over a grid is the integral, to rounding
   */
  record Case(
      String name,
      int features,
      boolean binary,
      boolean reparametrised,
      boolean smooth,
      Function<Parameters, Rows> constructor) {
    Case(
        String name,
        int features,
        boolean binary,
        boolean reparametrised,
        Function<Parameters, Rows> constructor) {
      this(name, features, binary, reparametrised, true, constructor);
    }

    Rows create(Parameters parameters) {
      Rows rows = constructor.apply(parameters);
      Tensors.jitter(parameters, 5, JITTER);
      return rows;
    }

    @Override
    public String toString() {
      return name;
    }
  }

  private DistributionCases() {}

  static List<Case> all() {
    return List.of(
        new Case("diagonal normal, d = 1", 1, false, true, p -> normal(p, 1)),
        new Case("diagonal normal, d = 2", 2, false, true, p -> normal(p, 2)),
        new Case("Bernoulli", 3, true, false, DistributionCases::bernoulli),
        new Case("normal mixture, d = 1", 1, false, false, p -> mixture(p, 1)),
        new Case("normal mixture, d = 2", 2, false, false, p -> mixture(p, 2)),
        new Case("conditional normal", 2, false, true, DistributionCases::conditionalNormal),
        new Case("conditional mixture", 2, false, false, DistributionCases::conditionalMixture),
        new Case("conditional spline", 2, false, true, false, DistributionCases::conditionalSpline),
        new Case("normal base", 2, false, true, DistributionCases::normalBase),
        new Case("encoded normal", 2, false, true, DistributionCases::encodedNormal));
  }

  private static Rows normal(Parameters p, int d) {
    Tensor mean = p.uniform("mean", 2, ROWS, d);
    Tensor logStd = p.uniform("log_std", 0.5, ROWS, d);
    return rows -> new DiagonalNormal(select(mean, rows), select(logStd, rows));
  }

  private static Rows bernoulli(Parameters p) {
    Tensor logits = p.uniform("logits", 2, ROWS, 3);
    return rows -> new Bernoulli(select(logits, rows));
  }

  private static Rows mixture(Parameters p, int d) {
    Tensor logits = p.uniform("logits", 1, ROWS, 3);
    Tensor means = p.uniform("means", 3, ROWS, 3, d);
    Tensor logStds = p.uniform("log_stds", 0.5, ROWS, 3, d);
    return rows ->
        new NormalMixture(
            torch.log_softmax(select(logits, rows), 1), select(means, rows), select(logStds, rows));
  }

  private static Rows conditionalNormal(Parameters p) {
    Tensor w = inputs(p);
    var q = new ConditionalNormal(new Mlp(p, 4, 6, 4));
    return rows -> q.given(select(w, rows), Observation.none(rows.size(0)));
  }

  private static Rows conditionalMixture(Parameters p) {
    Tensor w = inputs(p);
    var network = new Mlp(p, 4, 6, ConditionalNormalMixture.outputs(3, 2));
    var r = new ConditionalNormalMixture(ConditionalNetwork.of(network), 3);
    return rows -> r.given(select(w, rows), Observation.none(rows.size(0)));
  }

  private static Rows conditionalSpline(Parameters p) {
    Tensor w = inputs(p);
    var spline = new RationalQuadraticSpline(4, 3);
    var network = new Mlp(p, 4, 6, ConditionalSpline.outputs(spline, 2));
    var r = new ConditionalSpline(ConditionalNetwork.of(network), spline);
    return rows -> r.given(select(w, rows), Observation.none(rows.size(0)));
  }

  private static Rows normalBase(Parameters p) {
    var base = NormalBase.create(p, 2, 0.7, true);
    return rows -> base.given(Observation.none(rows.size(0)));
  }

  private static Rows encodedNormal(Parameters p) {
    Tensor x = inputs(p);
    var base = new EncodedNormal(new Mlp(p, 4, 6, 4));
    return rows -> base.given(Observation.of(select(x, rows)));
  }

  private static Tensor inputs(Parameters p) {
    return Tensors.normal(p.backend(), 8, ROWS, 4);
  }

  private static Tensor select(Tensor all, Tensor rows) {
    return all.index_select(0, rows);
  }
}
