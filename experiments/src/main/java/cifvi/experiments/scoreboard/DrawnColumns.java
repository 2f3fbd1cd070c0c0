package cifvi.experiments.scoreboard;

import cifvi.diagnostics.ImportanceWeights;
import cifvi.experiments.files.Csv;
import cifvi.experiments.files.UserException;
import cifvi.experiments.files.WholeFile;
import cifvi.experiments.target.KnownAnswers.Moments;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/** A file of draws in Stan's layout, column by column. */
record DrawnColumns(SequencedMap<String, double[]> columns) {
  static DrawnColumns read(Path file) {
    var lines = new ArrayList<List<String>>();
    try {
      Csv.read(
          WholeFile.read(file),
          line -> {
            if (!line.text().startsWith("#")) {
              lines.add(line.cells());
            }
          });
    } catch (IOException e) {
      throw new UserException(file + ": cannot be read: " + WholeFile.reason(e), e);
    }
    var columns = new LinkedHashMap<String, double[]>();
    List<String> names = lines.removeFirst();
    for (int c = 0; c < names.size(); c++) {
      int at = c;
      columns.put(
          names.get(c),
          lines.stream().mapToDouble(line -> Double.parseDouble(line.get(at))).toArray());
    }
    return new DrawnColumns(columns);
  }

  /** The same of every draw. */
  double[] equalWeights() {
    double[] weights = new double[column("log_p__").length];
    Arrays.fill(weights, 1.0 / weights.length);
    return weights;
  }

  /** Of p over q, smoothed in the tail, with sum 1. */
  double[] importanceWeights() {
    double[] logP = column("log_p__");
    double[] logG = column("log_g__");
    double[] logWeights = new double[logP.length];
    Arrays.setAll(logWeights, i -> logP[i] - logG[i]);
    return new ImportanceWeights(logWeights).normalised();
  }

  boolean has(String name) {
    return columns.containsKey(name);
  }

  /** Mean and standard deviation of a column under weights with sum 1. */
  Moments moments(String name, double[] weights) {
    double[] x = column(name);
    double mean = 0;
    for (int i = 0; i < x.length; i++) {
      mean += weights[i] * x[i];
    }
    double variance = 0;
    for (int i = 0; i < x.length; i++) {
      variance += weights[i] * (x[i] - mean) * (x[i] - mean);
    }
    return new Moments(mean, Math.sqrt(variance));
  }

  private double[] column(String name) {
    double[] column = columns.get(name);
    if (column == null) {
      throw new IllegalArgumentException("there is no column " + name + " but " + columns.keySet());
    }
    return column;
  }
}
