package cifvi.experiments.paper;

import cifvi.experiments.models.ImageModel;
import cifvi.posterior.Placement;
import java.util.Comparator;

/**
 * A row of Table 1: how the posterior is inferred.
 *
 * @param placement of the affine in u; of a model without u it says nothing and is {@code PAPER}
 * @param nets of CIF-MAF; {@code RELEASED} for all others
 */
public record Method(ImageModel model, Placement placement, ImageModel.Nets nets)
    implements Comparable<Method> {
  private static final Comparator<Method> ORDER =
      Comparator.comparing(Method::model)
          .thenComparing(Method::placement, Comparator.reverseOrder())
          .thenComparing(Method::nets);

  public Method {
    placement = model.cif() ? placement : Placement.PAPER;
    nets = model == ImageModel.CIF_MAF ? nets : ImageModel.Nets.RELEASED;
  }

  /** The method as the authors' code has it, which gave the paper's numbers. */
  public static Method released(ImageModel model) {
    return new Method(model, Placement.RELEASED, ImageModel.Nets.RELEASED);
  }

  /** As in the paper's table, with what it leaves open: {@code CIF-MAF (released)}. */
  public String label() {
    String name =
        switch (model) {
          case VAE -> "VAE";
          case IWAE -> "IWAE (K = 5)";
          case IWAE_10 -> "IWAE (K = 10)";
          case IWAE_20 -> "IWAE (K = 20)";
          case MAF_SMALL -> "Small MAF";
          case MAF_SMALL_NOBN -> "Small MAF, no batch norm";
          case MAF_LARGE -> "Large MAF";
          case CIF_MAF -> "CIF-MAF";
          case NSF_SMALL -> "Small NSF";
          case NSF_LARGE -> "Large NSF";
          case CIF_NSF -> "CIF-NSF";
        };
    String small = nets == ImageModel.Nets.APPENDIX ? ", appendix nets" : "";
    return model.cif() ? name + " (" + placement + small + ")" : name;
  }

  /** In the paper's order, the authors' placement first. */
  @Override
  public int compareTo(Method other) {
    return ORDER.compare(this, other);
  }
}
