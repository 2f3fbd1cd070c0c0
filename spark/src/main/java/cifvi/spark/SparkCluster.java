package cifvi.spark;

import cifvi.cli.cluster.Cluster;
import cifvi.cli.cluster.Workspace;
import cifvi.experiments.files.FolderLock;
import cifvi.experiments.files.UserException;
import cifvi.experiments.files.WholeFile;
import cifvi.experiments.sweep.Cell;
import cifvi.experiments.sweep.CellFolder;
import cifvi.experiments.sweep.Job;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.java.function.Function;
import org.apache.spark.resource.ResourceProfile;
import org.apache.spark.resource.ResourceProfileBuilder;
import org.apache.spark.resource.TaskResourceRequests;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.status.api.v1.ExecutorSummary;
import scala.jdk.javaapi.CollectionConverters;

/** A Spark application: every cell, and every part of an evaluation, is a job of one task. */
final class SparkCluster implements Cluster {
  private static final Duration SAVING = Duration.ofMinutes(1);
  private static final Duration POLL = Duration.ofMillis(100);
  private static final Duration NOTE = Duration.ofSeconds(10);
  private static final int STOPPED = 143;

  private final SparkSession session;
  private final JavaSparkContext context;
  private final Masters master;
  private final SharedFolder folder;
  private final Path token;
  private final Workspace workspace;
  private final WorkerProgram program;
  private long counted = Long.MIN_VALUE;
  private int cores;

  private SparkCluster(
      SparkSession session, Masters master, Workspace workspace, WorkerProgram program) {
    this.session = session;
    this.context = JavaSparkContext.fromSparkContext(session.sparkContext());
    this.master = master;
    this.workspace = workspace;
    this.program = program;
    this.folder =
        new SharedFolder(
            workspace.address(), ".cifvi-" + UUID.randomUUID().toString().substring(0, 8));
    this.token = workspace.folder().resolve(folder.token());
  }

  static SparkCluster connect(
      String url, String name, Map<String, String> settings, Workspace workspace) {
    var master = new Masters(url);
    master.requireReachable();
    try {
      Path scratch = Files.createTempDirectory("cifvi");
      Runtime.getRuntime().addShutdownHook(new Thread(() -> Scratch.delete(scratch)));
      Shipment shipment = Shipment.of(scratch);
      List<String> jars = shipment.jars().stream().map(jar -> jar.toUri().toString()).toList();
      SparkSession session = Sessions.open(master, name, settings, jars);
      var program =
          new WorkerProgram(
              master.isLocal() ? shipment.classPath() : "",
              shipment.names(),
              Path.of("").toAbsolutePath().toString());
      var cluster = new SparkCluster(session, master, workspace, program);
      try {
        cluster.leaveToken();
        cluster.awaitWorkers();
        cluster.check();
        return cluster;
      } catch (RuntimeException e) {
        cluster.close();
        throw e;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void leaveToken() throws IOException {
    Files.createDirectories(workspace.folder());
    Files.writeString(token, "");
    workspace.publish(folder.token());
  }

  /** A cluster may be busy: it is waited for, and said what for. */
  private void awaitWorkers() {
    long note = System.nanoTime() + NOTE.toNanos();
    while (cores() == 0) {
      requireAlive();
      if (System.nanoTime() > note) {
        System.err.printf(
            "waiting for workers: none has offered an executor with %s of memory yet%n",
            context.getConf().get("spark.executor.memory"));
        note = System.nanoTime() + NOTE.toNanos();
      }
      sleep();
    }
  }

  /** Makes sure that workers have the right Java and see the folder. */
  private void check() {
    try {
      List<Integer> all = IntStream.range(0, cores()).boxed().toList();
      context.parallelize(all, all.size()).map(new CheckTask(folder)).collect().stream()
          .filter(problem -> !problem.isEmpty())
          .findFirst()
          .ifPresent(
              problem -> {
                throw new UserException(problem);
              });
    } catch (RuntimeException e) {
      throw Failures.explained(e);
    } catch (Exception e) { // Spark throws checked ones without saying so
      throw Failures.explained(e);
    }
  }

  @Override
  public synchronized int cores() {
    if (System.nanoTime() - counted > POLL.toNanos() || counted == Long.MIN_VALUE) {
      counted = System.nanoTime();
      requireAlive();
      cores =
          CollectionConverters.asJava(context.sc().statusStore().executorList(true)).stream()
              .mapToInt(ExecutorSummary::totalCores)
              .sum();
    }
    return cores;
  }

  private void requireAlive() {
    if (context.sc().isStopped()) {
      throw new UserException(
          "the cluster at "
              + master.url()
              + " has ended this program: look at its log; nothing is lost, and the same command goes on");
    }
  }

  @Override
  public Process start(Cell cell, CellFolder to) {
    return start(cell, to, CellTask.of(program, folder, cell));
  }

  Process start(Cell cell, CellFolder to, Function<Integer, TaskEnd> task) {
    int threads = Integer.parseInt(cell.options().getOrDefault("threads", "1"));
    boolean cuda = cell.options().getOrDefault("device", "cpu").startsWith("cuda");
    String group = UUID.randomUUID().toString();
    CompletableFuture<Integer> exit =
        submit(group, cell.name(), task, threads, cuda)
            .handle((end, failure) -> exitCode(end, failure, to));
    return new TaskProcess(exit, () -> cancel(group));
  }

  private int exitCode(TaskEnd end, Throwable failure, CellFolder to) {
    workspace.refresh(List.of(to));
    if (failure == null) {
      note(to, end.text());
      return end.exitCode();
    }
    if (Failures.isCancelled(failure)) {
      awaitSaved(to);
      return STOPPED;
    }
    requireAlive();
    note(to, String.valueOf(Failures.explained(failure).getMessage()));
    return 1;
  }

  /** A cell whose process could not say it itself. */
  private static void note(CellFolder to, String text) {
    if (!text.isEmpty()) {
      try {
        Files.createDirectories(to.log().toAbsolutePath().getParent());
        Files.writeString(
            to.log(),
            text + "\n",
            StandardCharsets.UTF_8,
            StandardOpenOption.CREATE,
            StandardOpenOption.APPEND);
      } catch (IOException e) {
        throw new UserException(to.log() + ": cannot be written: " + WholeFile.reason(e), e);
      }
    }
  }

  /** The task is gone from Spark's books before its process has saved. */
  private static void awaitSaved(CellFolder to) {
    long until = System.nanoTime() + SAVING.toNanos();
    while (FolderLock.isBusy(to.path()) && System.nanoTime() < until) {
      sleep();
    }
  }

  @Override
  public CompletableFuture<String> compute(List<String> words, int threads, boolean cuda) {
    String group = UUID.randomUUID().toString();
    var result = new CompletableFuture<String>();
    var _ =
        submit(group, words.getFirst(), new ComputeTask(program, folder, words), threads, cuda)
            .whenComplete(
                (end, failure) -> {
                  if (failure != null) {
                    result.completeExceptionally(Failures.explained(failure));
                  } else if (end.exitCode() != 0) {
                    result.completeExceptionally(new UserException(end.text()));
                  } else {
                    result.complete(end.text());
                  }
                });
    var _ =
        result.whenComplete(
            (_, _) -> {
              if (result.isCancelled()) {
                cancel(group);
              }
            });
    return result;
  }

  private CompletableFuture<TaskEnd> submit(
      String group, String what, Function<Integer, TaskEnd> task, int threads, boolean cuda) {
    var end = new CompletableFuture<TaskEnd>();
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                context.setJobGroup(group, what, true);
                JavaRDD<Integer> one = context.parallelize(Collections.singletonList(0), 1);
                if (!master.isLocal()) {
                  one = one.withResources(profile(threads, cuda));
                }
                end.complete(one.map(task).collect().getFirst());
              } catch (Throwable e) { // whatever Spark throws is told by the one who waits
                end.completeExceptionally(e);
              }
            });
    return end;
  }

  private static ResourceProfile profile(int threads, boolean cuda) {
    var requests = new TaskResourceRequests().cpus(threads);
    if (cuda) {
      requests.resource("gpu", 1);
    }
    return new ResourceProfileBuilder().require(requests).build();
  }

  private void cancel(String group) {
    try {
      context.cancelJobGroup(group);
    } catch (IllegalStateException _) {
      // Spark has stopped already: its executors end, and processes with them
    }
  }

  @Override
  public void requireParquet(String to) {
    SweepParquet.require(session, to);
  }

  @Override
  public void writeParquet(List<Job> jobs, String to) {
    new SweepParquet(session, workspace, jobs).write(to);
  }

  private static void sleep() {
    try {
      Thread.sleep(POLL);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UserException("interrupted", e);
    }
  }

  @Override
  public void close() {
    try {
      Files.deleteIfExists(token);
      workspace.unpublish(folder.token());
    } catch (IOException _) {
      // an empty file stays
    }
    session.stop();
  }
}
