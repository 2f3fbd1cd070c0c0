package cifvi.experiments.sweep;

import cifvi.experiments.files.UserException;
import cifvi.experiments.sweep.SweepSpec.Setting;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.SequencedMap;
import java.util.function.Function;

/** All combinations of the axes of a sweep, each with a folder name that tells it from others. */
record Grid(SweepSpec spec) {
  /** More than anyone waits for, and few enough to keep track of. */
  static final int MOST_CELLS = 10_000;

  List<Cell> cells() {
    requireSize();
    List<SequencedMap<String, String>> all = combinations();
    List<String> names = all.stream().map(this::shortName).toList();
    if (!distinct(names)) {
      names = all.stream().map(this::longName).toList();
    }
    if (!distinct(names)) {
      throw new UserException(
          "some cells would share a folder, as their values differ only in signs that do not belong"
              + " in a file name: "
              + String.join(", ", names));
    }
    var cells = new ArrayList<Cell>();
    for (int i = 0; i < all.size(); i++) {
      cells.add(new Cell(names.get(i), spec.kind(), all.get(i), axes()));
    }
    return cells;
  }

  private void requireSize() {
    BigInteger cells =
        spec.settings().values().stream()
            .map(setting -> BigInteger.valueOf(setting.values().size()))
            .reduce(BigInteger.ONE, BigInteger::multiply);
    if (cells.compareTo(BigInteger.valueOf(MOST_CELLS)) > 0) {
      throw new UserException(
          String.format(
              Locale.ROOT,
              "the grid has %,d cells, expected at most %,d: write several files",
              cells,
              MOST_CELLS));
    }
  }

  private List<SequencedMap<String, String>> combinations() {
    List<SequencedMap<String, String>> all = List.of(new LinkedHashMap<>());
    for (var entry : spec.settings().entrySet()) {
      var longer = new ArrayList<SequencedMap<String, String>>();
      for (var shorter : all) {
        for (String value : entry.getValue().values()) {
          var options = new LinkedHashMap<>(shorter);
          options.put(entry.getKey(), value);
          longer.add(options);
        }
      }
      all = longer;
    }
    return all;
  }

  private List<String> axes() {
    return spec.settings().entrySet().stream()
        .filter(entry -> entry.getValue().axis())
        .map(entry -> entry.getKey())
        .toList();
  }

  /** {@code cif-nsf-mnist-small-seed1}: words speak for themselves, numbers need their key. */
  private String shortName(SequencedMap<String, String> options) {
    return name("-", key -> part(key, options.getOrDefault(key, "")));
  }

  private String part(String key, String value) {
    Setting setting = spec.settings().getOrDefault(key, Setting.fixed(value));
    if (setting.values().stream().allMatch(Grid::isWord)) {
      return value;
    }
    boolean seamless = key.matches(".*[a-z]") && value.matches("[0-9].*");
    return key.replace('_', '-') + (seamless ? "" : "-") + value;
  }

  private static boolean isWord(String value) {
    return value.matches("[A-Za-z].*") && !value.equals("true") && !value.equals("false");
  }

  private String longName(SequencedMap<String, String> options) {
    return name(",", key -> key + "=" + options.getOrDefault(key, ""));
  }

  private String name(String separator, Function<String, String> part) {
    String name = String.join(separator, axes().stream().map(part).toList());
    return (name.isEmpty() ? spec.kind() : name).replaceAll("[^\\w.,=+-]", "_");
  }

  private static boolean distinct(List<String> names) {
    return new HashSet<>(names).size() == names.size();
  }
}
