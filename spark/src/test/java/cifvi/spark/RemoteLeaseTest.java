package cifvi.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import cifvi.experiments.files.UserException;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who may write a cell under a URI. */
class RemoteLeaseTest {
  private static final Duration SHORT = Duration.ofMillis(500);
  private static final Duration LONG = Duration.ofSeconds(20);

  @TempDir Path folder;

  @Test
  void aSilentHolderIsTakenForLostAndFindsOut() throws Exception {
    var files = RemoteFiles.at(folder.toUri().toString(), new Configuration());
    files.createFolder("cell");
    RemoteLease lost = RemoteLease.take(files, "cell", SHORT, LONG);
    assertThatThrownBy(() -> RemoteLease.take(files, "cell", LONG, SHORT))
        .isInstanceOf(UserException.class)
        .hasMessageContaining("another process is working in cell");
    RemoteLease next = RemoteLease.take(files, "cell", SHORT, LONG);
    assertThatThrownBy(lost::renew).hasMessageContaining("another machine took over");
    next.release();
    RemoteLease last = RemoteLease.take(files, "cell", LONG, LONG);
    assertThatThrownBy(lost::release).hasMessageContaining("another machine took over");
    last.release();
    assertThat(files.exists("cell/lease")).isFalse();
  }
}
