package cifvi.experiments.paper;

import cifvi.experiments.data.DataSet;
import cifvi.experiments.models.Decoder;
import java.util.List;

/** A column of Table 1: what is learnt from what. */
public record Column(DataSet data, Decoder decoder) {
  /** Those of the paper, in its order. */
  public static final List<Column> ALL =
      List.of(
          new Column(DataSet.MNIST, Decoder.SMALL),
          new Column(DataSet.FASHION_MNIST, Decoder.SMALL),
          new Column(DataSet.MNIST, Decoder.LARGE),
          new Column(DataSet.FASHION_MNIST, Decoder.LARGE));

  /** {@code MNIST, small decoder}. */
  public String label() {
    return data.title() + ", " + decoder + " decoder";
  }
}
