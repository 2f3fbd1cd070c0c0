package cifvi.experiments.figures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import cifvi.experiments.models.MogModel;
import cifvi.posterior.Placement;
import cifvi.tensor.Backend;
import cifvi.tensor.Precision;
import cifvi.vi.LogWeights;
import cifvi.vi.Model;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the figures of a model show. */
class MogPictureTest {
  private static Model model(boolean cif, Placement placement, double sigma0) {
    return new MogModel(cif, 9, sigma0, false, 3, placement)
        .build(Backend.cpu(Precision.FLOAT32), 1);
  }

  @ParameterizedTest
  @CsvSource({"false, PAPER, 0", "true, PAPER, 5", "true, RELEASED, 5"})
  void passageLeadsFromTheBaseToZ(boolean cif, Placement placement, int indices) {
    try (Model model = model(cif, placement, 0.1)) {
      Passage passage = new MogPicture(model, 1, Frame.ofMixture(9)).passage();
      assertThat(passage.stages()).hasSize(1 + MogModel.STEPS);
      assertThat(passage.stages().getFirst().x().map(Math::abs).max().orElseThrow())
          .isBetween(0.2, 0.6); // the largest of 1600 draws of N(0, 0.1²)
      assertThat(passage.indices()).hasSize(indices);
      assertThat(passage.indices()).allMatch(u -> u.length == MogPicture.PASSAGE_DRAWS);
    }
  }

  @ParameterizedTest
  @CsvSource({"0.1, true", "100, false"})
  void densityIsShownOnlyWhereTheDrawsAre(double sigma0, boolean shown) {
    try (Model model = model(false, Placement.PAPER, sigma0)) {
      DrawnDensity density = new MogPicture(model, 1, Frame.ofMixture(9)).kernelEstimate();
      assertThat(density.shown()).isEqualTo(shown);
      assertThat(density.draws()).isEqualTo(MogPicture.DENSITY_DRAWS);
      assertThat(density.sentence()).contains("of 5,000 draws lie in this square");
      assertThat(density.how()).matches("kernel width [\\d.]+ by [\\d.]+");
    }
  }

  /** q integrates to one, and its height over the middle is that of its draws there. */
  @ParameterizedTest
  @CsvSource({"false, exact", "true, mean over 32 paths back"})
  void densityIsThatOfTheDraws(boolean cif, String how) {
    try (Model model = model(cif, Placement.RELEASED, 0.5)) {
      var picture = new MogPicture(model, 1, Frame.ofMixture(9));
      DrawnDensity density = picture.posterior(LogWeights.eager(model));
      double share = (double) density.inside() / density.draws();
      assertThat(density.how()).contains(how);
      assertThat(share).isGreaterThan(0.9);
      assertThat(density.grid().mass()).isCloseTo(share, within(0.03));
      assertThat(density.grid().between(0.5, 0.5))
          .isCloseTo(picture.kernelEstimate().grid().between(0.5, 0.5), withinPercentage(25));
    }
  }

  @ParameterizedTest
  @CsvSource({"9, 3", "16, 4"})
  void targetIsNormalised(int components, double limit) {
    var mog = new MogModel(false, components, 1, false, 3, Placement.PAPER);
    try (Model model = mog.build(Backend.cpu(Precision.FLOAT32), 1)) {
      Frame frame = Frame.ofMixture(components);
      assertThat(frame.limit()).isEqualTo(limit);
      assertThat(new MogPicture(model, 1, frame).target().mass()).isCloseTo(1, within(1e-3));
    }
  }
}
