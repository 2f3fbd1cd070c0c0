package cifvi.experiments.paper;

import cifvi.experiments.models.ImageModel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;

/** All paired differences of a table that can be formed. */
public record Differences(Map<Column, SequencedMap<Pair, PairedDifference>> all) {
  /** A CIF and the flows it is compared with. */
  private static final Map<ImageModel, List<ImageModel>> BASELINES =
      Map.of(
          ImageModel.CIF_MAF,
          List.of(ImageModel.MAF_SMALL, ImageModel.MAF_SMALL_NOBN, ImageModel.MAF_LARGE),
          ImageModel.CIF_NSF,
          List.of(ImageModel.NSF_SMALL, ImageModel.NSF_LARGE));

  /** What is compared. */
  public record Pair(Method method, Method baseline) {
    public String label() {
      return method.label() + " − " + baseline.label();
    }
  }

  /** The pairs among the rows of a table: each CIF with its baselines, then all with the VAE. */
  public static List<Pair> pairs(List<Method> rows) {
    var pairs = new ArrayList<Pair>();
    for (Method cif : rows) {
      for (ImageModel baseline : BASELINES.getOrDefault(cif.model(), List.of())) {
        rows.stream()
            .filter(row -> row.model() == baseline)
            .forEach(row -> pairs.add(new Pair(cif, row)));
      }
    }
    Method vae = Method.released(ImageModel.VAE);
    if (rows.contains(vae)) {
      rows.stream().filter(row -> !row.equals(vae)).forEach(row -> pairs.add(new Pair(row, vae)));
    }
    return pairs;
  }

  /** Reads what the runs of a table have been evaluated to. */
  public static Differences in(Table1 table) {
    var all = new HashMap<Column, SequencedMap<Pair, PairedDifference>>();
    for (Column column : table.columns()) {
      var ofColumn = new LinkedHashMap<Pair, PairedDifference>();
      for (Pair pair : pairs(table.rows())) {
        PairedDifference.of(table.of(pair.method, column), table.of(pair.baseline, column))
            .ifPresent(found -> ofColumn.put(pair, found));
      }
      all.put(column, ofColumn);
    }
    return new Differences(all);
  }

  /** Those of a column, in the order of the pairs. */
  public SequencedMap<Pair, PairedDifference> of(Column column) {
    return all.getOrDefault(column, new LinkedHashMap<>());
  }
}
