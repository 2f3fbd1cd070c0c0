package cifvi.engine.internal.fused;

import static cifvi.engine.internal.parity.Twins.FLOAT32;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import cifvi.engine.internal.fused.FusedModels.Affine;
import cifvi.engine.internal.fused.FusedModels.Case;
import cifvi.engine.internal.fused.FusedModels.Host;
import cifvi.engine.internal.fused.FusedModels.Shape;
import cifvi.engine.internal.fused.FusedModels.Unknown;
import cifvi.engine.internal.fused.FusedMutants.Change;
import cifvi.engine.internal.fused.FusedMutants.Fused;
import cifvi.engine.internal.fused.ImageShape.Flow;
import cifvi.engine.internal.fused.decoder.LargeDecoderKernel;
import cifvi.engine.internal.fused.kernel.Kernel;
import cifvi.engine.internal.fused.kernel.Net;
import cifvi.engine.internal.fused.kernel.SplineFlowKernel;
import cifvi.engine.internal.parity.Mutants;
import cifvi.engine.internal.parity.Twins;
import cifvi.nn.FlatParameters;
import cifvi.testing.NativeScope;
import cifvi.vi.Objective;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.util.SequencedMap;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The parity tests can fail: a kernel of any kind that is wrong by one part in 10⁵, in what it
 * hands on, adds to the log-weight or gives back as gradients, is caught by one of a few cases.
 */
@Tag("parity")
@ExtendWith(NativeScope.class)
class MutantTest {
  private static final int ROWS = 17;

  /** No kernels of a model: Adam, and what is a part of {@link SplineFlowKernel}. */
  private static final Set<String> OTHERS = Set.of("AdamKernel", "SplineKernel");

  /**
   * A model at initialisation, where its numbers are best known, and its exact results; once more
   * for draws, since steps change the averages of batch norm.
   */
  private record Exact(Case shape, FusedGradients gradients, FusedDraws draws)
      implements AutoCloseable {
    static Exact of(Case shape, int rows) {
      var steps = Twins.of(shape, FLOAT32, 5);
      var evaluations = Twins.of(shape, FLOAT32, 5);
      return new Exact(
          shape,
          FusedGradients.of(steps, shape, new Objective.Elbo(), rows),
          FusedDraws.of(evaluations, shape, rows));
    }

    SequencedMap<String, Double> scores(Change training, Change evaluation) {
      var scores = gradients.scores(1, p -> training.apply(p, flat(gradients.twins())));
      scores.putAll(draws.scores(1, p -> evaluation.apply(p, flat(draws.twins()))));
      return scores;
    }

    private static FlatParameters flat(Twins twins) {
      return twins.own().parameters().flat();
    }

    @Override
    public void close() {
      gradients.twins().close();
      draws.twins().close();
    }
  }

  private static Stream<Case> cases() {
    var models =
        Stream.of(
            Shape.mog(true, 9).withBase(1, true, 3),
            Shape.of(5, 4, false),
            new Affine(5, 20, false),
            new Affine(5, 20, true),
            new ImageShape(Flow.SPLINE, true, 3, 1, 7, 4),
            new ImageShape(Flow.SPLINE, false, 3, 0, 1, 4), // an encoder and a decoder
            new ImageShape(Flow.SPLINE, false, 3, 0, 1, 3), // the latter libtorch's
            LargeDecoderShape.vae(1),
            new Host(new OneLayer(OneLayer.Kind.MEAN_FIELD, 0.5)),
            new Unknown());
    var layers =
        Stream.of(OneLayer.Kind.values())
            .flatMap(kind -> Stream.of(new OneLayer(kind, 0.5), new OneLayer(kind, 1)));
    return Stream.of(layers, OneLayer.EXTREMES.stream(), models).flatMap(s -> s);
  }

  @Test
  void everyMutantIsCaught() {
    var cases = cases().map(shape -> Exact.of(shape, ROWS)).toList();
    for (Exact sound : cases) {
      assertThat(sound.scores(Fused.NONE, Fused.NONE))
          .as(sound.shape.toString())
          .allSatisfy((_, score) -> assertThat(score).isLessThanOrEqualTo(1));
    }
    var mutants = new Mutants();
    for (Fused mutant : FusedMutants.all()) {
      for (Exact exact : cases) {
        mutants.judge(
            mutant.kind().getSimpleName() + " " + mutant.what(),
            exact.shape.toString(),
            () -> exact.scores(mutant.training(), mutant.evaluation()));
      }
    }
    cases.forEach(Exact::close);
    assertThat(mutants.escaped()).isEmpty();
  }

  /** A new kernel needs a mutant. */
  @Test
  void everyKernelHasMutants() {
    Set<String> kernels =
        new ClassFileImporter()
            .importPackagesOf(Kernel.class, LargeDecoderKernel.class).stream()
                .filter(MutantTest::computes)
                .map(JavaClass::getSimpleName)
                .collect(toSet());
    Set<String> mutated =
        FusedMutants.all().stream().map(m -> m.kind().getSimpleName()).collect(toSet());
    assertThat(mutated).containsAll(kernels);
  }

  private static boolean computes(JavaClass kind) {
    boolean named = kind.getSimpleName().endsWith("Kernel") || kind.isAssignableTo(Net.class);
    return named
        && !kind.isInterface()
        && !kind.isNestedClass() // Segment's, which has computed already
        && !OTHERS.contains(kind.getSimpleName());
  }
}
