// The large decoder from its linear start to the last block, a block of threads an image: its planes stay in shared memory
// while a convolution needs them, weights come from the second-level cache.
struct DecoderTensors {
  ConvolutionTensors of[DECODER_CONVOLUTIONS];  // in the order of the pass
};

// A block of the decoder that keeps the size, and one that changes it.
template <int SIDE, int NEXT>
__device__ inline void decodeLevel(const ConvolutionTensors* tensors, int channels, float* shared) {
#pragma unroll 1
  for (int i = 0; i < 3; i++) {
    convolveImage<ImageGrid<SIDE, SIDE>>(ImageConvolution(tensors[i], channels, channels, i != 1), shared);
  }
  convolveImage<ImageGrid<SIDE, NEXT>>(ImageConvolution(tensors[3], channels, channels / 2, false), shared);
}

extern "C" __global__ void __launch_bounds__(IMAGE_WARPS * WARP, 1) decode_images(DecoderTensors tensors, int channels) {
  extern __shared__ double memory[];
  float* shared = reinterpret_cast<float*>(memory);
  decodeLevel<4, 7>(tensors.of, channels, shared);
  decodeLevel<7, 14>(tensors.of + 4, channels / 2, shared);
  decodeLevel<14, 28>(tensors.of + 8, channels / 4, shared);
}
