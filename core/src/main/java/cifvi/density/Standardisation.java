package cifvi.density;

import java.util.Arrays;

/**
 * x' = (x - centre) / scale column by column: what models see of data. A log-density of x' is one
 * of x less Σ log scale of the columns that are modelled.
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Standardisation(double[] centre, double[] scale) {
  /** The units in which every column of the rows has mean 0 and standard deviation 1. */
  public static Standardisation of(double[][] rows) {
    int columns = rows[0].length;
    double[] centre = new double[columns];
    double[] scale = new double[columns];
    for (int i = 0; i < rows.length; i++) {
      require(rows[i], i, columns);
    }
    for (int c = 0; c < columns; c++) {
      int column = c;
      double mean = Arrays.stream(rows).mapToDouble(row -> row[column]).average().orElseThrow();
      double square =
          Arrays.stream(rows)
              .mapToDouble(row -> (row[column] - mean) * (row[column] - mean))
              .average()
              .orElseThrow();
      if (!(square > 0)) {
        throw new IllegalArgumentException(
            "column %d: the same number, %s, in all %d rows: its density would be a spike"
                .formatted(c + 1, rows[0][c], rows.length));
      }
      centre[c] = mean;
      scale[c] = Math.sqrt(square);
    }
    return new Standardisation(centre, scale);
  }

  public int columns() {
    return centre.length;
  }

  /** The rows in these units, one after the other. */
  public double[] apply(double[][] rows) {
    int columns = columns();
    double[] flat = new double[Math.multiplyExact(rows.length, columns)];
    for (int i = 0; i < rows.length; i++) {
      require(rows[i], i, columns);
      for (int c = 0; c < columns; c++) {
        flat[i * columns + c] = (rows[i][c] - centre[c]) / scale[c];
      }
    }
    return flat;
  }

  private static void require(double[] row, int i, int columns) {
    if (row.length != columns) {
      throw new IllegalArgumentException(
          "row %d: expected %d columns, got %d".formatted(i + 1, columns, row.length));
    }
    for (int c = 0; c < columns; c++) {
      if (!Double.isFinite(row[c])) {
        throw new IllegalArgumentException(
            "row %d, column %d: expected a number, got %s".formatted(i + 1, c + 1, row[c]));
      }
    }
  }

  /** Rows of the first columns, out of these units. */
  double[][] invert(double[] flat, int features) {
    double[][] rows = new double[flat.length / features][features];
    for (int i = 0; i < rows.length; i++) {
      for (int c = 0; c < features; c++) {
        rows[i][c] = centre[c] + scale[c] * flat[i * features + c];
      }
    }
    return rows;
  }

  /** Σ log scale of the first columns. */
  public double logScale(int features) {
    return Arrays.stream(scale, 0, features).map(Math::log).sum();
  }
}
