package cifvi.stan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which library is opened, and what is said of one that cannot be. */
class LibrariesTest {
  private static final String DATA = "{\"mode\": 0}";

  @TempDir Path folder;

  private static void assertRefused(Path library, String... words) {
    assertThatThrownBy(() -> StanModel.open(library, DATA))
        .isInstanceOf(IllegalArgumentException.class)
        .message()
        .contains(words);
  }

  @Test
  void whatIsNoLibraryIsExplained() throws Exception {
    assertRefused(folder.resolve("none.so"), "there is no library", "none.so");
    assertRefused(folder, "is no file that can be read");
    Path text = Files.writeString(folder.resolve("text.so"), "no library at all, but long enough");
    assertRefused(text, "text.so cannot be opened: it is no library");
    Path empty = Files.createFile(folder.resolve("empty.so"));
    assertRefused(empty, "empty.so cannot be opened: it is no library");
    byte[] whole = Files.readAllBytes(Stub.build(folder.resolve("whole.so")));
    for (int length : new int[] {3, 20, 100, 1000, whole.length / 2}) {
      Path cut = Files.write(folder.resolve("cut.so"), Arrays.copyOf(whole, length));
      assertRefused(cut, "cut.so cannot be opened: it is no");
    }
    whole[18] ^= (byte) 0x40; // the processor it is for
    assertRefused(
        Files.write(folder.resolve("foreign.so"), whole), "foreign.so cannot be opened: ");
  }

  @Test
  void aLibraryThatLacksAnotherSaysWhich() throws Exception {
    Path other = Stub.build(folder.resolve("libneeded.so"));
    Path library =
        Stub.build(
            folder.resolve("needs_model.so"),
            "-Wl,--no-as-needed",
            "-L" + folder,
            "-lneeded",
            "-DTHREADS");
    Files.delete(other);
    assertRefused(library, "needs_model.so cannot be opened: libneeded.so: cannot open shared");
  }

  @Test
  void whatIsNoModelOfBridgeStan2IsTold() throws Exception {
    assertRefused(
        Stub.build(folder.resolve("old.so"), "-DNO_VERSION"), "it has no bs_major_version");
    assertRefused(
        Stub.build(folder.resolve("next.so"), "-DMAJOR=3"), "built by BridgeStan 3; expected");
    assertRefused(
        Stub.build(folder.resolve("mute.so"), "-DNO_PRINTS"),
        "has no function bs_set_print_callback; build it with a newer BridgeStan");
  }

  /** The system takes a file for the one it has opened under that name before. */
  @Test
  void aLibraryThatWasBuiltAgainIsTheNewOne() throws Exception {
    Path library = Stub.build(folder.resolve("same_model.so"), "-DTHREADS");
    try (StanModel first = StanModel.open(library, DATA)) {
      Files.delete(library);
      Stub.build(library, "-DTHREADS", "-DSCALE=2.0");
      try (StanModel second = StanModel.open(library, DATA)) {
        assertThat(slope(first)).isEqualTo(-1);
        assertThat(slope(second)).isEqualTo(-0.25);
        assertThat(second.identity()).isNotEqualTo(first.identity());
      }
    }
  }

  @Test
  void oneNameInTwoFoldersIsTwoLibraries() throws IOException, InterruptedException {
    Path one = Files.createDirectory(folder.resolve("one"));
    Path two = Files.createDirectory(folder.resolve("two"));
    Path narrow = Stub.build(one.resolve("m_model.so"), "-DTHREADS");
    Path wide = Stub.build(two.resolve("m_model.so"), "-DTHREADS", "-DSCALE=2.0");
    try (StanModel first = StanModel.open(narrow, DATA);
        StanModel second = StanModel.open(wide, DATA)) {
      assertThat(slope(first)).isEqualTo(-1);
      assertThat(slope(second)).isEqualTo(-0.25);
    }
  }

  private static double slope(StanModel model) {
    double[] gradient = new double[3];
    assertThat(model.at(new double[] {1, 0, 0}, gradient)).isNegative();
    return gradient[0];
  }
}
