package cifvi.experiments.run;

import cifvi.tensor.Safetensors;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.bytedeco.pytorch.Tensor;

/**
 * A checkpoint on disk: tensors and metadata under one checksum of everything the file holds, so
 * that a single changed bit is noticed wherever it is. Files of the first format, whose checksum
 * knew the tensors alone, are still read: runs of weeks end in them.
 */
record CheckpointFile(SortedMap<String, Tensor> tensors, SortedMap<String, String> metadata) {
  private static final String FORMAT = "cifvi-checkpoint-2";
  private static final String FIRST_FORMAT = "cifvi-checkpoint-1";
  private static final String CHECKSUM = "crc32c";

  /** Writes the file at once under its name: the old one is there, or the new one. */
  static void write(Path file, Map<String, Tensor> tensors, Map<String, String> metadata)
      throws IOException {
    var all = new TreeMap<>(metadata);
    all.put("format", FORMAT);
    all.remove(CHECKSUM);
    all.put(CHECKSUM, Long.toString(Safetensors.checksum(tensors, all)));
    Safetensors.write(file, tensors, all);
  }

  /**
   * Reads a file that is whole.
   *
   * @throws IOException naming the file and why it is refused
   */
  static CheckpointFile read(Path file) throws IOException {
    var content = Safetensors.read(file);
    var found = new CheckpointFile(content.tensors(), content.metadata());
    String format = found.metadata.getOrDefault("format", "none");
    if (!format.equals(FORMAT) && !format.equals(FIRST_FORMAT)) {
      throw new IOException(file + ": not a checkpoint of this program (format " + format + ")");
    }
    String checksum = Long.toString(found.checksum());
    if (!checksum.equals(found.metadata.get(CHECKSUM))) {
      throw new IOException(file + ": damaged: its checksum does not fit its data");
    }
    return found;
  }

  private long checksum() {
    if (isOfFirstFormat()) {
      return Safetensors.checksum(tensors);
    }
    var covered = new TreeMap<>(metadata);
    covered.remove(CHECKSUM);
    return Safetensors.checksum(tensors, covered);
  }

  boolean isOfFirstFormat() {
    return FIRST_FORMAT.equals(metadata.get("format"));
  }
}
