package cifvi.experiments.density;

import cifvi.density.Standardisation;
import cifvi.experiments.files.UserException;
import cifvi.experiments.regression.CsvTable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The rows of a run, divided by its seed, with the modelled columns first and the given ones last.
 *
 * @param columns their names, in this order
 * @param features how many of them are modelled
 * @param order the place in the data of each
 * @param units of the training rows
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record DensityData(
    List<String> columns,
    int features,
    int[] order,
    double[][] train,
    double[][] validation,
    double[][] test,
    Standardisation units) {
  /** Fewer make no density, and leave too little to divide. */
  private static final int LEAST_ROWS = 20;

  private record Table(List<String> columns, double[][] rows) {}

  /** Reads or draws what the spec names; says what is wrong with it. */
  static DensityData of(DensitySpec spec) {
    Table table = table(spec);
    if (table.rows.length < LEAST_ROWS) {
      throw new UserException(
          "%s: expected at least %d rows, got %d"
              .formatted(spec.data(), LEAST_ROWS, table.rows.length));
    }
    int[] given = given(spec, table.columns);
    int[] order = order(table.columns.size(), given);
    requireVarying(spec, table);
    int[][] parts = spec.split().split(spec.seed(), table.rows.length);
    double[][] train = part(table.rows, parts[0], order);
    return new DensityData(
        Arrays.stream(order).mapToObj(table.columns::get).toList(),
        order.length - given.length,
        order,
        train,
        part(table.rows, parts[1], order),
        part(table.rows, parts[2], order),
        Standardisation.of(train));
  }

  private static Table table(DensitySpec spec) {
    Optional<PlaneSet> set = PlaneSet.named(spec.data());
    if (set.isPresent()) {
      return new Table(PlaneSet.COLUMNS, set.get().draw(spec.drawnRows(), spec.seed()));
    }
    Path file = Path.of(spec.data());
    if (spec.isPicture()) {
      return new Table(
          PlaneSet.COLUMNS, PlaneSet.draw(Picture.read(file), spec.drawnRows(), spec.seed()));
    }
    CsvTable table = CsvTable.readNumbers(file);
    return new Table(table.columns(), table.matrix());
  }

  /** The places of the given columns, each by its name. */
  private static int[] given(DensitySpec spec, List<String> columns) {
    if (spec.given() == null) {
      return new int[0];
    }
    int[] places =
        Arrays.stream(spec.given().split(",", -1))
            .map(String::strip)
            .mapToInt(name -> place(name, columns))
            .toArray();
    if (Arrays.stream(places).distinct().count() < places.length
        || places.length == columns.size()) {
      throw new UserException(
          "--given: expected different columns, and not all %d of them, got %s"
              .formatted(columns.size(), spec.given()));
    }
    return places;
  }

  private static int place(String name, List<String> columns) {
    int place = columns.indexOf(name);
    if (place < 0) {
      throw new UserException(
          "--given: no column is named \"%s\"; there are %s"
              .formatted(name, String.join(", ", columns)));
    }
    return place;
  }

  private static int[] order(int columns, int[] given) {
    var last = new ArrayList<>(Arrays.stream(given).boxed().toList());
    return IntStream.concat(
            IntStream.range(0, columns).filter(c -> !last.contains(c)), Arrays.stream(given))
        .toArray();
  }

  private static void requireVarying(DensitySpec spec, Table table) {
    for (int c = 0; c < table.columns.size(); c++) {
      int column = c;
      double first = table.rows[0][c];
      if (Arrays.stream(table.rows).allMatch(row -> row[column] == first)) {
        throw new UserException(
            String.format(
                Locale.ROOT,
                "%s: column \"%s\" is %s in all %d rows: its density would be a spike; remove it",
                spec.data(),
                table.columns.get(c),
                first,
                table.rows.length));
      }
    }
  }

  private static double[][] part(double[][] rows, int[] which, int[] order) {
    double[][] part = new double[which.length][order.length];
    for (int i = 0; i < which.length; i++) {
      for (int c = 0; c < order.length; c++) {
        part[i][c] = rows[which[i]][order[c]];
      }
    }
    return part;
  }

  /** Whether it can be shown as a picture: two columns, none of them given. */
  public boolean plane() {
    return columns.size() == 2 && features == 2;
  }
}
