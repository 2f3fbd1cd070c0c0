package cifvi.engine.internal.graph.program;

import java.util.ArrayList;
import java.util.List;

/** What a step makes of some weights before their first use; fields as in {@code prepare.cu}. */
public sealed interface PrepareJob {
  /** Ints a block's job takes. */
  int WORDS = 8;

  /** Side of the tile that one block transposes. */
  int SIDE = 32;

  /** A weight {@code [outputs, inputs]} to {@code [inputs, outputs]}. */
  record Transpose(int weight, int target, int outputs, int inputs) implements PrepareJob {}

  /** The matrices of an LU map, see {@link cifvi.bijection.LuLinear}. */
  record Factors(int diagonal, int lower, int upper, int target, int d) implements PrepareJob {}

  /** The job as work of single blocks. */
  default List<int[]> blocks() {
    return switch (this) {
      case Factors f ->
          List.of(new int[] {FACTORS, f.diagonal, f.lower, f.upper, f.target, f.d, 0, 0});
      case Transpose t -> {
        List<int[]> tiles = new ArrayList<>();
        for (int o = 0; o < t.outputs; o += SIDE) {
          for (int i = 0; i < t.inputs; i += SIDE) {
            tiles.add(new int[] {TRANSPOSE, t.weight, t.target, t.outputs, t.inputs, o, i, 0});
          }
        }
        yield tiles;
      }
    };
  }

  int TRANSPOSE = 0;
  int FACTORS = 1;
}
