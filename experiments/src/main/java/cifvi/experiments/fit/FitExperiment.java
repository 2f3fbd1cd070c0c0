package cifvi.experiments.fit;

import cifvi.Draws;
import cifvi.Family;
import cifvi.Fit;
import cifvi.FittedPosterior;
import cifvi.Report;
import cifvi.diagnostics.Calibration;
import cifvi.diagnostics.ReferenceDraws;
import cifvi.diagnostics.Trust;
import cifvi.experiments.files.UserException;
import cifvi.experiments.files.WholeFile;
import cifvi.experiments.run.Experiment;
import cifvi.experiments.run.RunDirectory;
import cifvi.experiments.run.RunListener;
import cifvi.experiments.run.RunSpec;
import cifvi.experiments.run.StepRow;
import cifvi.experiments.target.KnownAnswers;
import cifvi.vi.Progress.StoppedException;
import cifvi.vi.StepTime;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A posterior of one's own in a run directory: the library fits it, and keeps its state in {@code
 * checkpoints/}; draws and the posterior itself are written at the end.
 */
public final class FitExperiment implements Experiment<FitSpec, FitResult> {
  /** The posterior as one file. */
  public static final String POSTERIOR = "posterior.cifvi";

  /** The only one there is. */
  public FitExperiment() {}

  @Override
  public Class<FitSpec> specType() {
    return FitSpec.class;
  }

  @Override
  public Optional<FitResult> result(RunDirectory directory, FitSpec spec) {
    return directory.has(RunDirectory.RESULT)
        ? Optional.of(FitResult.read(directory))
        : Optional.empty();
  }

  @Override
  public Prepared<FitSpec, FitResult> prepare(FitSpec requested) {
    requested.backend();
    FitSource source = FitSource.of(requested);
    ReferenceDraws reference =
        requested.reference() == null ? null : ReferenceFile.read(Path.of(requested.reference()));
    if (requested.calibrate() != null) {
      Simulations.require(source);
    }
    Fit fit = settings(source.fit(), requested);
    FitSpec spec = RunSpec.withEngine(requested, fit.chooseEngine(), FitSpec.class);
    return new Prepared<>() {
      @Override
      public FitSpec spec() {
        return spec;
      }

      @Override
      public Optional<FitResult> run(RunDirectory directory, RunListener listener) {
        source.notes().forEach(listener::note);
        return fitted(fit.engine(spec.engine()), source, spec, reference, directory, listener);
      }

      @Override
      public void close() {
        source.close();
      }
    };
  }

  private static Fit settings(Fit fit, FitSpec spec) {
    Fit all =
        fit.family(Family.of(spec.family()))
            .samples(spec.samples())
            .starts(spec.starts())
            .startDraws(spec.draws())
            .seed(spec.seed())
            .threads(spec.threads())
            .engine(spec.engine())
            .device(spec.device())
            .decay(spec.lrSchedule().equals("cosine"))
            .average(spec.average().equals("ema"))
            .objective(spec.objective().warmedUp(spec.warmUp()))
            .clip(spec.clip())
            .placement(spec.placement())
            .precision(spec.precision());
    all = spec.initialScale() == null ? all : all.initialScale(spec.initialScale());
    all = spec.steps() == null ? all : all.steps(spec.steps());
    return spec.learningRate() == null ? all : all.learningRate(spec.learningRate());
  }

  private static Optional<FitResult> fitted(
      Fit fit,
      FitSource source,
      FitSpec spec,
      @Nullable ReferenceDraws reference,
      RunDirectory directory,
      RunListener listener) {
    long start = System.nanoTime();
    try (var metrics = new FitMetrics(directory, listener);
        FittedPosterior posterior =
            fit.resumable(directory.file("checkpoints")).listener(metrics).run()) {
      if (metrics.stopped()) {
        return Optional.empty();
      }
      metrics.saving();
      Draws draws = posterior.draws(spec.draws());
      draws.notes().forEach(listener::note);
      Draws.write(
          spec.starts() > 1 ? posterior.starts() : List.of(draws),
          directory.file(spec.drawsFile()));
      posterior.save(directory.file(POSTERIOR));
      Trust trust = posterior.trust(draws, reference);
      Calibration calibration = null;
      if (spec.calibrate() != null) {
        var simulations = new Simulations(source, directory, f -> settings(f, spec), listener);
        calibration = simulations.run(spec.calibrate(), spec.seed()).orElse(null);
        if (calibration == null) {
          return Optional.empty();
        }
      }
      double training = StepRow.read(directory).stream().mapToDouble(StepRow::ms).sum() / 1e3;
      double seconds = training + (System.nanoTime() - start) / 1e9 - metrics.seconds();
      return Optional.of(
          result(
              source,
              spec,
              posterior,
              draws,
              trust,
              calibration,
              directory,
              metrics.time(),
              seconds,
              training));
    } catch (StoppedException _) {
      return Optional.empty(); // before the first step
    } catch (IOException e) {
      throw new UserException(directory.path() + ": cannot be written: " + WholeFile.reason(e), e);
    }
  }

  private static FitResult result(
      FitSource source,
      FitSpec spec,
      FittedPosterior posterior,
      Draws draws,
      Trust trust,
      @Nullable Calibration calibration,
      RunDirectory directory,
      StepTime time,
      double seconds,
      double training) {
    Report report = posterior.report();
    long steps = StepRow.read(directory).size();
    Trust.Bracket bracket = trust.bracket();
    return new FitResult(
        FitSpec.KIND,
        report.family().toString(),
        spec.subject(),
        spec.seed(),
        steps,
        posterior.size(),
        spec.engine(),
        spec.device(),
        seconds,
        1e3 * training / Math.max(1, steps),
        share(time.density(), time),
        share(time.waiting(), time),
        report.family().toString(),
        posterior.parameters().unconstrainedSize(),
        draws.names(),
        report.elbo(),
        report.elboError(),
        bracket == null ? report.elbo() : bracket.upper(),
        bracket == null ? report.elbo() : bracket.lower(),
        bracket == null ? report.elboError() : bracket.error(),
        trust.joint().logEvidence(),
        trust.joint().logEvidenceError(),
        trust.joint().kHat(),
        trust.joint().kHatThreshold(),
        trust.joint().ess(),
        trust.verdict().toString(),
        draws.size(),
        report.calls(),
        report.starts(),
        FitResult.Summary.of(draws),
        source.known().flatMap(FitExperiment::logZ).orElse(null),
        source
            .known()
            .filter(known -> !known.regions().isEmpty())
            .map(known -> regions(known, draws))
            .orElse(null),
        Stream.of(source.notes(), report.notes(), draws.notes()).flatMap(List::stream).toList(),
        trust,
        calibration);
  }

  private static @Nullable Double share(double seconds, StepTime time) {
    return time.steps() == 0 || Double.isNaN(time.density()) ? null : seconds / time.seconds();
  }

  private static Optional<Double> logZ(KnownAnswers known) {
    return known.logZ().isPresent() ? Optional.of(known.logZ().getAsDouble()) : Optional.empty();
  }

  private static List<FitResult.Region> regions(KnownAnswers known, Draws draws) {
    return known.regions().stream().map(region -> FitResult.Region.of(region, draws)).toList();
  }

  /** The posterior of a finished run; the caller closes it. */
  public static FittedPosterior load(RunDirectory directory) {
    Path file = directory.file(POSTERIOR);
    if (!directory.has(POSTERIOR)) {
      throw new UserException(
          directory.path() + " is not finished: go on with cifvi resume " + directory.path());
    }
    return FitSource.of(FitSpec.read(directory)).load(file);
  }
}
