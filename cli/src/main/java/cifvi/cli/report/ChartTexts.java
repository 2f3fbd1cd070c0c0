package cifvi.cli.report;

import cifvi.experiments.figures.ElboAxis;

/**
 * The words of a chart.
 *
 * @param axis what the vertical axis is
 * @param value what is read off
 * @param unit what the horizontal axis counts
 * @param first where it begins
 * @param note how to read the lines
 */
public record ChartTexts(String axis, String value, String unit, long first, String note) {
  public static final ChartTexts OF_IMAGES =
      new ChartTexts(
          "ELBO of the validation images after each epoch",
          "Validation ELBO",
          "epoch",
          1,
          "Line: validation, one draw an image. Band: one standard error to either side. Dot: the"
              + " best epoch, whose parameters are tested. Dashed: mean of the training objective"
              + " over the epoch, which for iwae is its importance-weighted bound. What lies below"
              + " the axis, as at the start, is cut off.");

  public static final ChartTexts OF_ROWS =
      new ChartTexts(
          "ELBO of the validation rows",
          "Validation ELBO",
          "validation",
          1,
          "Line: validation rows, one draw a row. Band: one standard error to either side. Dot: the"
              + " best, whose parameters are tested. Dashed: mean over the training steps before it.");

  public static final ChartTexts OF_FIT =
      new ChartTexts(
          "ELBO while training, one stage after the other",
          "Smoothed ELBO",
          "step",
          0,
          "Line: smoothed. Band: lowest and highest among neighbouring steps. What lies below the"
              + " axis, as at the start, is cut off.");

  public static ChartTexts ofTraining(ElboAxis axis) {
    String scale = axis.stretched() ? ", logarithmic far below 0" : "";
    return new ChartTexts(
        "ELBO while training" + scale + "; 0 is the best possible",
        "Smoothed ELBO",
        "step",
        0,
        "Line: smoothed. Band: lowest and highest among neighbouring steps. What lies below the"
            + " axis, as at the start, is cut off.");
  }
}
