package cifvi.experiments.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A folder that several machines see, whose system does not pass locks on. */
class FolderLockTest {
  private static final Duration SHORT = Duration.ofMillis(600);
  private static final Duration NONE = Duration.ZERO;

  @TempDir Path folder;

  /** What a process of another machine leaves when it is killed, or lives on. */
  private void leftBy(String machine, int beat) throws Exception {
    Files.writeString(folder.resolve("lock"), machine + " 42 " + beat + "\n");
  }

  @Test
  void aLostMachineIsWatchedAndTakenOver() throws Exception {
    leftBy("other", 7);
    assertThat(FolderLock.isBusy(folder)).isTrue();
    try (var lock = FolderLock.take(folder, "here", SHORT, NONE)) {
      assertThat(folder.resolve("lock.1")).exists();
      lock.requireHeld();
      assertThat(FolderLock.isHeld(folder)).isTrue();
    }
    assertThat(FolderLock.isBusy(folder)).isFalse();
  }

  @Test
  void aMachineThatWritesIsLeftAlone() throws Exception {
    leftBy("other", 1);
    var writer =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    Thread.sleep(300);
                    leftBy("other", 2);
                  } catch (Exception e) {
                    throw new IllegalStateException(e);
                  }
                });
    assertThatThrownBy(() -> FolderLock.take(folder, "here", Duration.ofSeconds(20), NONE))
        .isInstanceOf(UserException.class)
        .hasMessageContaining("another process is working in");
    writer.join();
    assertThat(folder.resolve("lock.1")).doesNotExist();
  }

  @Test
  void aHolderThatWasTakenForLostStops() throws Exception {
    try (var frozen = FolderLock.take(folder, "here", SHORT, NONE)) {
      frozen.requireHeld();
      Files.createFile(folder.resolve("lock.1")); // as the newcomer does
      assertThatThrownBy(frozen::requireHeld).hasMessageContaining("another machine took over");
    }
    try (var next = FolderLock.take(folder, "here", SHORT, NONE)) {
      next.requireHeld();
    }
  }

  @Test
  void whatEndedOnThisMachineIsFreeAtOnce() throws Exception {
    leftBy("here", 3);
    try (var lock = FolderLock.take(folder, "here", Duration.ofMinutes(9), NONE)) {
      lock.requireHeld();
      assertThat(folder.resolve("lock.1")).doesNotExist();
    }
  }

  @Test
  void oneThatIsAboutToLeaveCanBeWaitedFor() throws Exception {
    var first = FolderLock.take(folder, "here", SHORT, NONE);
    var leaver =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    Thread.sleep(300);
                    first.close();
                  } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                  }
                });
    FolderLock.take(folder, "here", SHORT, Duration.ofSeconds(20)).close();
    leaver.join();
  }
}
