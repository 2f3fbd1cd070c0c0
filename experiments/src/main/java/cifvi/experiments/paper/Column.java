package cifvi.experiments.paper;

import cifvi.experiments.models.Decoder;
import java.util.List;

/** A column of Table 1: what is learnt from what. */
public record Column(String data, Decoder decoder) {
  /** Those of the paper, in its order. */
  public static final List<Column> ALL =
      List.of(
          new Column("mnist", Decoder.SMALL),
          new Column("fashion-mnist", Decoder.SMALL),
          new Column("mnist", Decoder.LARGE),
          new Column("fashion-mnist", Decoder.LARGE));

  /** {@code MNIST} or {@code Fashion-MNIST}. */
  public String dataName() {
    return data.equals("mnist") ? "MNIST" : data.equals("fashion-mnist") ? "Fashion-MNIST" : data;
  }

  /** {@code MNIST, small decoder}. */
  public String label() {
    return dataName() + ", " + decoder + " decoder";
  }
}
