package cifvi.experiments.density;

import cifvi.experiments.data.Shuffle;
import cifvi.experiments.files.UserException;
import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.stream.IntStream;

/** Which parts of the rows are for training, validation and testing: {@code 0.8,0.1,0.1}. */
public record Shares(double train, double validation, double test) {
  private static final double ROUNDING = 1e-9;

  public Shares {
    if (!(train > 0 && validation > 0 && test > 0)
        || Math.abs(train + validation + test - 1) > ROUNDING) {
      throw wrong("%s,%s,%s".formatted(train, validation, test));
    }
  }

  private static UserException wrong(String text) {
    return new UserException(
        "--split: expected shares for training, validation and test that make up 1, such as"
            + " 0.8,0.1,0.1, got "
            + text);
  }

  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  public static Shares parse(String text) {
    try {
      double[] shares =
          Arrays.stream(text.split(",", -1)).mapToDouble(Double::parseDouble).toArray();
      if (shares.length == 3) {
        return new Shares(shares[0], shares[1], shares[2]);
      }
    } catch (NumberFormatException _) {
      // the same answer as for numbers that do not fit
    }
    throw wrong(text);
  }

  /** The numbers of the rows, in an order that follows from the seed, for each part in turn. */
  int[][] split(long seed, int rows) {
    int held = atLeastOne(validation * rows);
    int tested = atLeastOne(test * rows);
    int[] order = Shuffle.split(seed, IntStream.range(0, rows).toArray());
    return new int[][] {
      Arrays.copyOfRange(order, held + tested, rows),
      Arrays.copyOf(order, held),
      Arrays.copyOfRange(order, held, held + tested)
    };
  }

  private static int atLeastOne(double rows) {
    return Math.toIntExact(Math.max(1, Math.round(rows)));
  }

  /** As it is parsed. */
  @JsonValue
  @Override
  public String toString() {
    return train + "," + validation + "," + test;
  }
}
