package cifvi.cli.reproduce;

import cifvi.experiments.files.Texts;
import cifvi.experiments.run.RunSpec;
import cifvi.experiments.sweep.Cell;
import java.util.LinkedHashMap;
import java.util.List;

/** A run as its command takes it: the names of settings are those of options. */
final class SpecCell {
  private SpecCell() {}

  /**
   * The run in a folder of this name.
   *
   * @param varying settings that vary over the runs beside it
   */
  static Cell of(String name, RunSpec spec, List<String> varying) {
    var options = new LinkedHashMap<String, String>();
    Texts.YAML
        .readTree(spec.yaml())
        .properties()
        .forEach(setting -> options.put(setting.getKey(), setting.getValue().asString("")));
    options.remove("kind");
    options.values().removeIf(String::isEmpty);
    return new Cell(name, spec.kind(), options, varying);
  }
}
