package cifvi.engine.internal.cuda;

import cifvi.tensor.internal.PrivateFolder;
import cifvi.tensor.internal.UserCache;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compiled kernels on disk, each under the hash of all it depends on and behind the hash of its own
 * bytes: a damaged file is as good as none.
 */
record CubinCache(Path folder) {
  private static final Logger log = LoggerFactory.getLogger(CubinCache.class);
  private static final int HASH = 32;

  /** {@code cifvi/kernels} in the user's cache folder. */
  static CubinCache ofUser() {
    return new CubinCache(UserCache.folder("kernels"));
  }

  /** What is kept under {@code key}, made and kept where it is not there. */
  byte[] get(String key, Supplier<byte[]> make) {
    if (!isPrivate()) {
      return make.get();
    }
    Path file =
        folder.resolve(
            HexFormat.of().formatHex(hash(key.getBytes(StandardCharsets.UTF_8))) + ".cubin");
    return read(file)
        .orElseGet(
            () -> {
              byte[] made = make.get();
              write(file, made);
              return made;
            });
  }

  /** Others must not choose what runs: neither read from nor written to where they could. */
  private boolean isPrivate() {
    try {
      PrivateFolder.require(folder, "set XDG_CACHE_HOME to a folder of yours");
      return true;
    } catch (SecurityException e) {
      log.warn("compiled kernels are not kept, every start compiles them: {}", e.getMessage());
      return false;
    }
  }

  private static Optional<byte[]> read(Path file) {
    try {
      byte[] all = Files.exists(file) ? Files.readAllBytes(file) : new byte[0];
      if (all.length <= HASH) {
        return Optional.empty();
      }
      byte[] content = Arrays.copyOfRange(all, HASH, all.length);
      boolean whole = Arrays.equals(hash(content), Arrays.copyOf(all, HASH));
      return whole ? Optional.of(content) : Optional.empty();
    } catch (IOException e) {
      log.warn("compiled kernels cannot be read, compiling again: {}", e.toString());
      return Optional.empty();
    }
  }

  /** Under a name of its own first, since other processes may write the same file. */
  private void write(Path file, byte[] content) {
    try {
      Path temporary = Files.createTempFile(folder, "new", ".tmp");
      byte[] all = Arrays.copyOf(hash(content), HASH + content.length);
      System.arraycopy(content, 0, all, HASH, content.length);
      Files.write(temporary, all);
      Files.move(
          temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      log.warn("compiled kernels cannot be kept in {}: {}", folder, e.toString());
    }
  }

  private static byte[] hash(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
