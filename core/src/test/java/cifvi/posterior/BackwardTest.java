package cifvi.posterior;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import cifvi.distribution.Conditional;
import cifvi.distribution.ConditionalNetwork;
import cifvi.distribution.ConditionalNormalMixture;
import cifvi.distribution.DiagonalNormal;
import cifvi.distribution.Distribution;
import cifvi.distribution.Draw;
import cifvi.distribution.Observation;
import cifvi.nn.ImageVectorNet;
import cifvi.nn.Mlp;
import cifvi.nn.Parameters;
import cifvi.posterior.Posteriors.Kind;
import cifvi.tensor.Backend;
import cifvi.tensor.CounterRng;
import cifvi.tensor.CounterRng.Purpose;
import cifvi.tensor.Precision;
import cifvi.tensor.Rng;
import cifvi.testing.NativeScope;
import cifvi.vi.Model;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Backwards through the same (z, u), the layers give minus what they gave forwards. */
@ExtendWith(NativeScope.class)
class BackwardTest {
  /** Rounding of float64 through the inverses of three layers, whose derivatives reach 10³. */
  private static final double ROUNDING = 1e-9;

  private static final Backend BACKEND = Backend.cpu(Precision.FLOAT64);
  private static final long ROWS = 40;
  private static final int MIXTURE = 3;

  static Stream<Kind> kinds() {
    return Kind.all(Precision.FLOAT64);
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void logWeightIsMinusDeltaWhenRDrawsTheSameU(Kind kind) {
    try (Model model = model(kind)) {
      Observation x = Posteriors.observation(kind, ROWS);
      List<Step> trace = model.posterior().trace(x, rng());
      assertBackward(
          model.posterior(), trace, x, new ReplayRng(noise(model.posterior(), trace, x)));
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void logWeightIsMinusDeltaWhenRIsAMixture(Kind kind) {
    try (Model model = model(kind)) {
      Observation x = Posteriors.observation(kind, ROWS);
      var mixtures = new ArrayList<Layer>();
      for (Layer layer : model.posterior().layers()) {
        mixtures.add(
            layer instanceof CifLayer cif
                ? new CifLayer(cif.G(), cif.q(), mixture(kind, mixtures.size()))
                : layer);
      }
      var posterior = new Posterior(model.posterior().base(), mixtures);
      List<Step> trace = posterior.trace(x, rng());
      assertBackward(drawing(posterior, trace), trace, x, rng());
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void sampleIsTheTraceInOne(Kind kind) {
    try (Model model = model(kind)) {
      Observation x = Posteriors.observation(kind, ROWS);
      Posterior.Sample sample = model.posterior().sample(x, rng());
      List<Step> trace = model.posterior().trace(x, rng());
      assertThat(Backend.doubles(sample.z())).containsExactly(Backend.doubles(trace.getLast().w()));
      assertThat(Backend.doubles(sample.delta())).containsExactly(Backend.doubles(delta(trace)));
    }
  }

  /** Another draw of u gives another weight, so the equalities above are about u. */
  @ParameterizedTest
  @MethodSource("kinds")
  void anotherUGivesAnotherWeight(Kind kind) {
    try (Model model = model(kind)) {
      Observation x = Posteriors.observation(kind, ROWS);
      List<Step> trace = model.posterior().trace(x, rng());
      double[] weights =
          Backend.doubles(model.posterior().logWeight(trace.getLast().w(), x, rng().step(1)));
      double[] delta = Backend.doubles(delta(trace));
      for (int i = 0; i < ROWS; i++) {
        assertThat(Math.abs(weights[i] + delta[i])).isGreaterThan(ROUNDING);
      }
    }
  }

  /** Masks hold from the start, not only once the parameters were moved to their buffer. */
  @ParameterizedTest
  @MethodSource("kinds")
  void freshModelIsTheSameBeforeAndAfterFlattening(Kind kind) {
    try (Model model = Posteriors.cif(kind, 4)) {
      Observation x = Posteriors.observation(kind, ROWS);
      double[] before = Backend.doubles(model.posterior().sample(x, rng()).delta());
      model.parameters().flat();
      assertThat(Backend.doubles(model.posterior().sample(x, rng()).delta()))
          .containsExactly(before);
    }
  }

  private static void assertBackward(
      Posterior posterior, List<Step> trace, Observation x, Rng rng) {
    Tensor z = trace.getLast().w();
    assertThat(Backend.doubles(posterior.logWeight(z, x, rng)))
        .containsExactly(Backend.doubles(delta(trace).neg()), within(ROUNDING));
    Tensor w = z;
    for (int i = posterior.layers().size() - 1; i >= 0; i--) {
      w = posterior.layers().get(i).backward(w, x, rng.layer(i)).w();
    }
    assertThat(Backend.doubles(w))
        .containsExactly(Backend.doubles(trace.getFirst().w()), within(ROUNDING));
  }

  /** The noise with which r draws the u of the trace: (u - mean) e^{-log std}. */
  private static Map<Integer, Tensor> noise(Posterior posterior, List<Step> trace, Observation x) {
    var noise = new HashMap<Integer, Tensor>();
    for (int i = 0; i < posterior.layers().size(); i++) {
      if (posterior.layers().get(i) instanceof CifLayer cif) {
        Step step = trace.get(i + 1);
        var r = (DiagonalNormal) cif.r().given(step.w(), x);
        noise.put(i, u(step).sub(r.mean()).mul(r.logStd().neg().exp()));
      }
    }
    return noise;
  }

  /** The posterior with an r that always draws the u of the trace. */
  private static Posterior drawing(Posterior posterior, List<Step> trace) {
    var layers = new ArrayList<Layer>();
    for (Layer layer : posterior.layers()) {
      Step step = trace.get(layers.size() + 1);
      layers.add(
          layer instanceof CifLayer cif
              ? new CifLayer(cif.G(), cif.q(), drawing(cif.r(), u(step)))
              : layer);
    }
    return new Posterior(posterior.base(), layers);
  }

  private static Conditional drawing(Conditional conditional, Tensor u) {
    return (w, x) -> {
      Distribution r = conditional.given(w, x);
      return new Distribution() {
        @Override
        public Draw sample(Rng rng) {
          return new Draw(u, logDensity(u));
        }

        @Override
        public Tensor logDensity(Tensor v) {
          return r.logDensity(v);
        }
      };
    };
  }

  private static ConditionalNormalMixture mixture(Kind kind, int layer) {
    var parameters = new Parameters(BACKEND, layer);
    int outputs = ConditionalNormalMixture.outputs(MIXTURE, kind.indices());
    var network =
        kind.amortised()
            ? ConditionalNetwork.of(new ImageVectorNet(parameters, kind.features(), 2, outputs))
            : ConditionalNetwork.of(new Mlp(parameters, kind.features(), 10, outputs));
    return new ConditionalNormalMixture(network, MIXTURE);
  }

  private static Model model(Kind kind) {
    Model model = Posteriors.cif(kind, 1);
    Posteriors.perturb(model, 0.03, 2);
    return model;
  }

  private static Tensor delta(List<Step> trace) {
    return trace.stream().map(Step::logWeight).reduce(Tensor::add).orElseThrow();
  }

  private static Tensor u(Step step) {
    return Objects.requireNonNull(step.u());
  }

  private static CounterRng rng() {
    return new CounterRng(BACKEND, 21, Purpose.TRAIN);
  }
}
