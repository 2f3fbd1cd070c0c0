// The way back through decode_images.cu: from the gradient of what the last block gave to that of the linear start.
// `seen` is what it wrote.
struct DecoderGradients {
  ConvolutionTensors of[DECODER_CONVOLUTIONS];  // in the order of the pass, each sees what the one before gave
};

template <int NEXT, int SIDE>
__device__ inline void decodeLevelBack(
    const ConvolutionTensors* tensors, int channels, const unsigned short* seen, const ImageMemory& memory,
    const Held<NEXT>& next, Held<SIDE>& held) {
  ImageConvolution last(tensors[0], channels / 2, channels, false);
  last.fromSeen = seenBy(3, seen);
  convolveImage<ImageGrid<NEXT, SIDE>>(last, memory, 0.0f, next, held);
#pragma unroll 1
  for (int i = 1; i < 4; i++) {
    if (i == 2) {
      held.keep(memory.kept);  // what a block is given
    }
    ImageConvolution c(tensors[i], channels, channels, false);
    c.fromSeen = seenBy(3 - i, seen);
    convolveImage<ImageGrid<SIDE, SIDE>>(c, memory, 0.0f, held, held);
  }
}

extern "C" __global__ void __launch_bounds__(IMAGE_THREADS, 1) decode_images_back(
    DecoderGradients tensors, int channels, int sumsAt, const unsigned short* seen) {
  extern __shared__ double memory[];
  ImageMemory shared(memory, sumsAt);
  Held<28> last;
  Held<14> half;
  Held<7> small;
  Held<4> start;
  last.read(ImageConvolution::image(tensors.of[0].x, channels / 8, last.AREA), channels / 8);
  decodeLevelBack(tensors.of, channels / 4, seenBy(8, seen), shared, last, half);
  decodeLevelBack(tensors.of + 4, channels / 2, seenBy(4, seen), shared, half, small);
  decodeLevelBack(tensors.of + 8, channels, seen, shared, small, start);
}
