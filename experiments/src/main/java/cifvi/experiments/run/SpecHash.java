package cifvi.experiments.run;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Which {@code spec.yaml} a checkpoint belongs to.
 *
 * @param lasting of all lines but those of settings that may grow: a run that is given more steps
 *     keeps its checkpoints
 * @param whole of all lines, as checkpoints of the first format have it
 */
record SpecHash(String lasting, String whole) {
  static SpecHash of(String yaml, Set<String> growing) {
    String lasting =
        yaml.lines()
            .filter(line -> growing.stream().noneMatch(key -> line.startsWith(key + ":")))
            .collect(Collectors.joining("\n"));
    return new SpecHash(hash(lasting), hash(yaml));
  }

  boolean fits(CheckpointFile file) {
    return (file.isOfFirstFormat() ? whole : lasting).equals(file.metadata().get("spec"));
  }

  private static String hash(String text) {
    try {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
