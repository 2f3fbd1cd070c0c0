package cifvi.experiments.density;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import cifvi.density.DensityFamily;
import cifvi.density.DensityShape.Inference;
import cifvi.density.FittedDensity;
import cifvi.experiments.run.Continuation;
import cifvi.experiments.run.Run;
import cifvi.experiments.run.RunDirectory;
import cifvi.experiments.run.RunListener;
import cifvi.experiments.run.RunSpec;
import cifvi.posterior.Placement;
import cifvi.tensor.Precision;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Density runs end, go on bit for bit where they were stopped, and leave what they found. */
class DensityRunTest {
  @TempDir Path folder;

  private static DensitySpec spec(
      DensityFamily family, Inference inference, @Nullable Long steps, String engine) {
    return new DensitySpec(
        DensitySpec.KIND,
        "rings",
        null,
        600,
        Shares.parse("0.8,0.1,0.1"),
        family,
        Placement.PAPER,
        inference,
        1,
        8,
        4,
        3,
        1,
        8,
        1,
        steps,
        4,
        0,
        50,
        10,
        0.01,
        5,
        1,
        1,
        Precision.FLOAT32,
        engine,
        "cpu",
        false);
  }

  private static RunListener until(long step) {
    return new RunListener() {
      @Override
      public boolean step(long done, long of, double elbo) {
        return done < step;
      }
    };
  }

  @Test
  void aStoppedRunEndsWithTheSameBits() throws IOException {
    var spec = spec(DensityFamily.CIF_NSF, Inference.NORMAL, 250L, "auto");
    Path whole = folder.resolve("whole");
    DensityResult result =
        Run.start(new DensityExperiment(), spec, whole, RunListener.SILENT).orElseThrow();
    assertThat(result.steps()).isEqualTo(250);
    assertThat(result.epochs()).isEqualTo(3); // of 108, 108 and 34 steps
    assertThat(result.testRows()).isEqualTo(60);
    assertThat(result.logLikelihood()).isGreaterThan(result.elbo());
    assertThat(result.logLikelihoodBias()).isNegative();
    Path parts = folder.resolve("parts");
    assertThat(Run.start(new DensityExperiment(), spec, parts, until(130))).isEmpty();
    assertThat(Run.resume(new DensityExperiment(), parts, Continuation.PLAIN, until(220)))
        .isEmpty();
    Optional<DensityResult> resumed =
        Run.resume(new DensityExperiment(), parts, Continuation.PLAIN, RunListener.SILENT);
    assertThat(resumed.orElseThrow().logLikelihood()).isEqualTo(result.logLikelihood());
    for (String file :
        new String[] {
          "checkpoints/best.safetensors", "checkpoints/latest.safetensors", DensityExperiment.FILE
        }) {
      assertThat(Files.readAllBytes(parts.resolve(file)))
          .as(file)
          .isEqualTo(Files.readAllBytes(whole.resolve(file)));
    }
    try (FittedDensity density = DensityExperiment.load(RunDirectory.read(whole))) {
      double[][] test = new DensityExperiment().data(spec).test();
      assertThat(density.logLikelihood(test, 10, 1).mean()).isEqualTo(result.logLikelihood());
    }
  }

  /** Without a number of steps the bound of the validation rows decides; here impatiently. */
  @Test
  void validationEndsTraining() {
    var spec = spec(DensityFamily.NSF, Inference.NORMAL, null, "auto");
    Path run = folder.resolve("run");
    DensityResult result =
        Run.start(new DensityExperiment(), spec, run, RunListener.SILENT).orElseThrow();
    assertThat(result.epochs()).isBetween(1L, 4L);
    assertThat(result.logLikelihood()).isEqualTo(result.elbo());
    assertThat(result.logLikelihoodBias()).isZero();
  }

  /** A CIF as the inference model of a CIF density, from its spec. */
  @Test
  void aCifInfersTheIndexOfACif() {
    var spec = spec(DensityFamily.CIF_NSF, Inference.CIF, 120L, "auto");
    var read = RunSpec.parse(spec.yaml(), DensitySpec.class);
    assertThat(read).isEqualTo(spec);
    DensityResult result =
        Run.start(new DensityExperiment(), read, folder.resolve("run"), RunListener.SILENT)
            .orElseThrow();
    assertThat(result.inference()).isEqualTo("cif");
    assertThat(result.logLikelihood()).isGreaterThan(result.elbo());
  }

  /** A mixture as r, which kernels leave to libtorch; q has a mean that the row decides. */
  @Test
  void rMayBeAMixture() throws IOException {
    var normal = spec(DensityFamily.CIF_NSF, Inference.NORMAL, 120L, "auto");
    DensitySpec spec = RunSpec.with(normal, "mixture", 3, DensitySpec.class);
    assertThat(RunSpec.parse(spec.yaml(), DensitySpec.class)).isEqualTo(spec);
    assertThat(RunSpec.parse(spec.yaml().replace("mixture: 3\n", ""), DensitySpec.class))
        .isEqualTo(normal);
    Path run = folder.resolve("run");
    DensityResult result =
        Run.start(new DensityExperiment(), spec, run, RunListener.SILENT).orElseThrow();
    assertThat(result.logLikelihood()).isGreaterThan(result.elbo());
    try (FittedDensity density = DensityExperiment.load(RunDirectory.read(run))) {
      double[][] test = new DensityExperiment().data(spec).test();
      assertThat(density.logLikelihood(test, 10, 1).mean()).isEqualTo(result.logLikelihood());
    }
    assertThatThrownBy(
            () ->
                RunSpec.with(
                    spec(DensityFamily.NSF, Inference.NORMAL, 1L, "auto"),
                    "mixture",
                    3,
                    DensitySpec.class))
        .hasMessageContaining("--mixture: is for cif-maf and cif-nsf");
  }

  @Test
  void everyRowIsInOnePart() {
    int[][] parts = Shares.parse("0.5,0.25,0.25").split(3, 101);
    assertThat(Arrays.stream(parts).mapToInt(part -> part.length).toArray())
        .containsExactly(51, 25, 25);
    assertThat(Arrays.stream(parts).flatMapToInt(Arrays::stream).sorted().toArray())
        .containsExactly(java.util.stream.IntStream.range(0, 101).toArray());
  }
}
