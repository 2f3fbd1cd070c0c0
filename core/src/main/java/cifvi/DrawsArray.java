package cifvi;

import cifvi.parameter.Parameter;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;

/**
 * One parameter, or one statistic, of all draws as a row-major array of float64.
 *
 * @param shape the number of draws, then the parameter's own
 * @param columns of a draw, in row-major order of the parameter
 */
record DrawsArray(
    String name, boolean statistic, List<Integer> shape, List<IntToDoubleFunction> columns) {
  /** Statistics first, then the parameters. */
  static List<DrawsArray> of(Draws draws) {
    var arrays = new ArrayList<DrawsArray>();
    List<IntToDoubleFunction> statistics = List.of(draws::logP, draws::logP, draws::logG);
    for (int i = 0; i < statistics.size(); i++) {
      arrays.add(
          new DrawsArray(
              DrawsFile.STATISTICS.get(i),
              true,
              List.of(draws.size()),
              List.of(statistics.get(i))));
    }
    int first = 0;
    var names = draws.parameters().names(); // those of the columns may be others
    for (Parameter parameter : draws.parameters().parameters()) {
      var shape = new ArrayList<>(List.of(draws.size()));
      shape.addAll(parameter.dimensions());
      int count = parameter.dimensions().stream().reduce(1, (a, b) -> a * b);
      var columns = new IntToDoubleFunction[count];
      for (int c = first; c < first + count; c++) {
        int column = c;
        columns[rowMajor(names.get(c), parameter)] = i -> draws.number(i, column);
      }
      arrays.add(new DrawsArray(parameter.name(), false, shape, Arrays.asList(columns)));
      first += count;
    }
    return arrays;
  }

  /** Where {@code Sigma.2.1} lies; Stan's own order is by columns. */
  private static int rowMajor(String name, Parameter parameter) {
    int at = 0;
    if (!parameter.dimensions().isEmpty()) {
      String[] indices = name.substring(parameter.name().length() + 1).split("\\.", -1);
      for (int i = 0; i < indices.length; i++) {
        at = at * parameter.dimensions().get(i) + Integer.parseInt(indices[i]) - 1;
      }
    }
    return at;
  }

  /** The numbers, little-endian. */
  void writeTo(OutputStream out) throws IOException {
    var row = ByteBuffer.allocate(Double.BYTES * columns.size()).order(ByteOrder.LITTLE_ENDIAN);
    for (int i : IntStream.range(0, shape.getFirst()).toArray()) {
      row.clear();
      columns.forEach(column -> row.putDouble(column.applyAsDouble(i)));
      out.write(row.array());
    }
  }
}
