package cifvi.engine.internal.graph.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import cifvi.engine.internal.graph.Devices;
import cifvi.engine.internal.graph.program.Variable;
import cifvi.engine.internal.graph.program.WeightMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tiles cover a matrix once, and fit into a block. */
class WeightTileTest {
  @ParameterizedTest
  @CsvSource({
    "420, 420, 49",
    "4, 12544, 99",
    "2048, 0, 16",
    "460, 32, 5",
    "32, 32, 1",
    "10, 10, 1",
    "1, 0, 1",
    "129, 3, 2"
  })
  void coverAMatrixOnce(int outputs, int inputs, int count) {
    var x = new Variable(0, inputs, 0);
    var y = new Variable(1, outputs, 1);
    var tiles = WeightTile.of(WeightMap.dense(x, false, y, outputs, 0, 0));
    assertThat(tiles).hasSize(count);
    int[][] times = new int[outputs][inputs + 1];
    for (var tile : tiles) {
      assertThat(tile.outputs() % 4).isZero();
      assertThat(tile.inputs() % 4).isZero();
      assertThat(tile.size()).isLessThanOrEqualTo(WeightTile.MAX_SIZE);
      for (int o = tile.output(); o < Math.min(outputs, tile.output() + tile.outputs()); o++) {
        for (int i = tile.input(); i < Math.min(inputs + 1, tile.input() + tile.inputs()); i++) {
          times[o][i]++;
        }
      }
    }
    for (int[] row : times) {
      assertThat(row).containsOnly(1);
    }
  }

  @Test
  void rowsAreCutWhereTilesAreFew() {
    assertThat(WeightKernels.parts(75, 1000, Devices.H200)).isEqualTo(7);
    assertThat(WeightKernels.parts(75, 100, Devices.H200)).isEqualTo(1);
    assertThat(WeightKernels.parts(1000, 1000, Devices.H200)).isEqualTo(1);
    assertThat(WeightKernels.parts(0, 1000, Devices.H200)).isPositive(); // an evaluation
    assertThat(WeightKernels.parts(75, 1000, Devices.A100)).isEqualTo(4); // 3 blocks on each of 108
    assertThat(WeightKernels.parts(75, 1000, Devices.RTX_4090)).isEqualTo(3); // 2 on each of 128
    assertThat(WeightKernels.parts(10, 1000, Devices.T4)).isEqualTo(4); // 1 on each of 40
  }
}
