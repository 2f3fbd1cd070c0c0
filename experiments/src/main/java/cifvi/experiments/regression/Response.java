package cifvi.experiments.regression;

import cifvi.experiments.files.UserException;
import cifvi.experiments.regression.Regression.Kind;
import java.nio.file.Path;

/** The column that a regression explains. */
record Response(Kind kind, Path file, Column column) {
  private static final double LARGEST_COUNT = 1L << 53;

  /** Requires responses of this kind. */
  void require(double[] y) {
    if (kind == Kind.LINEAR && column.isConstant()) {
      throw new UserException(
          "%s: column \"%s\" is %s in every row; there is nothing to explain"
              .formatted(file, column.name(), column.mean()));
    }
    for (int i = 0; i < y.length; i++) {
      if (!allowed(y[i])) {
        throw new UserException(
            "%s: row %d, column \"%s\": a %s regression needs %s, got %s"
                .formatted(file, i + 1, column.name(), kind, expected(), y[i]));
      }
    }
  }

  private boolean allowed(double y) {
    return switch (kind) {
      case LOGISTIC -> y == 0 || y == 1;
      case LINEAR -> true;
      case POISSON -> y >= 0 && y == Math.rint(y) && y <= LARGEST_COUNT;
    };
  }

  private String expected() {
    return switch (kind) {
      case LOGISTIC -> "0 or 1";
      case LINEAR -> "numbers";
      case POISSON -> "counts 0, 1, 2, ...";
    };
  }

  /** What the predictor is without any information but the mean of the response. */
  double centre(int rows) {
    double sum = column.mean() * rows;
    return switch (kind) {
      case LOGISTIC -> Math.log((sum + 0.5) / (rows - sum + 0.5));
      case LINEAR -> column.mean();
      case POISSON -> Math.log((sum + 0.5) / rows);
    };
  }

  /** The unit of the response; 1 where a link has none. */
  double scale() {
    return kind == Kind.LINEAR ? column.sd() : 1;
  }
}
