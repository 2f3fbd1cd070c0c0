package cifvi.experiments.scoreboard;

import cifvi.experiments.files.Csv;
import cifvi.experiments.files.Texts;
import cifvi.experiments.files.UserException;
import cifvi.experiments.files.WholeFile;
import cifvi.experiments.scoreboard.StanFolder.StanPosterior;
import cifvi.experiments.target.KnownAnswers;
import cifvi.experiments.target.KnownAnswers.Moments;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * NUTS and ADVI on the same machine, by {@code rstan.R}: with rstan's defaults, and with as many
 * gradients as a fit of ours took. What it finds is kept in a folder, and not computed twice.
 */
public record RStan(Path folder) {
  private static final String SCRIPT = "rstan.R";

  /** Whether R is there with rstan. */
  public static boolean isThere() {
    try {
      var process =
          new ProcessBuilder(
                  "Rscript", "-e", "quit(status = !requireNamespace('rstan', quietly = TRUE))")
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      return process.waitFor(1, TimeUnit.MINUTES) && process.exitValue() == 0;
    } catch (IOException _) {
      return false;
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Runs all methods on a model whose source is there, unless that was done. */
  public List<Score> scores(StanPosterior posterior, double gradients, long seed) {
    Path found = folder.resolve(posterior.name() + ".csv");
    if (!Files.exists(found)) {
      run(posterior, gradients, seed, found);
    }
    return read(posterior, found, seed);
  }

  private void run(StanPosterior posterior, double gradients, long seed, Path found) {
    try {
      Files.createDirectories(folder);
      Path r = folder.resolve(SCRIPT);
      WholeFile.replace(r, script());
      Path data = folder.resolve(posterior.name() + ".data.R");
      WholeFile.replace(data, "list(%s)\n".formatted(String.join(", ", variables(posterior))));
      Path log = folder.resolve(posterior.name() + ".log");
      Path unfinished = folder.resolve(posterior.name() + ".new");
      var process =
          new ProcessBuilder(
                  "Rscript",
                  r.toString(),
                  posterior.source().orElseThrow().toString(),
                  data.toString(),
                  Long.toString(Math.round(gradients)),
                  Long.toString(seed),
                  unfinished.toString())
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
      if (process.waitFor() != 0) {
        throw new UserException("rstan failed on " + posterior.name() + ": see " + log);
      }
      Files.move(unfinished, found);
    } catch (IOException e) {
      throw new UserException(folder + ": cannot be written: " + WholeFile.reason(e), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UserException("interrupted while rstan ran", e);
    }
  }

  private static List<String> variables(StanPosterior posterior) throws IOException {
    if (posterior.data().isEmpty()) {
      return List.of();
    }
    Path file = posterior.data().get();
    return RData.variables(Texts.tree(Texts.JSON, file, WholeFile.read(file)));
  }

  /** A line a method and column, as the script writes it. */
  private static List<Score> read(StanPosterior posterior, Path file, long seed) {
    var methods = new LinkedHashMap<String, List<List<String>>>();
    try {
      Csv.read(
          WholeFile.read(file),
          line -> {
            if (line.number() > 1) {
              methods
                  .computeIfAbsent(line.cells().getFirst(), _ -> new ArrayList<>())
                  .add(line.cells());
            }
          });
    } catch (IOException e) {
      throw new UserException(file + ": cannot be read: " + WholeFile.reason(e), e);
    }
    return methods.entrySet().stream()
        .map(method -> score(posterior, method.getKey(), method.getValue(), seed))
        .toList();
  }

  private static Score score(
      StanPosterior posterior, String method, List<List<String>> lines, long seed) {
    Map<String, Moments> moments = new LinkedHashMap<>();
    for (List<String> line : lines) {
      moments.put(line.get(1), new Moments(number(line.get(2)), number(line.get(3))));
    }
    List<String> first = lines.getFirst();
    double gradients = number(first.get(5));
    @Nullable WorstErrors errors =
        posterior.known().map(known -> errors(known, moments)).orElse(null);
    return new Score(
        posterior.name(),
        method,
        seed,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        errors,
        null,
        Double.isNaN(gradients) ? null : gradients,
        number(first.get(4)),
        null);
  }

  private static @Nullable WorstErrors errors(KnownAnswers known, Map<String, Moments> moments) {
    return WorstErrors.of(known, moments::get);
  }

  private static double number(String text) {
    return text.equals("NA") ? Double.NaN : Double.parseDouble(text);
  }

  private static String script() throws IOException {
    try (InputStream in = Objects.requireNonNull(RStan.class.getResourceAsStream(SCRIPT))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
