// The large decoder from its linear start to the last block, a block of threads an image: its planes stay in registers and
// shared memory, weights come from the second-level cache. What is in between is written where it has a place; for the way
// back `seen` gets [convolution][image][thread], if it is not null.
struct DecoderTensors {
  ConvolutionTensors of[DECODER_CONVOLUTIONS];  // in the order of the pass, each sees what the one before gave
};

// A block of the decoder that keeps the size, and one that changes it.
template <int SIDE, int NEXT>
__device__ inline void decodeLevel(
    const ConvolutionTensors* tensors, int channels, unsigned short* seen, const ImageMemory& memory, Held<SIDE>& held,
    Held<NEXT>& next) {
  float largest = 0.0f;
#pragma unroll 1
  for (int i = 0; i < 3; i++) {
    if (i % 2 == 0) {
      held.keep(memory.kept);  // what a block is given
    }
    ImageConvolution c(tensors[i], channels, channels, i != 1);
    c.toSeen = seenBy(i, seen);
    largest = convolveImage<ImageGrid<SIDE, SIDE>>(c, memory, 0.0f, held, held);
  }
  ImageConvolution c(tensors[3], channels, channels / 2, false);
  c.toSeen = seenBy(3, seen);
  convolveImage<ImageGrid<SIDE, NEXT>>(c, memory, largest, held, next);
}

extern "C" __global__ void __launch_bounds__(IMAGE_THREADS, 1) decode_images(
    DecoderTensors tensors, int channels, int sumsAt, unsigned short* seen) {
  extern __shared__ double memory[];
  ImageMemory shared(memory, sumsAt);
  Held<4> start;
  Held<7> small;
  Held<14> half;
  Held<28> last;
  start.read(ImageConvolution::image(tensors.of[0].x, channels, start.AREA), channels);
  decodeLevel(tensors.of, channels, seen, shared, start, small);
  decodeLevel(tensors.of + 4, channels / 2, seenBy(4, seen), shared, small, half);
  decodeLevel(tensors.of + 8, channels / 4, seenBy(8, seen), shared, half, last);
}
