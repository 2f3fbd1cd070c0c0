// The way back through decode_images.cu: from the gradient of what the last block gave to that of the linear start.
struct DecoderGradients {
  ConvolutionTensors of[DECODER_CONVOLUTIONS];  // in the order of the pass
};

template <int NEXT, int SIDE>
__device__ inline void decodeLevelBack(const ConvolutionTensors* tensors, int channels, float* shared) {
  convolveImage<ImageGrid<NEXT, SIDE>>(ImageConvolution(tensors[0], channels / 2, channels, false), shared);
#pragma unroll 1
  for (int i = 1; i < 4; i++) {
    convolveImage<ImageGrid<SIDE, SIDE>>(ImageConvolution(tensors[i], channels, channels, false), shared);
  }
}

extern "C" __global__ void __launch_bounds__(IMAGE_WARPS * WARP, 1) decode_images_back(
    DecoderGradients tensors, int channels) {
  extern __shared__ double memory[];
  float* shared = reinterpret_cast<float*>(memory);
  decodeLevelBack<28, 14>(tensors.of, channels / 4, shared);
  decodeLevelBack<14, 7>(tensors.of + 4, channels / 2, shared);
  decodeLevelBack<7, 4>(tensors.of + 8, channels, shared);
}
