package cifvi.cli.report;

import cifvi.cli.kind.RunKinds;
import cifvi.experiments.models.MogModel;
import cifvi.experiments.mog.MogExperiment;
import cifvi.experiments.mog.MogSpec;
import cifvi.experiments.mog.Sigma0;
import cifvi.experiments.run.Average;
import cifvi.experiments.run.LrSchedule;
import cifvi.experiments.run.NamedObjective;
import cifvi.experiments.run.Run;
import cifvi.experiments.run.RunListener;
import cifvi.posterior.Placement;
import cifvi.tensor.Precision;
import java.nio.file.Path;
import java.util.List;

/** Runs of a few steps, to have something to report. */
public final class TinyRuns {
  /** As the commands read runs. */
  public static final Report.Reader READER = RunKinds.reader(null, null);

  private static final int STEPS = 20;

  private TinyRuns() {}

  /** A flow, a CIF whose folder has an awkward name, and a run that was stopped. */
  public static List<Path> in(Path folder) {
    Path flow = folder.resolve("flow");
    Path cif = folder.resolve("a <b> & \"c\" 'd'");
    Path stopped = folder.resolve("stopped");
    Run.start(new MogExperiment(), spec(MogSpec.Flow.NSF, "10"), flow, RunListener.SILENT);
    Run.start(new MogExperiment(), spec(MogSpec.Flow.CIF_NSF, "0.1"), cif, RunListener.SILENT);
    Run.start(
        new MogExperiment(),
        spec(MogSpec.Flow.NSF, "learn"),
        stopped,
        new RunListener() {
          @Override
          public boolean step(long done, long steps, double elbo) {
            return done < 7;
          }
        });
    return List.of(flow, cif, stopped);
  }

  private static MogSpec spec(MogSpec.Flow flow, String sigma0) {
    return new MogSpec(
        MogSpec.KIND,
        flow,
        9,
        Sigma0.parse(sigma0),
        3,
        Placement.PAPER,
        STEPS,
        50,
        0.001,
        LrSchedule.CONSTANT,
        Average.NONE,
        5,
        null,
        null,
        MogModel.R.NORMAL,
        NamedObjective.ELBO,
        null,
        1,
        1,
        Precision.FLOAT32,
        "eager",
        "cpu",
        false);
  }
}
