package cifvi.engine.internal.fused.pictures;

/**
 * Square pictures in an array, one for every row of a tape, one after the other; the channels of a
 * pixel are adjacent, filled up with zeros to whole vectors.
 */
public record Pictures(int at, int side, int channels) {
  /** Numbers of one picture. */
  public int size() {
    return side * side * channels;
  }

  /** Where the picture of a row begins. */
  public int of(int row) {
    return at + row * size();
  }

  /** The same pictures elsewhere. */
  public Pictures at(int place) {
    return new Pictures(place, side, channels);
  }
}
