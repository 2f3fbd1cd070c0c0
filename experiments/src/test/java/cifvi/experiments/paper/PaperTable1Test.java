package cifvi.experiments.paper;

import static org.assertj.core.api.Assertions.assertThat;

import cifvi.experiments.models.ImageModel;
import cifvi.vi.Estimate;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The rule for bold figures, applied to the paper's own table, gives the paper's bold figures. */
class PaperTable1Test {
  private static List<ImageModel> bold(int column) {
    return Arrays.stream(ImageModel.values())
        .filter(model -> PaperTable1.isBold(model, Column.ALL.get(column)))
        .toList();
  }

  @Test
  void theRuleFitsThePaper() {
    assertThat(bold(0)).containsExactly(ImageModel.NSF_LARGE, ImageModel.CIF_NSF);
    assertThat(bold(1))
        .containsExactly(ImageModel.CIF_MAF, ImageModel.NSF_LARGE, ImageModel.CIF_NSF);
    assertThat(bold(2)).containsExactly(ImageModel.CIF_MAF);
    assertThat(bold(3)).containsExactly(ImageModel.CIF_MAF);
  }

  @Test
  void withOneSeedOnlyTheBestIsBold() {
    var best = new Estimate(-90, Double.NaN, 1);
    var close = new Estimate(-90.01, Double.NaN, 1);
    assertThat(Table1.isBold(best, List.of(best, close))).isTrue();
    assertThat(Table1.isBold(close, List.of(best, close))).isFalse();
  }

  @Test
  void thePaperHasNoRowForTheFlowThatCifMafNests() {
    assertThat(PaperTable1.value(ImageModel.MAF_SMALL_NOBN, Column.ALL.getFirst())).isEmpty();
    assertThat(PaperTable1.value(ImageModel.CIF_NSF, Column.ALL.getLast()))
        .contains(new Estimate(-228.54, 0.12, 3));
  }
}
