package cifvi.experiments.paper;

import cifvi.experiments.run.RunDirectory;
import cifvi.experiments.run.UserException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * The log-likelihood of every test image, a file for each evaluation of a run: {@code
 * fixed-S1000-0.csv}.
 *
 * @param images how many a whole file holds; any number where it is -1
 */
public record Likelihoods(Path folder, long images) {
  private static final Pattern FILE = Pattern.compile("(fresh|fixed)-S(\\d+)-0\\.csv");

  /** The numbers of importance samples with which the run was evaluated. */
  NavigableSet<Long> samples(Binarisation binarisation) {
    var samples = new TreeSet<Long>();
    if (Files.isDirectory(folder)) {
      try (var files = Files.list(folder)) {
        files
            .map(file -> FILE.matcher(file.getFileName().toString()))
            .filter(name -> name.matches() && name.group(1).equals(binarisation.toString()))
            .forEach(name -> samples.add(Long.parseLong(name.group(2))));
      } catch (IOException e) {
        throw new UserException(folder + ": cannot be read: " + RunDirectory.reason(e), e);
      }
    }
    return samples;
  }

  /** The log-likelihoods by image; empty where the evaluation was not made to its end. */
  Optional<SortedMap<Long, Double>> read(Binarisation binarisation, long samples, int repeat) {
    Path file = folder.resolve("%s-S%d-%d.csv".formatted(binarisation, samples, repeat));
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    var values = new TreeMap<Long, Double>();
    try (var lines = Files.lines(file)) {
      lines
          .skip(1)
          .map(line -> line.split(",", -1))
          .forEach(cells -> values.put(Long.parseLong(cells[0]), Double.parseDouble(cells[1])));
    } catch (IOException e) {
      throw new UserException(file + ": cannot be read: " + RunDirectory.reason(e), e);
    } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
      throw new UserException(file + ": holds a line that is no image: " + e.getMessage(), e);
    }
    boolean whole = images < 0 || values.size() == images;
    return whole && !values.isEmpty() ? Optional.of(values) : Optional.empty();
  }

  /** Their mean, the test log-likelihood of one evaluation. */
  Optional<Double> mean(Binarisation binarisation, long samples, int repeat) {
    return read(binarisation, samples, repeat)
        .map(values -> values.values().stream().mapToDouble(v -> v).average().orElseThrow());
  }
}
