package cifvi.experiments.paper;

import static java.util.Map.entry;

import cifvi.experiments.models.ImageModel;
import cifvi.vi.Estimate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** The paper's Table 1: test log-likelihood, mean and standard error over three runs. */
public final class PaperTable1 {
  private static final int RUNS = 3;

  /** In the order of {@link Column#ALL}. */
  private static final Map<ImageModel, List<Estimate>> VALUES =
      Map.ofEntries(
          entry(ImageModel.VAE, row(-94.83, 0.05, -238.54, 0.11, -86.27, 0.04, -229.72, 0.03)),
          entry(ImageModel.IWAE, row(-93.14, 0.10, -237.03, 0.05, -84.23, 0.09, -227.80, 0.02)),
          entry(
              ImageModel.MAF_SMALL, row(-91.98, 0.19, -237.09, 0.15, -83.41, 0.09, -228.74, 0.24)),
          entry(
              ImageModel.MAF_LARGE, row(-92.68, 0.26, -237.57, 0.03, -83.38, 0.12, -228.72, 0.27)),
          entry(ImageModel.CIF_MAF, row(-90.87, 0.05, -236.31, 0.14, -82.70, 0.12, -227.64, 0.05)),
          entry(
              ImageModel.NSF_SMALL, row(-91.12, 0.15, -236.65, 0.17, -83.06, 0.05, -228.58, 0.18)),
          entry(
              ImageModel.NSF_LARGE, row(-90.79, 0.02, -236.48, 0.13, -83.12, 0.10, -228.46, 0.07)),
          entry(ImageModel.CIF_NSF, row(-90.82, 0.09, -236.48, 0.20, -83.31, 0.17, -228.54, 0.12)));

  private PaperTable1() {}

  private static List<Estimate> row(double... meansAndErrors) {
    return IntStream.range(0, meansAndErrors.length / 2)
        .mapToObj(i -> new Estimate(meansAndErrors[2 * i], meansAndErrors[2 * i + 1], RUNS))
        .toList();
  }

  /** A cell; empty where the paper has none. */
  public static Optional<Estimate> value(ImageModel model, Column column) {
    int index = Column.ALL.indexOf(column);
    return index < 0
        ? Optional.empty()
        : Optional.ofNullable(VALUES.get(model)).map(row -> row.get(index));
  }

  /** Whether the rule makes the paper's cell bold; it does so for just those the paper has. */
  public static boolean isBold(ImageModel model, Column column) {
    List<Estimate> rivals =
        VALUES.keySet().stream().flatMap(rival -> value(rival, column).stream()).toList();
    return value(model, column).map(own -> Table1.isBold(own, rivals)).orElse(false);
  }
}
