package cifvi.cli.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import cifvi.experiments.files.UserException;
import cifvi.tensor.CudaDevice;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Full GPUs are explained in one line, and processes get equal parts of what is free. */
class DeviceMemoryTest {
  private static final long GIB = 1L << 30;

  @Test
  void libtorchsWordsBecomeOneLine() {
    var e =
        new RuntimeException(
            "CUDA out of memory. Tried to allocate 20.00 GiB. GPU 0 has a total capacity of 139.72"
                + " GiB of which 1.25 GiB is free. Process 12 has 3 GiB in use.\nException raised");
    assertThat(DeviceMemory.explain(e).orElseThrow())
        .startsWith("the memory of the GPU is full (Tried to allocate 20.00 GiB. GPU 0 has")
        .contains("1.25 GiB is free): use a smaller --batch", "cifvi resume")
        .doesNotContain("\n", "Exception");
  }

  @Test
  void theDriversWordsBecomeOneLine() {
    var e = new RuntimeException("CUDA error: out of memory\nCUDA kernel errors might be");
    assertThat(DeviceMemory.explain(e).orElseThrow())
        .startsWith("the memory of the GPU is full: use")
        .doesNotContain("\n");
  }

  @Test
  void otherFailuresAreNotMistaken() {
    assertThat(DeviceMemory.explain(new RuntimeException("mat1 and mat2"))).isEmpty();
    assertThat(DeviceMemory.explain(new RuntimeException())).isEmpty();
  }

  @Test
  void processesShareWhatIsFree() {
    var device = new CudaDevice(0, "GPU", "9.0", 100 * GIB, OptionalLong.of(50 * GIB));
    assertThat(DeviceMemory.fraction(device, 5)).isEqualTo(0.1, within(0.01)).isLessThan(0.1);
  }

  @Test
  void tooManyProcessesAreRefusedWithANumberThatFits() {
    var device = new CudaDevice(1, "GPU", "9.0", 100 * GIB, OptionalLong.of(2 * GIB));
    assertThatThrownBy(() -> DeviceMemory.fraction(device, 8))
        .isInstanceOf(UserException.class)
        .hasMessage(
            "--jobs 8: cuda:1 has 2048 MiB free, and each process needs at least 1000:"
                + " use --jobs 2 or less");
  }

  @Test
  void aMachineWithoutGpusHasNothingToShare() {
    assertThat(DeviceMemory.share(Set.of(), 3)).isEmpty();
  }
}
