package cifvi.cli.sweep;

import cifvi.cli.cluster.Cluster;
import cifvi.cli.cluster.Workspace;
import cifvi.experiments.files.UserException;
import cifvi.experiments.sweep.Job;
import cifvi.experiments.sweep.Job.Status;
import cifvi.experiments.sweep.Sweep;
import java.util.List;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/** A cluster: each cell is a task. */
record Elsewhere(Cluster cluster, Workspace workspace, SweepPlan plan, @Nullable String parquet)
    implements Place {
  private static final long REFRESH_NANOS = 2_000_000_000L;

  Elsewhere {
    if (parquet != null) {
      try {
        cluster.requireParquet(parquet);
      } catch (UserException e) {
        cluster.close();
        throw e;
      }
    }
  }

  @Override
  public IntSupplier atATime() {
    return () -> Math.max(1, cluster.cores() / plan.threads());
  }

  @Override
  public Sweep.Starter starter(int atATime) {
    return cluster::start;
  }

  @Override
  public Sweep.Listener listener(Sweep.Listener console) {
    return new Sweep.Listener() {
      private long refreshed = System.nanoTime();

      @Override
      public void changed(List<Job> jobs) {
        console.changed(jobs);
        workspace.publish("results.csv");
        workspace.publish("index.html");
      }

      @Override
      public void started(Job job) {
        console.started(job);
      }

      @Override
      public void ended(Job job, int exitCode) {
        console.ended(job, exitCode);
      }

      @Override
      public boolean goOn(List<Job> jobs) {
        if (System.nanoTime() - refreshed > REFRESH_NANOS) {
          workspace.refresh(
              jobs.stream()
                  .filter(job -> job.status() == Status.RUNNING)
                  .map(Job::folder)
                  .toList());
          refreshed = System.nanoTime();
        }
        return console.goOn(jobs);
      }
    };
  }

  @Override
  public void finish(List<Job> jobs) {
    if (parquet != null) {
      cluster.writeParquet(jobs, parquet);
    }
  }

  @Override
  public String address() {
    return workspace.address();
  }

  @Override
  public void close() {
    cluster.close();
  }
}
