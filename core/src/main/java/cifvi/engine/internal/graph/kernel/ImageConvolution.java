package cifvi.engine.internal.graph.kernel;

import cifvi.engine.internal.cuda.DeviceLimits;

/**
 * A convolution as {@code image_convolution.cuh} takes an image through it, a block an image; see
 * {@code ImageGrid} and {@code ImageCut}.
 *
 * @param in side of the images before it
 * @param out and behind it
 * @param channels of all its inputs, those of each in eights
 * @param outputs channels of all its outputs
 */
record ImageConvolution(int in, int out, int channels, int outputs) {
  static final int WARPS = 16;

  static ImageConvolution of(DecoderConvolution.Call call) {
    DecoderConvolution c = call.convolution();
    int eights = Math.ceilDiv(c.channels(), ConvolutionShape.EIGHT);
    return new ImageConvolution(
        c.shape().in(),
        c.shape().out(),
        (call.second() ? 2 : 1) * eights * ConvolutionShape.EIGHT,
        c.allOutputs());
  }

  /** Whether every image can have a multiprocessor, as the 100 have for which it is faster. */
  static boolean pays(int rows, DeviceLimits limits) {
    return rows <= limits.multiprocessors();
  }

  /** What a block has of shared memory: the inputs, and behind them what its warps have summed. */
  int bytes() {
    boolean spread = out > in;
    int stride = in > out ? 2 : 1;
    int side = Math.min(in, out);
    int places = side * side;
    int width = stride * side + 3 - stride;
    int plane = (width * width + 23) / 32 * 32 + 8;
    int pitch = ((spread ? 4 : 1) * places + 11) / 16 * 16 + 4;
    int ofWarp = spread ? ConvolutionShape.SPREAD : ConvolutionShape.GATHERED;
    int across = Math.ceilDiv(places, places > 16 ? 32 : 16);
    int groups = Math.min(Math.ceilDiv(outputs, ofWarp), WARPS / across);
    int slices = Math.min(WARPS / across / groups, channels / ConvolutionShape.EIGHT);
    return (channels * plane + slices * groups * ofWarp * pitch) * Float.BYTES;
  }
}
