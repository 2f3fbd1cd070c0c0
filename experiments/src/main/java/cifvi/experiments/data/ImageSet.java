package cifvi.experiments.data;

/**
 * Grey images with labels: {@code pixels} are unsigned bytes, image after image, row-major. The
 * arrays are not copied: nobody may write to them.
 */
@SuppressWarnings("ArrayRecordComponent") // 47 MB, shared and not copied; never compared
public record ImageSet(byte[] pixels, byte[] labels, int count, int height, int width) {
  public ImageSet {
    if (pixels.length != (long) count * height * width) {
      throw new IllegalArgumentException(
          "pixels: expected %d × %d × %d, got %d".formatted(count, height, width, pixels.length));
    }
    if (labels.length != count) {
      throw new IllegalArgumentException(
          "labels: expected one for each of %d images, got %d".formatted(count, labels.length));
    }
  }

  /** Those with the numbers {@code rows}, in this order. */
  public ImageSet subset(int[] rows) {
    byte[] chosen = new byte[Math.multiplyExact(rows.length, size())];
    byte[] named = new byte[rows.length];
    for (int i = 0; i < rows.length; i++) {
      System.arraycopy(pixels, rows[i] * size(), chosen, i * size(), size());
      named[i] = labels[rows[i]];
    }
    return new ImageSet(chosen, named, rows.length, height, width);
  }

  /** Pixels of one image. */
  public int size() {
    return height * width;
  }
}
