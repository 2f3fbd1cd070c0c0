package cifvi.tensor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The known-answer vectors of the Random123 distribution for philox4x32-10. */
class PhiloxTest {
  @ParameterizedTest
  @CsvSource({
    "00000000 00000000 00000000 00000000, 00000000 00000000, 6627e8d5 e169c58d bc57ac4c 9b00dbd8",
    "ffffffff ffffffff ffffffff ffffffff, ffffffff ffffffff, 408f276d 41c83b0e a20bc7c6 6d5451fd",
    "243f6a88 85a308d3 13198a2e 03707344, a4093822 299f31d0, d16cfe09 94fdcceb 5001e420 24126ea1"
  })
  void knownAnswers(String counter, String key, String expected) {
    int[] c = words(counter);
    int[] k = words(key);
    int[] out = new int[4];
    Philox.block((long) k[1] << 32 | Integer.toUnsignedLong(k[0]), c[0], c[1], c[2], c[3], out);
    assertThat(out).containsExactly(words(expected));
  }

  private static int[] words(String hex) {
    return Arrays.stream(hex.split(" ", -1)).mapToInt(HexFormat::fromHexDigits).toArray();
  }
}
