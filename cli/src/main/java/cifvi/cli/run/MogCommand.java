package cifvi.cli.run;

import cifvi.cli.kind.MogKind;
import cifvi.cli.option.ObjectiveOptions;
import cifvi.cli.option.RecipeOptions;
import cifvi.cli.option.RunOptions;
import cifvi.experiments.models.FamilySizes;
import cifvi.experiments.models.MogModel;
import cifvi.experiments.mog.MogSpec;
import cifvi.experiments.mog.Sigma0;
import cifvi.experiments.run.NamedObjective;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code cifvi mog}: one run of the mixture experiment, paper section 4.1. */
@Command(
    name = "mog",
    sortOptions = false,
    description = "Fit one flow or CIF to a mixture of Gaussians (paper section 4.1).",
    footer = "Stopped by Ctrl-C, a run is saved: go on with cifvi resume DIR.")
public final class MogCommand implements RunCommand {
  @Spec private CommandSpec spec;

  @Option(
      names = "--model",
      defaultValue = "cif-nsf",
      description =
          "cif-nsf, nsf, nsf-affine, coupling-affine, cif-coupling-affine, hvm, sivi or hvi"
              + " (default: ${DEFAULT-VALUE}).")
  private String model;

  @Option(
      names = "--components",
      defaultValue = "9",
      description = "9 or 16 (default: ${DEFAULT-VALUE}).")
  private int components;

  @Option(
      names = "--sigma0",
      defaultValue = "1",
      description = "Base standard deviation: a number or learn (default: ${DEFAULT-VALUE}).")
  private String sigma0;

  @Option(
      names = "--steps",
      defaultValue = "20000",
      description = "Training steps (default: ${DEFAULT-VALUE}).")
  private long steps;

  @Option(
      names = "--samples",
      defaultValue = "1000",
      description =
          "Draws a step, or rows of K draws with iwae:K and dreg:K (default: ${DEFAULT-VALUE}).")
  private int samples;

  @Option(
      names = "--tail-bound",
      defaultValue = "3",
      description = "Box of the splines (default: ${DEFAULT-VALUE}).")
  private double tailBound;

  @Mixin private RecipeOptions recipe;

  @Option(
      names = "--init-from",
      paramLabel = "DIR",
      description =
          "Start from this flow as a neutral CIF or as a flow; from this CIF with a new r, to learn it alone with --objective r.")
  private @Nullable Path initFrom;

  @Option(
      names = "--sizes",
      paramLabel = "NAME=N,…",
      description = "Of hvm, sivi and hvi: hidden, index, layers, extra, leaps (default: tuned).")
  private @Nullable String sizes;

  @Option(
      names = "--r",
      paramLabel = "NAME",
      defaultValue = "normal",
      description =
          "Auxiliary density of a CIF: normal, mixture or flow (default: ${DEFAULT-VALUE}).")
  private String r;

  @Mixin private ObjectiveOptions objective;

  @Mixin private RunOptions run;

  @Override
  public Integer call() {
    return RunCommand.start(spec, new MogKind(), settings(), run.out(MogSpec.KIND, model));
  }

  @Override
  public MogSpec settings() {
    return new MogSpec(
        MogSpec.KIND,
        RunOptions.choice("--model", model, MogSpec.Flow.values()),
        components,
        Sigma0.parse(sigma0),
        tailBound,
        run.placement(),
        steps,
        samples,
        run.learningRate(),
        recipe.lrSchedule(),
        recipe.average(),
        run.clip(5),
        initFrom == null ? null : initFrom.toAbsolutePath().normalize().toString(),
        sizes == null ? null : FamilySizes.parse(sizes),
        RunOptions.choice("--r", r, MogModel.R.values()),
        objective.objective(NamedObjective.ELBO),
        objective.warmUp(),
        run.seed(),
        run.threads(),
        run.precision(),
        run.engine(),
        run.device(),
        run.tf32());
  }
}
