package cifvi.engine.internal.graph.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import cifvi.engine.internal.graph.Devices;
import cifvi.engine.internal.graph.program.Convolution;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tiles cover the weights and biases of a convolution once, and fit into a block. */
class ConvolutionTileTest {
  @ParameterizedTest
  @CsvSource({
    "4, 4, 3, 128, 128, false, 16",
    "4, 7, 3, 128, 64, true, 8",
    "7, 7, 3, 64, 64, false, 4",
    "7, 14, 3, 64, 32, true, 2",
    "14, 14, 3, 32, 32, false, 1",
    "14, 28, 3, 32, 16, true, 1",
    "28, 28, 1, 1, 16, false, 1",
    "14, 28, 3, 2, 1, true, 1",
    "4, 4, 3, 33, 40, false, 4",
    "14, 28, 3, 70, 17, true, 3",
    "28, 28, 1, 1, 70, false, 3"
  })
  void coverEveryWeightOnce(
      int side, int sideQ, int taps, int ms, int ns, boolean transposed, int count) {
    var convolution = new Convolution(side, sideQ, taps, ms, ns, 0, 0, transposed, false);
    var tiles = ConvolutionTile.of(convolution, 0, Devices.H200);
    assertThat(tiles).hasSize(count);
    int[][] weights = new int[ms][ns];
    int[] biases = new int[transposed ? ns : ms];
    for (var tile : tiles) {
      for (int m = tile.m(); m < tile.m() + tile.ms(); m++) {
        for (int n = tile.n(); n < tile.n() + tile.ns(); n++) {
          weights[m][n]++;
        }
      }
      for (int b = 0; b < tile.biases(); b++) {
        biases[(transposed ? tile.n() : tile.m()) + b]++;
      }
    }
    for (int[] row : weights) {
      assertThat(row).containsOnly(1);
    }
    assertThat(biases).containsOnly(1);
  }

  /** One pair of the widest fits, and of the smallest many, the same number each time. */
  @ParameterizedTest
  @CsvSource({
    "14, 28, 3, 32, 16, true, 6, 1",
    "7, 14, 3, 32, 32, true, 11, 1",
    "7, 7, 3, 32, 32, false, 11, 3",
    "4, 4, 3, 32, 32, false, 33, 7",
    "4, 4, 3, 32, 32, false, 1, 1"
  })
  void pairsThatFit(
      int side, int sideQ, int taps, int ms, int ns, boolean transposed, int part, int pairs) {
    var convolution = new Convolution(side, sideQ, taps, ms, ns, 0, 0, transposed, false);
    assertThat(ConvolutionTile.of(convolution, 0, Devices.H200).getFirst().pairs(part))
        .isEqualTo(pairs);
  }

  /** With less shared memory fewer pairs at once, in tiles that still cover everything. */
  @ParameterizedTest
  @CsvSource({"14, 28, 3, 32, 16, true, 2, 1", "4, 7, 3, 32, 32, true, 1, 2"})
  void onATuringDevice(
      int side, int sideQ, int taps, int ms, int ns, boolean transposed, int count, int pairs) {
    var convolution = new Convolution(side, sideQ, taps, ms, ns, 0, 0, transposed, false);
    var tiles = ConvolutionTile.of(convolution, 0, Devices.T4);
    assertThat(tiles).hasSize(count);
    assertThat(tiles.getFirst().pairs(11)).isEqualTo(pairs);
    assertThat(ConvolutionTile.sharedBytes(Devices.T4)).isEqualTo(Devices.T4.blockShared());
  }

  /**
   * All parts of all tiles begin at once on a large device, in two turns on one with few places.
   */
  @ParameterizedTest
  @CsvSource({"100, 264, 264", "100, 66, 132", "7, 264, 264", "1, 264, 264"})
  void partsThatBeginAtOnce(int rows, int atOnce, int most) {
    List<ConvolutionTile> tiles =
        Stream.of(
                new Convolution(4, 4, 3, 128, 128, 0, 0, false, true),
                new Convolution(4, 4, 3, 128, 128, 0, 0, false, true),
                new Convolution(4, 4, 3, 128, 128, 0, 0, false, true),
                new Convolution(7, 14, 3, 64, 32, 0, 0, true, false),
                new Convolution(4, 7, 3, 128, 128, 0, 0, true, false),
                new Convolution(28, 28, 1, 1, 16, 0, 0, false, true))
            .flatMap(c -> ConvolutionTile.of(c, 0, Devices.H200).stream())
            .toList();
    int[] parts = ConvolutionKernels.parts(tiles, rows, atOnce);
    assertThat(parts).hasSize(tiles.size());
    assertThat(IntStream.of(parts)).allMatch(count -> count > 0 && count <= rows);
    assertThat(IntStream.of(parts).sum()).isLessThanOrEqualTo(most).isGreaterThan(atOnce / 4);
  }

  @Test
  void refusesSizesThatTheKernelDoesNotKnow() {
    assertThatThrownBy(() -> new Convolution(5, 5, 3, 8, 8, 0, 0, false, false))
        .hasMessage("convolution: expected sides and taps of the large decoder, got [5, 5, 3]");
  }
}
