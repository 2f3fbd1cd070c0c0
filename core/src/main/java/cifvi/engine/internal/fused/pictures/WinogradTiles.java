package cifvi.engine.internal.fused.pictures;

import static cifvi.engine.internal.fused.pictures.Winograd.POINTS;
import static cifvi.engine.internal.fused.pictures.Winograd.TILE;

import cifvi.engine.internal.fused.memory.Layout;
import java.util.Arrays;

/**
 * Between pictures and the {@value #SQUARE} points of their tiles, whose channels are the rows of a
 * matrix at each point. Everything here is in scratch memory.
 */
public final class WinogradTiles {
  public static final int SQUARE = POINTS * POINTS;

  /** Tiles at a time. */
  private static final int ROWS = 48;

  /** Keeps the points of a tile from falling on the same lines of the cache. */
  private static final int SKEW = WideLanes.MOST;

  private final int side;
  private final int channels;
  private final int tiles; // on a side
  private final int framed; // side of a picture with the border that tiles see
  private final int covered; // side of what tiles cover

  /** Distance of two points. */
  public final int point;

  /** Of the first tile at the first point: what the convolution sees, and what it gives. */
  public final int inputs;

  public final int outputs;

  private final int frame;
  private final int cover;
  private final int corners; // a line of each of a row of tiles
  private final int between; // a row of tiles after the first of two maps

  public WinogradTiles(int side, int channels, Layout.Scratch scratch) {
    this.side = side;
    this.channels = channels;
    tiles = Math.ceilDiv(side, TILE);
    framed = TILE * tiles + POINTS - TILE;
    covered = TILE * tiles;
    point = ROWS * channels + SKEW;
    inputs = scratch.numbers(SQUARE * point);
    outputs = scratch.numbers(SQUARE * point);
    frame = scratch.numbers(framed * framed * channels);
    cover = scratch.numbers(covered * covered * channels);
    corners = scratch.numbers(POINTS * tiles * channels);
    between = scratch.numbers(POINTS * Math.max(framed, POINTS * tiles) * channels);
  }

  /** Pictures whose tiles there is room for. */
  public int pictures() {
    return ROWS / (tiles * tiles);
  }

  /** Rows of the matrices for so many pictures. */
  public int rows(int pictures) {
    return pictures * tiles * tiles;
  }

  /** What lies around pictures counts as zero, before their first {@link #input}. */
  public void clear(float[] s) {
    Arrays.fill(s, frame, frame + framed * framed * channels, 0);
    Arrays.fill(s, cover, cover + covered * covered * channels, 0);
  }

  /** From relu(x) to the inputs of picture {@code i}. */
  public void input(float[] x, int at, float[] s, int i) {
    for (int row = 0; row < side; row++) {
      PixelRows.relu(x, at + row * line(), s, framedLine(row), line());
    }
    toPoints(Winograd.INPUT, s, frame, framed, inputs + rows(i) * channels);
  }

  /** From the gradient in y to that in the outputs. */
  public void outputBack(float[] dy, int at, float[] s, int i) {
    for (int row = 0; row < side; row++) {
      PixelRows.copy(dy, at + row * line(), s, coveredLine(row), line());
    }
    toPoints(Winograd.OUTPUT_BACK, s, cover, covered, outputs + rows(i) * channels);
  }

  /** Maps the tiles of a picture down and to the right, a row of them at a time. */
  private void toPoints(Winograd map, float[] s, int picture, int width, int first) {
    int line = width * channels;
    int next = TILE * channels;
    for (int ty = 0; ty < tiles; ty++) {
      map.lines(s, picture + ty * TILE * line, line, 0, s, between, line, 0, 1, line);
      int tile = first + ty * tiles * channels;
      for (int p = 0; p < POINTS; p++) {
        int to = tile + p * POINTS * point;
        int from = between + p * line;
        map.lines(s, from, channels, next, s, to, point, channels, tiles, channels);
      }
    }
  }

  /** From the outputs of picture {@code i} to y, with a bias. */
  public void output(float[] s, int i, float[] biases, float[] y, int to) {
    int next = TILE * channels;
    for (int ty = 0; ty < tiles; ty++) {
      down(Winograd.OUTPUT, s, outputs + (rows(i) + ty * tiles) * channels);
      for (int row = 0; row < TILE; row++) {
        right(Winograd.OUTPUT, s, row, coveredLine(ty * TILE + row), next);
      }
    }
    for (int row = 0; row < side; row++) {
      PixelRows.shift(s, coveredLine(row), biases, y, to + row * line(), side, channels);
    }
  }

  /** From the gradient in the inputs of picture {@code i} to that in x; tiles overlap. */
  public void inputBack(float[] s, int i, float[] x, int xAt, float[] dx, int to) {
    int size = POINTS * channels;
    Arrays.fill(s, frame, frame + framed * framed * channels, 0);
    for (int ty = 0; ty < tiles; ty++) {
      down(Winograd.INPUT_BACK, s, inputs + (rows(i) + ty * tiles) * channels);
      for (int row = 0; row < POINTS; row++) {
        right(Winograd.INPUT_BACK, s, row, corners, size);
        int line = frame + (ty * TILE + row) * framed * channels;
        for (int tx = 0; tx < tiles; tx++) {
          PixelRows.add(s, corners + tx * size, s, line + tx * TILE * channels, size);
        }
      }
    }
    for (int row = 0; row < side; row++) {
      int at = row * line();
      PixelRows.gate(s, framedLine(row), x, xAt + at, dx, to + at, line());
    }
  }

  /** Maps the points of a row of tiles down. */
  private void down(Winograd map, float[] s, int tile) {
    int row = tiles * channels;
    for (int p = 0; p < POINTS; p++) {
      int to = between + p * row;
      map.lines(s, tile + p * point, POINTS * point, 0, s, to, POINTS * row, 0, 1, row);
    }
  }

  /** Maps one line of what that gave to the right, to tiles that lie {@code next} apart. */
  private void right(Winograd map, float[] s, int row, int to, int next) {
    int width = tiles * channels;
    int from = between + row * POINTS * width;
    map.lines(s, from, width, channels, s, to, channels, next, tiles, channels);
  }

  /** Numbers in a line of pixels. */
  private int line() {
    return side * channels;
  }

  private int framedLine(int row) {
    return frame + ((row + 1) * framed + 1) * channels;
  }

  private int coveredLine(int row) {
    return cover + row * covered * channels;
  }
}
