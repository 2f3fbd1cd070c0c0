package cifvi.cli.reproduce;

import cifvi.cli.option.RunOptions;
import cifvi.experiments.data.DataSet;
import cifvi.experiments.files.UserException;
import cifvi.experiments.models.Decoder;
import cifvi.experiments.models.ImageModel;
import cifvi.experiments.paper.Column;
import cifvi.experiments.paper.ImageRun;
import cifvi.experiments.paper.Table1;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Option;

/** Which part of the paper's image tables is wanted, and where its runs are. */
public final class TableOptions {
  @Option(
      names = "--models",
      split = ",",
      paramLabel = "MODEL",
      description = "Rows, separated by commas (default: those of the paper and maf-small-nobn).")
  private List<String> models = names(ImageModel.table1());

  @Option(
      names = "--data",
      split = ",",
      paramLabel = "NAME",
      defaultValue = "mnist,fashion-mnist",
      description = "mnist, fashion-mnist or both (default: both).")
  private List<String> data;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      defaultValue = "runs/table1",
      description = "Where the runs are or go (default: ${DEFAULT-VALUE}).")
  private Path out;

  public Path out() {
    return out;
  }

  public List<ImageModel> models() {
    return choices("--models", models, ImageModel.values());
  }

  public List<DataSet> data() {
    return choices("--data", data, DataSet.values());
  }

  /** The table of these columns from all runs there are. */
  public Table1 table(List<Decoder> decoders) {
    return table(decoders, "--out", out);
  }

  /** The same from the runs in a folder that an option names. */
  Table1 table(List<Decoder> decoders, String option, Path folder) {
    if (!Files.isDirectory(folder)) {
      throw new UserException(option + " " + folder + ": there is no such folder of runs");
    }
    List<Column> columns =
        Column.ALL.stream()
            .filter(c -> data().contains(c.data()) && decoders.contains(c.decoder()))
            .toList();
    return Table1.of(columns, models(), ImageRun.scan(folder));
  }

  public static <T> List<T> choices(String option, List<String> texts, T[] values) {
    return texts.stream().map(text -> RunOptions.choice(option, text.strip(), values)).toList();
  }

  public static List<String> names(List<?> values) {
    return values.stream().map(Object::toString).toList();
  }
}
