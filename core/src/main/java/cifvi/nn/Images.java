package cifvi.nn;

/**
 * The size of the images of paper section 4.2: 28 x 28 with one channel, halved to 14 x 14 by the
 * one convolution.
 */
public final class Images {
  public static final int SIDE = 28;
  public static final int PIXELS = SIDE * SIDE;

  /** Of the strided convolutions and their transposes. */
  public static final int KERNEL = 4;

  public static final int STRIDE = 2;
  public static final int PADDING = 1;

  /** Side of the image after one strided convolution. */
  public static final int HALF = SIDE / STRIDE;

  private Images() {}
}
