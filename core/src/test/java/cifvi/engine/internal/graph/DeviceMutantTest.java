package cifvi.engine.internal.graph;

import static cifvi.engine.internal.parity.Twins.FLOAT32;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import cifvi.engine.internal.cuda.DeviceLimits;
import cifvi.engine.internal.fused.FusedModels.Affine;
import cifvi.engine.internal.fused.FusedModels.Case;
import cifvi.engine.internal.fused.FusedModels.Shape;
import cifvi.engine.internal.fused.ImageShape;
import cifvi.engine.internal.fused.ImageShape.Flow;
import cifvi.engine.internal.fused.LargeDecoderShape;
import cifvi.engine.internal.fused.OneLayer;
import cifvi.engine.internal.graph.DeviceMutants.Line;
import cifvi.engine.internal.graph.kernel.KernelSource;
import cifvi.engine.internal.graph.program.OpKind;
import cifvi.engine.internal.parity.Mutants;
import cifvi.engine.internal.parity.Twins;
import cifvi.testing.NativeScope;
import cifvi.vi.Objective;
import java.util.Locale;
import java.util.SequencedMap;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The parity tests of CUDA kernels can fail: any operation or kernel that is wrong by one part in
 * 10⁵ is caught by one of a few cases.
 */
@Tag("parity")
@ExtendWith(NativeScope.class)
class DeviceMutantTest {
  private static final int ROWS = 17;

  /** A model at initialisation and its exact results, twice as in the fused engine's test. */
  private record Exact(
      Case shape, DeviceLimits limits, DeviceGradients gradients, DeviceDraws draws)
      implements AutoCloseable {
    static Exact of(Case shape, Objective objective, int rows) {
      return of(shape, objective, rows, Devices.H200);
    }

    static Exact of(Case shape, Objective objective, int rows, DeviceLimits limits) {
      return new Exact(
          shape,
          limits,
          DeviceGradients.of(Twins.of(shape, FLOAT32, 5), shape, objective, rows),
          DeviceDraws.of(Twins.of(shape, FLOAT32, 5), shape, rows));
    }

    SequencedMap<String, Double> scores(HostLauncher host) {
      var launcher = host.on(limits);
      var scores = gradients.scores(launcher);
      scores.putAll(draws.scores(launcher));
      return scores;
    }

    @Override
    public void close() {
      gradients.twins().close();
      draws.twins().close();
    }
  }

  private static Stream<Exact> cases() {
    var elbo = new Objective.Elbo();
    var layers =
        Stream.concat(
                Stream.of(OneLayer.Kind.values()).map(kind -> new OneLayer(kind, 0.5)),
                OneLayer.EXTREMES.stream())
            .map(shape -> Exact.of(shape, elbo, ROWS));
    var models =
        Stream.of(
                Shape.mog(true, 9).withBase(1, true, 3),
                Shape.of(5, 4, false),
                new Affine(5, 20, true),
                new ImageShape(Flow.SPLINE, true, 3, 1, 7, 4),
                new ImageShape(Flow.SPLINE, false, 3, 0, 1, 4),
                new OwnNetworks(Shape.mog(true, 9)),
                LargeDecoderShape.of(false, 1))
            .map(shape -> Exact.of(shape, elbo, ROWS));
    var others =
        Stream.of(
            Exact.of(new OneLayer(OneLayer.Kind.CIF, 0.5), new Objective.Iwae(3), ROWS),
            Exact.of(LargeDecoderShape.vae(1), elbo, 9, Devices.ORIN_NANO), // images share blocks
            Exact.of(LargeDecoderShape.vae(8), elbo, 2), // a block an image
            Exact.of(new OneLayer(OneLayer.Kind.AFFINE, 0.5), elbo, 1000)); // rows in parts
    return Stream.of(layers, models, others).flatMap(s -> s);
  }

  @Test
  void everyMutantIsCaught() {
    var names = Stream.concat(HostKernels.PROGRAM.stream(), Stream.of(DeviceMutants.CHOOSE));
    var host = HostLauncher.of(DeviceMutants.source(), names.toArray(String[]::new));
    var cases = cases().toList();
    for (Exact sound : cases) {
      assertThat(sound.scores(host))
          .as(sound.shape.toString())
          .allSatisfy((_, score) -> assertThat(score).isLessThanOrEqualTo(1));
    }
    var mutants = new Mutants();
    for (int i = 0; i < DeviceMutants.LINES.size(); i++) {
      host.launch(DeviceMutants.CHOOSE, 1, 1, 0, i);
      for (Exact exact : cases) {
        String name = DeviceMutants.LINES.get(i).name();
        mutants.judge(name, exact.shape.toString(), () -> exact.scores(host));
      }
    }
    cases.forEach(Exact::close);
    assertThat(mutants.escaped()).isEmpty();
  }

  /** A new operation, a new direction of one, and a new kernel need a mutant. */
  @Test
  void everyOperationHasMutants() {
    Set<String> mutated =
        DeviceMutants.LINES.stream()
            .map(Line::name)
            .map(n -> n.replaceFirst(",.*", ""))
            .collect(toSet());
    var operations =
        Pattern.compile("case OP_(\\w+): \\w+(Forward|Backward)\\(")
            .matcher(KernelSource.pass())
            .results()
            .map(found -> found.group(1) + " " + found.group(2).toLowerCase(Locale.ROOT));
    var kernels =
        HostKernels.PROGRAM.stream()
            .filter(k -> !k.startsWith("interpret"))
            .filter(k -> !k.equals("fold_averages")); // see DeviceBatchNormTest
    assertThat(mutated).containsAll(Stream.concat(operations, kernels).toList());
    assertThat(Stream.of(OpKind.values()))
        .allSatisfy(kind -> assertThat(mutated).anyMatch(name -> name.startsWith(kind + " ")));
  }
}
