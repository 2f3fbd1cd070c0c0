package cifvi.experiments.fuzz;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What Jazzer calls, started by {@code scripts/fuzz}: one reader under all that comes to its mind.
 * How many inputs there were, accepted and refused ones, is counted in a file that outlives the
 * process, however it ends.
 */
public final class Fuzzer {
  private static final int INPUTS = 0;
  private static final int ACCEPTED = 1;
  private static final int REFUSED = 2;

  private static @Nullable Fuzzer fuzzer;

  private final Reader reader;
  private final Path folder;
  private final LongBuffer counts;

  private Fuzzer(Reader reader, Path tally) throws IOException {
    this.reader = reader;
    this.folder = Files.createTempDirectory("fuzz");
    try (var channel =
        FileChannel.open(
            tally, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      this.counts =
          channel
              .map(MapMode.READ_WRITE, 0, 3 * Long.BYTES)
              .order(ByteOrder.nativeOrder())
              .asLongBuffer();
    }
  }

  /** Called once with the reader's name and the file to count in. */
  public static void fuzzerInitialize(String[] arguments) throws IOException {
    Reader reader =
        Arrays.stream(Reader.values())
            .filter(known -> known.toString().equals(arguments[0]))
            .findFirst()
            .orElseThrow(() -> new IllegalArgumentException("no reader " + arguments[0]));
    fuzzer = new Fuzzer(reader, Path.of(arguments[1]));
  }

  /** Called for every input; whatever it throws is a defect. */
  public static void fuzzerTestOneInput(byte[] content) throws IOException {
    if (fuzzer != null) {
      fuzzer.read(content);
    }
  }

  private void read(byte[] content) throws IOException {
    count(INPUTS);
    count(reader.accepts(content, folder) ? ACCEPTED : REFUSED);
  }

  private void count(int what) {
    counts.put(what, counts.get(what) + 1);
  }
}
