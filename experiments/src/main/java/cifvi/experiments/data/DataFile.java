package cifvi.experiments.data;

import java.nio.file.Path;
import java.util.List;

/**
 * One file of a data set: its name without {@code .gz}, the dimensions its header must declare, and
 * the SHA-256 of its uncompressed content.
 */
public record DataFile(String name, List<Integer> dimensions, String sha256) {
  public DataFile {
    dimensions = List.copyOf(dimensions);
  }

  static DataFile images(String part, int count, int side, String sha256) {
    return new DataFile(part + "-images-idx3-ubyte", List.of(count, side, side), sha256);
  }

  static DataFile labels(String part, int count, String sha256) {
    return new DataFile(part + "-labels-idx1-ubyte", List.of(count), sha256);
  }

  /** The name under which the mirrors have it. */
  public String compressedName() {
    return name + ".gz";
  }

  /** How it may be called, first choice first. */
  List<String> spellings() {
    String dotted = name.replace("-idx", ".idx");
    return List.of(compressedName(), name, dotted + ".gz", dotted);
  }

  /** What it can take at most, even where it does not let itself be compressed. */
  long mostBytes() {
    long content = Integer.BYTES * (1L + dimensions.size());
    content += dimensions.stream().mapToLong(n -> n).reduce(1, Math::multiplyExact);
    return content + content / 1000 + 1024; // five bytes a block, and headers with names
  }

  /** Reads {@code file} and requires it to be exactly this one. */
  Idx read(Path file) throws BadFileException {
    Idx idx = Idx.read(file, dimensions);
    if (!idx.sha256().equals(sha256)) {
      throw new BadFileException(
          "has other content: its SHA-256 is %s, expected %s".formatted(idx.sha256(), sha256));
    }
    return idx;
  }
}
