package cifvi.experiments.models;

import cifvi.posterior.Placement;
import cifvi.tensor.Backend;
import cifvi.tensor.Precision;
import cifvi.vi.Model;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Every named model with its size. */
public final class Catalogue {
  private Catalogue() {}

  /**
   * One model.
   *
   * @param kind {@code mog} or {@code images}
   * @param decoder {@code small}, {@code large}, or null where nothing is decoded
   * @param latent dimension of z
   * @param parameters trainable numbers, masked entries counted: those of posterior and target
   * @param layers of the posterior
   */
  public record Row(
      String name,
      String kind,
      @Nullable String decoder,
      int latent,
      long parameters,
      long posterior,
      long target,
      int layers) {}

  /** Builds each model to count it. */
  public static List<Row> rows() {
    var backend = Backend.cpu(Precision.FLOAT32);
    var rows = new ArrayList<Row>();
    for (boolean learn : new boolean[] {false, true}) {
      rows.add(mog("nsf", false, learn, false, backend));
      rows.add(mog("cif-nsf", true, learn, false, backend));
      rows.add(mog("nsf-affine", false, learn, true, backend));
    }
    rows.add(coupling("coupling-affine", false, backend));
    rows.add(coupling("cif-coupling-affine", true, backend));
    for (MogFamily family : MogFamily.values()) {
      var model = family.build(backend, 0, 9, 1, false, FamilySizes.NONE);
      rows.add(row(family.toString(), "mog", null, 2, model));
    }
    for (Decoder decoder : Decoder.values()) {
      for (ImageModel image : ImageModel.values()) {
        rows.add(images(image.toString(), decoder, image, ImageModel.Nets.RELEASED, backend));
        if (image == ImageModel.CIF_MAF) {
          rows.add(images(image + "-appendix", decoder, image, ImageModel.Nets.APPENDIX, backend));
        }
      }
    }
    return rows;
  }

  private static Row mog(String name, boolean cif, boolean learn, boolean affine, Backend backend) {
    var mog = new MogModel(cif, 9, 1, learn, 3, Placement.PAPER, affine, false, MogModel.R.NORMAL);
    return row(name + (learn ? "-learnt-sigma0" : ""), "mog", null, 2, mog.build(backend, 0));
  }

  private static Row coupling(String name, boolean cif, Backend backend) {
    var mog = new MogModel(cif, 9, 1, false, 3, Placement.PAPER, false, true, MogModel.R.NORMAL);
    return row(name, "mog", null, 2, mog.build(backend, 0));
  }

  private static Row images(
      String name, Decoder decoder, ImageModel image, ImageModel.Nets nets, Backend backend) {
    var model = image.build(backend, 0, decoder, Placement.PAPER, nets);
    return row(name, "images", decoder.toString(), decoder.latent(), model);
  }

  private static Row row(
      String name, String kind, @Nullable String decoder, int latent, Model model) {
    try (model) {
      long all = model.parameters().count();
      long target = model.parameters().in("target").count();
      return new Row(
          name,
          kind,
          decoder,
          latent,
          all,
          all - target,
          target,
          model.posterior().layers().size());
    }
  }
}
