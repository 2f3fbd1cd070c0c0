package cifvi.cli.plot;

import cifvi.experiments.figures.Frame;
import cifvi.experiments.figures.Passage;
import cifvi.experiments.figures.Points;
import java.awt.Color;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** Figures of draws on their way through the layers. */
record PassageFigures(Passage passage, Frame frame) {
  private static final int COLUMNS = 3;
  private static final double INDEX_LIMIT = 2;

  /** The base and w after every step; a draw keeps the colour of the place where it ends. */
  void writeLayers(Path png) {
    List<Color> colours = endColours();
    var cells = new ArrayList<Cell>();
    for (int i = 0; i < passage.stages().size(); i++) {
      Points points = passage.stages().get(i);
      cells.add(new Cell(stageName(i), new Scatter(points.frame(frame), points, colours)));
    }
    FigureGrid.write(inRows(cells), png);
  }

  /** z for every layer with an index, coloured by that index. */
  void writeIndices(Path png) {
    var cells = new ArrayList<Cell>();
    for (int i = 0; i < passage.indices().size(); i++) {
      cells.add(indexCell(i + 1, passage.indices().get(i)));
    }
    cells.add(
        new Cell(
            "",
            new ColourBar(INDEX_LIMIT, "u of the layer, in standard deviations from its mean")));
    FigureGrid.write(inRows(cells), png);
  }

  private Cell indexCell(int layer, double[] u) {
    double mean = Arrays.stream(u).average().orElse(0);
    double deviation =
        Math.sqrt(Arrays.stream(u).map(v -> (v - mean) * (v - mean)).average().orElse(0));
    List<Color> colours =
        Arrays.stream(u)
            .map(v -> (v - mean) / (deviation + 1e-12))
            .mapToObj(v -> Colours.coolWarmLevel((v / INDEX_LIMIT + 1) / 2))
            .toList();
    return new Cell("z by u" + Numerals.subscript(layer), new Scatter(frame, passage.z(), colours));
  }

  private String stageName(int i) {
    if (passage.stages().size() == 1) {
      return "z"; // what comes before has another dimension
    }
    String w = "w" + Numerals.subscript(i);
    if (i == 0) {
      return "base " + w;
    }
    return i < passage.stages().size() - 1 ? w : w + " = z";
  }

  private List<Color> endColours() {
    Points z = passage.z();
    return IntStream.range(0, z.count())
        .mapToObj(i -> Colours.ofPlace(z.x(i) / frame.limit(), z.y(i) / frame.limit()))
        .toList();
  }

  private static List<List<Cell>> inRows(List<Cell> cells) {
    return IntStream.range(0, Math.ceilDiv(cells.size(), COLUMNS))
        .mapToObj(r -> cells.subList(r * COLUMNS, Math.min(cells.size(), (r + 1) * COLUMNS)))
        .toList();
  }
}
