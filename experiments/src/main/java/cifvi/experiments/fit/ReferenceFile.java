package cifvi.experiments.fit;

import cifvi.diagnostics.ReferenceDraws;
import cifvi.experiments.files.Csv;
import cifvi.experiments.files.UserException;
import cifvi.experiments.files.WholeFile;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Draws in a CSV file, as CmdStan and R write them: lines that begin with # are skipped wherever
 * they are, {@code theta[1]} is {@code theta.1}, and a quoted row number before the columns goes
 * for a column of its own.
 */
final class ReferenceFile {
  private ReferenceFile() {}

  static ReferenceDraws read(Path file) {
    try (BufferedReader in = Files.newBufferedReader(file)) {
      List<String> names = List.of();
      var rows = new ArrayList<double[]>();
      String line;
      for (int number = 1; (line = in.readLine()) != null; number++) {
        if (line.isBlank() || line.startsWith("#")) {
          continue;
        }
        List<String> cells = Csv.cells(line);
        if (names.isEmpty()) {
          names = cells.stream().map(ReferenceFile::name).toList();
        } else {
          rows.add(numbers(file, number, cells, names));
        }
      }
      if (rows.size() < 2) {
        throw new UserException(
            file + ": expected a line of names and at least 2 draws, got " + rows.size());
      }
      double[][] columns = new double[names.size()][rows.size()];
      for (int c = 0; c < columns.length; c++) {
        for (int i = 0; i < rows.size(); i++) {
          columns[c][i] = rows.get(i)[c];
        }
      }
      return new ReferenceDraws(Collections.unmodifiableList(names), columns);
    } catch (IOException e) {
      throw new UserException(file + ": cannot be read: " + WholeFile.reason(e), e);
    }
  }

  private static String name(String cell) {
    return cell.strip().replace('[', '.').replace(',', '.').replaceAll("[\\] ]", "");
  }

  private static double[] numbers(Path file, int line, List<String> cells, List<String> names) {
    if (cells.size() != names.size()) {
      throw new UserException(
          "%s: line %d: expected %d cells, got %d"
              .formatted(file, line, names.size(), cells.size()));
    }
    double[] numbers = new double[cells.size()];
    for (int c = 0; c < numbers.length; c++) {
      String cell = cells.get(c).strip();
      try {
        numbers[c] =
            switch (cell.toLowerCase(java.util.Locale.ROOT)) {
              case "nan", "na", "" -> Double.NaN;
              case "inf", "+inf" -> Double.POSITIVE_INFINITY;
              case "-inf" -> Double.NEGATIVE_INFINITY;
              default -> Double.parseDouble(cell);
            };
      } catch (NumberFormatException e) {
        throw new UserException(
            "%s: line %d, column \"%s\": \"%s\" is no number"
                .formatted(file, line, names.get(c), cell),
            e);
      }
    }
    return numbers;
  }
}
