package cifvi.cli;

import cifvi.cli.option.DeviceOption;
import cifvi.cli.option.ExitCode;
import cifvi.experiments.benchmark.Floor;
import cifvi.experiments.benchmark.StepBenchmark;
import cifvi.experiments.benchmark.StepCase;
import cifvi.experiments.files.Texts;
import cifvi.experiments.files.UserException;
import cifvi.experiments.run.RunSpec;
import cifvi.tensor.Backend;
import cifvi.tensor.Precision;
import cifvi.tensor.Torch;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code cifvi bench}: milliseconds a training step, for each model and engine. */
@Command(
    name = "bench",
    description = "Time training steps of the paper's models, engines side by side.")
public final class BenchCommand implements Callable<Integer> {
  private static final int MOST_SECONDS = 86_400;

  @Spec private CommandSpec spec;

  @Option(
      names = "--case",
      paramLabel = "GLOB",
      defaultValue = "{mog,density,images-small}-*",
      description = "Which cases, for instance 'images-large-*' (default: ${DEFAULT-VALUE}).")
  private String glob;

  @Option(
      names = "--engine",
      split = ",",
      description = "Engines to compare (default: eager,fused; eager,graph with cuda).")
  private @Nullable List<String> engines;

  @Option(
      names = "--threads",
      defaultValue = "1",
      description = "Threads inside a step (default: ${DEFAULT-VALUE}).")
  private int threads;

  @Option(
      names = "--seconds",
      defaultValue = "5",
      description = "Time for each case and engine (default: ${DEFAULT-VALUE}).")
  private double seconds;

  @Mixin private DeviceOption device;

  @Option(names = "--tf32", description = "Less exact float32 products on a GPU.")
  private boolean tf32;

  @Option(names = "--json", description = "Print a JSON array instead of a table.")
  private boolean json;

  @Override
  public Integer call() {
    RunSpec.requireCount("--threads", threads, RunSpec.MOST_THREADS);
    if (!(seconds > 0 && seconds <= MOST_SECONDS)) {
      throw new UserException(
          "--seconds: expected a positive number up to " + MOST_SECONDS + ", got " + seconds);
    }
    Torch.load();
    Torch.threads(threads);
    Torch.tf32(tf32);
    Backend backend = device.backend(Precision.FLOAT32);
    var matcher = FileSystems.getDefault().getPathMatcher("glob:" + glob);
    var cases = StepCase.all().stream().filter(c -> matcher.matches(Path.of(c.name()))).toList();
    if (cases.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(),
          "--case "
              + glob
              + " matches none of "
              + StepCase.all().stream().map(StepCase::name).toList());
    }
    double floor = Floor.gflops(backend);
    var out = spec.commandLine().getOut();
    var rows = new ArrayList<StepBenchmark.Row>();
    if (!json) {
      out.printf(
          "%-28s %-6s %-6s %7s %8s %8s %10s %8s %6s %8s %8s %10s %8s%n",
          "case",
          "engine",
          "device",
          "threads",
          "ms/step",
          "ms p10",
          "samples/s",
          "GFLOP/s",
          "floor",
          "start ms",
          "model ms",
          "compile ms",
          "peak MB");
    }
    for (StepCase step : cases) {
      var measured = StepBenchmark.run(step, able(step, backend), backend, threads, floor, seconds);
      rows.addAll(measured);
      if (!json) {
        measured.forEach(
            r ->
                out.printf(
                    Locale.ROOT,
                    "%-28s %-6s %-6s %7d %8.2f %8.2f %10.0f %8.1f %5.0f%% %8.0f %8.0f %10.0f %8.0f%n",
                    r.caseName(),
                    r.engine(),
                    r.device(),
                    r.threads(),
                    r.msMedian(),
                    r.msP10(),
                    r.samplesPerSecond(),
                    r.gflops(),
                    100 * r.floorShare(),
                    r.startMs(),
                    r.modelMs(),
                    r.compileMs(),
                    r.peakMb()));
        out.flush();
      }
    }
    if (json) {
      out.println(Texts.JSON.writeValueAsString(rows.stream().map(BenchCommand::json).toList()));
    }
    return ExitCode.DONE;
  }

  /** The engines asked for that can run this case; the others are noted. */
  private List<String> able(StepCase step, Backend backend) {
    var able = new ArrayList<String>();
    List<String> wanted = List.of("eager", backend.cuda() ? "graph" : "fused");
    for (String engine : engines == null ? wanted : engines) {
      Optional<String> obstacle = step.obstacle(engine, backend);
      obstacle.ifPresentOrElse(
          why -> spec.commandLine().getErr().println(step.name() + ": " + why),
          () -> able.add(engine));
    }
    return able;
  }

  /** Under the names users' scripts rely on. */
  private static Map<String, Object> json(StepBenchmark.Row row) {
    var map = new LinkedHashMap<String, Object>();
    map.put("case", row.caseName());
    map.put("engine", row.engine());
    map.put("device", row.device());
    map.put("threads", row.threads());
    map.put("ms_median", row.msMedian());
    map.put("ms_p10", row.msP10());
    map.put("samples_per_second", row.samplesPerSecond());
    map.put("gflops", row.gflops());
    map.put("floor_share", row.floorShare());
    map.put("start_ms", row.startMs());
    map.put("model_ms", row.modelMs());
    map.put("compile_ms", row.compileMs());
    map.put("peak_mb", row.peakMb());
    return map;
  }
}
