package cifvi.cli.option;

import cifvi.experiments.run.Average;
import cifvi.experiments.run.LrSchedule;
import picocli.CommandLine.Option;

/** What a run may do beyond the paper's training. */
public final class RecipeOptions {
  @Option(
      names = "--lr-schedule",
      defaultValue = "constant",
      description = "constant or cosine (default: ${DEFAULT-VALUE}).")
  private String lrSchedule;

  @Option(
      names = "--average",
      defaultValue = "none",
      description = "Average of the weights: none or ema (default: ${DEFAULT-VALUE}).")
  private String average;

  public LrSchedule lrSchedule() {
    return RunOptions.choice("--lr-schedule", lrSchedule, LrSchedule.values());
  }

  public Average average() {
    return RunOptions.choice("--average", average, Average.values());
  }
}
