package cifvi.experiments.machine;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

import cifvi.experiments.files.UserException;
import org.junit.jupiter.api.Test;

/** What does not fit is refused with what it would take. */
class MachineMemoryTest {
  private static final long TOTAL = 4L << 30;

  @Test
  void whatFitsIsLeftAlone() {
    assertThatNoException()
        .isThrownBy(() -> MachineMemory.require("--samples", 200_000, 20_000, "", TOTAL));
    assertThatNoException().isThrownBy(() -> MachineMemory.require("--samples", 1, 20_000, ""));
  }

  @Test
  void whatDoesNotIsRefusedWithItsSize() {
    assertThatExceptionOfType(UserException.class)
        .isThrownBy(
            () ->
                MachineMemory.require("--samples", 1_000_000, 20_000, ", or --engine fused", TOTAL))
        .withMessage(
            "--samples: 1,000,000 take about 18.6 GiB, and this machine has 4.0: use fewer, or"
                + " --engine fused");
  }
}
