package cifvi.tensor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ScopeWatchTest {
  private final AtomicLong memory = new AtomicLong();
  private final ScopeWatch watch = new ScopeWatch(memory::get);

  private void calls(int count, int bytesEach) {
    for (int i = 0; i < count; i++) {
      memory.addAndGet(bytesEach);
      watch.calledOutside();
    }
  }

  @Test
  void warnsWhenMemoryHasGrownForAThousandCalls() {
    calls(1000, 8);
    assertThat(watch.warned()).isFalse(); // the first look has nothing to compare with
    calls(100, 8);
    assertThat(watch.warned()).isTrue();
  }

  @Test
  void memoryThatComesBackIsNoReason() {
    for (int i = 0; i < 10; i++) {
      calls(900, 8);
      memory.set(0);
    }
    assertThat(watch.warned()).isFalse();
  }

  @Test
  void memoryThatStaysIsNoReason() {
    calls(5000, 0);
    assertThat(watch.warned()).isFalse();
  }
}
