package cifvi.cli.kind;

import cifvi.cli.progress.Interrupt;
import cifvi.cli.report.Contents;
import cifvi.cli.report.FigureFolders;
import cifvi.cli.report.images.ImagesContents;
import cifvi.experiments.data.ImageData;
import cifvi.experiments.data.ImageSet;
import cifvi.experiments.images.ImagesEvaluation.TestBinarisation;
import cifvi.experiments.images.ImagesExperiment;
import cifvi.experiments.images.ImagesResult;
import cifvi.experiments.images.ImagesSpec;
import cifvi.experiments.parts.PartRow;
import cifvi.experiments.run.Run;
import cifvi.experiments.run.RunDirectory;
import cifvi.experiments.run.RunListener;
import cifvi.experiments.run.RunSpec;
import cifvi.vi.Progress;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Image runs. */
public final class ImagesKind implements RunKind<ImagesSpec, ImagesResult> {
  @Override
  public String name() {
    return ImagesSpec.KIND;
  }

  @Override
  public ImagesExperiment experiment(@Nullable Path dataDir) {
    return dataDir == null
        ? new ImagesExperiment()
        : new ImagesExperiment(spec -> spec.load(dataDir));
  }

  @Override
  public RunListener console(ImagesSpec spec, Interrupt interrupt) {
    return new ImagesConsole(spec, interrupt);
  }

  @Override
  public void print(PrintWriter out, ImagesResult result) {
    ImagesTable.print(out, result);
  }

  @Override
  public void evaluate(
      RunDirectory directory,
      ImagesSpec spec,
      EvaluateOptions options,
      PrintWriter out,
      Interrupt interrupt) {
    EvaluateOptions.refuse("--outer", options.outer(), name());
    EvaluateOptions.refuse("--inner", options.inner(), name());
    var data = experiment(options.dataDir()).data(spec);
    if (options.validation() != null) {
      validate(directory, spec, options, data, out, console(spec, interrupt));
      return;
    }
    var test = data.test();
    int count = count(test, spec, options);
    new ImagesEvaluate(
            directory,
            options.device(),
            test,
            count,
            EvaluateOptions.positive("--importance-samples", options.importanceSamples(), 1000),
            options.repeats(),
            options.chunk(),
            options.elsewhere(),
            options.dataDir())
        .run(out, console(spec, interrupt));
  }

  private static void validate(
      RunDirectory directory,
      ImagesSpec spec,
      EvaluateOptions options,
      ImageData data,
      PrintWriter out,
      RunListener console) {
    requireAlone("--limit-test", options.limitTest() == null);
    requireAlone("--repeat", options.repeats() == 1);
    requireAlone("--master", options.elsewhere() == null);
    ImageSet images = spec.validationImages(data.train());
    int count = EvaluateOptions.positive("--validation", options.validation(), images.count());
    requireAtMost("--validation", images.count(), count);
    int samples =
        EvaluateOptions.positive("--importance-samples", options.importanceSamples(), 1000);
    new ImagesValidation(directory, options.device(), images, count, samples, options.chunk())
        .run(out, console);
  }

  private static void requireAlone(String option, boolean absent) {
    RunSpec.require(absent, option + ": is for test images, not with --validation: leave it out");
  }

  private static void requireAtMost(String option, int there, int count) {
    RunSpec.require(
        count <= there,
        "%s: expected at most the %d there are, got %d".formatted(option, there, count));
  }

  private static int count(ImageSet test, ImagesSpec spec, EvaluateOptions options) {
    int all = spec.limitTest() == null ? test.count() : spec.limitTest();
    int count = EvaluateOptions.positive("--limit-test", options.limitTest(), all);
    requireAtMost("--limit-test", test.count(), count);
    return count;
  }

  @Override
  public List<PartRow> part(RunDirectory directory, PartRequest request) {
    EvaluateOptions options = request.options();
    int samples =
        EvaluateOptions.positive("--importance-samples", options.importanceSamples(), 1000);
    ImagesSpec spec = ImagesSpec.read(directory);
    ImageSet test = experiment(options.dataDir()).data(spec).test();
    int count = count(test, spec, options);
    try (var trained =
            Run.load(new ImagesExperiment(), directory, options.device(), RunListener.SILENT);
        var weights = trained.weights()) {
      var evaluation =
          ImagesEvaluate.evaluation(trained.model(), weights, spec.seed(), options.chunk());
      return evaluation.parts(
          test,
          count,
          request.fresh() ? TestBinarisation.FRESH : TestBinarisation.FIXED,
          samples,
          request.repeat(),
          request.of(evaluation.units(count, samples)),
          Progress.SILENT);
    }
  }

  @Override
  public Contents contents(
      List<RunDirectory> runs,
      @Nullable Path dataDir,
      @Nullable String device,
      FigureFolders figures) {
    return ImagesContents.read(runs, experiment(dataDir)::data, device, figures);
  }
}
