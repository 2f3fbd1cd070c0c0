package cifvi.engine.internal.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Sources are compiled side by side, behind the back of whoever asked for it. */
class CompilationTest {
  private static final byte[] CODE = {1, 2, 3};

  @Test
  void nobodyWaitsBeforeTheCodeIsAskedFor() {
    var asked = new CountDownLatch(1);
    Supplier<byte[]> code = Compilation.begin(() -> await(asked, CODE));
    double before = Compilation.waitedMs();
    asked.countDown();
    assertThat(code.get()).isEqualTo(CODE);
    assertThat(code.get()).isEqualTo(CODE);
    assertThat(Compilation.waitedMs()).isGreaterThanOrEqualTo(before);
  }

  private static byte[] await(CountDownLatch latch, byte[] code) {
    try {
      assertThat(latch.await(1, TimeUnit.MINUTES)).isTrue();
      return code;
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** However many processors there are: each waits until all have begun. */
  @Test
  void allAreCompiledAtOnce() {
    int count = 9;
    var met = new CyclicBarrier(count);
    List<Supplier<byte[]>> all =
        IntStream.range(0, count)
            .mapToObj(i -> Compilation.begin(() -> meet(met, (byte) i)))
            .toList();
    assertThat(all.stream().map(code -> code.get()[0]))
        .containsExactlyElementsOf(IntStream.range(0, count).mapToObj(i -> (byte) i).toList());
  }

  private static byte[] meet(CyclicBarrier barrier, byte own) {
    try {
      barrier.await(1, TimeUnit.MINUTES);
      return new byte[] {own};
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** Every time, since a launch that is tried again must not find a kernel missing instead. */
  @Test
  void errorsReachWhoeverWaits() {
    Supplier<byte[]> code =
        Compilation.begin(
            () -> {
              throw new CompilationException("noise.cu(2): undefined");
            });
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(code::get)
          .isInstanceOf(CompilationException.class)
          .hasMessage("noise.cu(2): undefined");
    }
  }
}
