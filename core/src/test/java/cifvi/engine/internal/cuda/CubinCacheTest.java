package cifvi.engine.internal.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What was compiled is kept, where nobody else can change it. */
class CubinCacheTest {
  @Test
  void whatIsKeptIsMadeOnceAndAgainWhenDamaged(@TempDir Path folder) throws IOException {
    var cache = new CubinCache(folder.resolve("kernels"));
    var made = new AtomicInteger();
    byte[] code = {1, 2, 3};
    for (int i = 0; i < 3; i++) {
      assertThat(cache.get("key", () -> counted(made, code))).isEqualTo(code);
    }
    assertThat(made).hasValue(1);
    Path file = onlyFile(cache.folder());
    for (byte[] damaged : List.of(new byte[0], new byte[7], new byte[64])) {
      Files.write(file, damaged);
      made.set(0);
      assertThat(cache.get("key", () -> counted(made, code))).isEqualTo(code);
      assertThat(made).hasValue(1);
    }
    assertThat(cache.get("other key", () -> new byte[] {9})).isEqualTo(new byte[] {9});
  }

  /** What lies in a folder of others may be anyone's code, with the right hash before it. */
  @Test
  void aFolderThatOthersCanWriteToIsNeitherReadNorWritten(@TempDir Path folder) throws IOException {
    var cache = new CubinCache(folder.resolve("kernels"));
    cache.get("key", () -> new byte[] {6, 6, 6});
    Files.setPosixFilePermissions(cache.folder(), PosixFilePermissions.fromString("rwxrwxrwx"));
    assertThat(cache.get("key", () -> new byte[] {1})).isEqualTo(new byte[] {1});
    cache.get("other key", () -> new byte[] {1});
    try (var files = Files.list(cache.folder())) {
      assertThat(files).hasSize(1);
    }
    assertThat(new CubinCache(Path.of("kernels")).get("key", () -> new byte[] {2}))
        .isEqualTo(new byte[] {2});
    assertThat(Path.of("kernels")).doesNotExist();
  }

  private static byte[] counted(AtomicInteger made, byte[] code) {
    made.incrementAndGet();
    return code;
  }

  private static Path onlyFile(Path folder) throws IOException {
    try (var files = Files.list(folder)) {
      return files.toList().getFirst();
    }
  }
}
