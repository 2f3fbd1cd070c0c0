package cifvi.experiments.parts;

import cifvi.experiments.files.CsvLog;
import cifvi.experiments.files.UserException;
import cifvi.experiments.files.WholeFile;
import cifvi.experiments.run.RunDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The parts of one evaluation that are there, in {@code parts/KEY/}: a file for every range of
 * units, so that an evaluation that was stopped goes on, cut as it likes.
 *
 * @param key all that the numbers depend on
 */
public record Parts(RunDirectory directory, String key, PartUnits units) {
  private static final String FOLDER = RunDirectory.PARTS;
  private static final Pattern NAME = Pattern.compile("(\\d+)-(\\d+)\\.csv");

  /** Units from a number to before another. */
  public record Range(long from, long to) {}

  /** What is missing, cut into about so many ranges of equal length. */
  public List<Range> missing(long ranges) {
    boolean[] known = new boolean[Math.toIntExact(units.count())];
    long count = known.length;
    for (Range range : known()) {
      for (long unit = range.from; unit < range.to; unit++) {
        count -= known[(int) unit] ? 0 : 1;
        known[(int) unit] = true;
      }
    }
    long length = Math.max(1, Math.ceilDiv(count, Math.max(1, ranges)));
    var missing = new ArrayList<Range>();
    for (int from = 0; from < known.length; ) {
      int to = from;
      while (to < known.length && !known[to] && to - from < length) {
        to++;
      }
      if (to > from) {
        missing.add(new Range(from, to));
      }
      from = Math.max(to, from + 1);
    }
    return missing;
  }

  private Path folder() {
    return directory.file(FOLDER).resolve(key);
  }

  private List<Range> known() {
    try (Stream<Path> files = Files.list(folder())) {
      return files
          .map(file -> NAME.matcher(String.valueOf(file.getFileName())))
          .filter(Matcher::matches)
          .map(m -> new Range(Long.parseLong(m.group(1)), Long.parseLong(m.group(2))))
          .toList();
    } catch (IOException _) {
      return List.of();
    }
  }

  /** Keeps what was computed of a range. */
  public void keep(Range range, String csv) {
    directory.createFolder(FOLDER + "/" + key);
    directory.write(file(range), csv);
  }

  private String file(Range range) {
    return FOLDER + "/" + key + "/" + range.from + "-" + range.to + ".csv";
  }

  /** All rows in their order, when nothing is missing; each unit once. */
  public List<PartRow> rows() {
    var rows = new ArrayList<PartRow>();
    var ranges = new ArrayList<>(known());
    ranges.sort(Comparator.comparingLong(Range::from));
    for (Range range : ranges) {
      rows.addAll(CsvLog.read(directory.file(file(range)), PartRow.class));
    }
    rows.sort(Comparator.comparingLong(PartRow::row).thenComparingLong(PartRow::draw));
    var distinct = new ArrayList<PartRow>();
    for (PartRow row : rows) {
      if (distinct.isEmpty()
          || row.row() != distinct.getLast().row()
          || row.draw() != distinct.getLast().draw()) {
        distinct.add(row);
      }
    }
    return distinct;
  }

  /** Takes the parts away, once their sum is kept. */
  public void delete() {
    try {
      for (Range range : known()) {
        Files.deleteIfExists(directory.file(file(range)));
      }
      Files.deleteIfExists(folder());
    } catch (IOException e) {
      throw new UserException(folder() + ": cannot be written: " + WholeFile.reason(e), e);
    }
  }
}
