package cifvi.experiments.run;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Set;

/**
 * Which {@code spec.yaml} a checkpoint belongs to.
 *
 * @param lasting of all settings but those that may grow: a run that is given more steps keeps its
 *     checkpoints
 * @param whole of all lines, as checkpoints of the first format have it
 */
record SpecHash(String lasting, String whole) {
  static SpecHash of(String yaml, Set<String> growing) {
    return new SpecHash(hash(new SpecText(yaml).without(growing).yaml()), hash(yaml));
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
