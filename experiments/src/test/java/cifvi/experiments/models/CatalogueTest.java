package cifvi.experiments.models;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Parameter counts equal those of the released code, instantiated. */
class CatalogueTest {
  private static final List<Catalogue.Row> ROWS = Catalogue.rows();

  @ParameterizedTest
  @CsvSource({
    "nsf, mog, none, 29190, 29190",
    "cif-nsf, mog, none, 31680, 31680",
    "nsf-learnt-sigma0, mog, none, 29192, 29192",
    "cif-nsf-learnt-sigma0, mog, none, 31682, 31682",
    "vae, images, small, 95953, 62896",
    "iwae, images, small, 95953, 62896",
    "iwae-10, images, small, 95953, 62896",
    "iwae-20, images, small, 95953, 62896",
    "maf-small, images, small, 1108553, 1075496",
    "maf-large, images, small, 1565793, 1532736",
    "cif-maf, images, small, 1583818, 1550761",
    "cif-maf-appendix, images, small, 1150918, 1117861",
    "nsf-small, images, small, 301333, 268276",
    "nsf-large, images, small, 396013, 362956",
    "cif-nsf, images, small, 386463, 353406",
    "vae, images, large, 943193, 100552",
    "maf-small, images, large, 2031633, 1188992",
    "maf-large, images, large, 2505433, 1662792",
    "cif-maf, images, large, 2532878, 1690237",
    "cif-maf-appendix, images, large, 2078738, 1236097",
    "nsf-small, images, large, 1250489, 407848",
    "nsf-large, images, large, 1379729, 537088",
    "cif-nsf, images, large, 1345339, 502698",
  })
  void countsAreThoseOfTheReleasedCode(
      String name, String kind, String decoder, long parameters, long posterior) {
    var row =
        ROWS.stream()
            .filter(r -> r.name().equals(name) && r.kind().equals(kind))
            .filter(r -> decoder.equals(Objects.requireNonNullElse(r.decoder(), "none")))
            .findFirst()
            .orElseThrow();
    assertThat(row.parameters()).isEqualTo(parameters);
    assertThat(row.posterior()).isEqualTo(posterior);
  }
}
