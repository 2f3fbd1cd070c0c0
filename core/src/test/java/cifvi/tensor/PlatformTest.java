package cifvi.tensor;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who has no native libraries is told whether there are any, and what helps. */
class PlatformTest {
  @ParameterizedTest
  @CsvSource({
    "Linux, amd64, linux-x86_64",
    "Mac OS X, aarch64, macosx-arm64",
    "Mac OS X, x86_64, macosx-x86_64",
    "Windows 11, amd64, windows-x86_64",
    "Windows Server 2025, amd64, windows-x86_64"
  })
  void whereThereAreSomeTheJarsAreNamed(String os, String arch, String classifier) {
    assertThat(Platform.lacking(os, arch))
        .startsWith("the native libraries of libtorch are missing: add")
        .contains("with the classifier " + classifier + " ");
  }

  @ParameterizedTest
  @CsvSource({
    "Linux, aarch64",
    "Linux, x86",
    "Linux, i386",
    "Linux, riscv64",
    "Windows 11, aarch64",
    "Windows 10, x86",
    "FreeBSD, amd64",
    "SunOS, amd64"
  })
  void whereThereAreNoneTheMachinesThatHaveThemAre(String os, String arch) {
    assertThat(Platform.lacking(os, arch))
        .isEqualTo(
            "libtorch has no native libraries for "
                + os
                + " on "
                + arch
                + ": use Linux on x86-64, macOS on arm64 or x86-64, or Windows on x86-64, with a"
                + " 64-bit JDK");
  }
}
