package cifvi.cli.reproduce;

import cifvi.experiments.files.UserException;
import cifvi.experiments.run.RunSpec;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import picocli.CommandLine.Option;

/** Which seeds every cell of a table runs with. */
public final class Seeds {
  /** Of each of dozens of cells, years of work. */
  private static final int MOST = 1000;

  @Option(
      names = "--seeds",
      defaultValue = "3",
      description = "How many, or which: 3 is the same as 1,2,3 (default: ${DEFAULT-VALUE}).")
  private String seeds;

  public List<String> texts() {
    try {
      if (!seeds.contains(",")) {
        long count = Long.parseLong(seeds.strip());
        if (count >= 1) {
          RunSpec.requireCount("--seeds", count, MOST);
          return LongStream.rangeClosed(1, count).mapToObj(Long::toString).toList();
        }
      } else {
        return Arrays.stream(seeds.split(","))
            .map(seed -> Long.toString(Long.parseLong(seed.strip())))
            .toList();
      }
    } catch (NumberFormatException _) {
      // the same answer as for a number that does not fit
    }
    throw new UserException(
        "--seeds: expected a number from 1 on or a list such as 1,2,3, got " + seeds);
  }
}
