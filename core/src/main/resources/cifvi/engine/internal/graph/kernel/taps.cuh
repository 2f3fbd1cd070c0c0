// What convolutions 4 x 4 with stride 2 between images with a border and [channels, 14, 14], plain and transposed, are
// made of, in either direction.

constexpr int KERNEL = 4;
constexpr int TAPS = KERNEL * KERNEL;
constexpr int HALF = IMAGE_SIDE / 2;
constexpr int POSITIONS = HALF * HALF;
constexpr int MANY_CHANNELS = 32;

// Calls store(i, sum) for every place i of [channels, 14, 14]: the convolution of one image, or of two, of row r.
// A thread computes one position of CHANNELS channels at once.
template <int CHANNELS, class Store>
__device__ inline void convolve(
    const float* first, const float* second, const float* __restrict__ weight, int channels, int r, const Store& store) {
  int inputs = second ? 2 : 1;
  int parts = (channels + CHANNELS - 1) / CHANNELS;
  EACH(i, parts * POSITIONS) {
    int from = i / POSITIONS * CHANNELS;
    int position = i % POSITIONS;
    int corner = r * FRAMED + position / HALF * 2 * FRAME + position % HALF * 2;
    const float* w[CHANNELS];
    float sum[CHANNELS];
#pragma unroll
    for (int c = 0; c < CHANNELS; c++) {
      w[c] = weight + min(from + c, channels - 1) * inputs * TAPS;
      sum[c] = 0.0f;
    }
    for (int m = 0; m < inputs; m++) {
      const float* image = (m == 0 ? first : second) + corner;
#pragma unroll
      for (int ky = 0; ky < KERNEL; ky++) {
        const float* line = image + ky * FRAME;
#pragma unroll
        for (int c = 0; c < CHANNELS; c++) {
          float4 row = *reinterpret_cast<const float4*>(w[c] + m * TAPS + ky * KERNEL);
          sum[c] = fmaf(row.x, line[0], sum[c]);
          sum[c] = fmaf(row.y, line[1], sum[c]);
          sum[c] = fmaf(row.z, line[2], sum[c]);
          sum[c] = fmaf(row.w, line[3], sum[c]);
        }
      }
    }
#pragma unroll
    for (int c = 0; c < CHANNELS; c++) {
      if (from + c < channels) {
        store((from + c) * POSITIONS + position, sum[c]);
      }
    }
  }
}

template <class Store>
__device__ inline void convolve(
    const float* first, const float* second, const float* weight, int channels, int r, const Store& store) {
  if (channels < MANY_CHANNELS) {
    convolve<4>(first, second, weight, channels, r, store);
  } else {
    convolve<8>(first, second, weight, channels, r, store);
  }
}

// What pixels and d, [channels, 14, 14], give to the weights of a convolution between them, to gradient[channel][image]
// [ky][kx]; with `bias` the sums of d as well. A thread has line ky of the kernels of one image, for four channels at
// once; lanes share the lines of d.
__device__ inline void kernelGradients(
    const float* images, int inputs, const float* d, int channels, float* gradient, float* bias) {
  constexpr int QUAD = 4;
  int lines = inputs * KERNEL;
  int shares = blockDim.x % WARP == 0 ? 4 : 1;
  int items = (channels + QUAD - 1) / QUAD * lines * shares;
  for (int start = 0; start < items; start += blockDim.x) {
    int item = start + threadIdx.x;
    int share = item % shares;
    int m = item / shares / KERNEL % inputs;
    int ky = item / shares % KERNEL;
    int first = item / shares / lines * QUAD;
    const float* from[QUAD];
    float sum[QUAD][KERNEL + 1] = {};
#pragma unroll
    for (int c = 0; c < QUAD; c++) {
      from[c] = d + min(first + c, channels - 1) * POSITIONS;
    }
    for (int i = share; i < (item < items ? HALF : 0); i += shares) {
      const float* line = images + m * FRAMED + (2 * i + ky) * FRAME;
      float pixel[KERNEL] = {0.0f, 0.0f, line[0], line[1]};
#pragma unroll
      for (int j = 0; j < HALF; j++) {
        pixel[0] = pixel[2];
        pixel[1] = pixel[3];
        pixel[2] = line[2 * j + 2];
        pixel[3] = line[2 * j + 3];
#pragma unroll
        for (int c = 0; c < QUAD; c++) {
          float g = from[c][i * HALF + j];
          sum[c][KERNEL] += g;
#pragma unroll
          for (int kx = 0; kx < KERNEL; kx++) {
            sum[c][kx] = fmaf(g, pixel[kx], sum[c][kx]);
          }
        }
      }
    }
#pragma unroll
    for (int c = 0; c < QUAD; c++) {
#pragma unroll
      for (int kx = 0; kx <= KERNEL; kx++) {
        for (int lane = 1; lane < shares; lane *= 2) {
          sum[c][kx] += __shfl_xor_sync(~0u, sum[c][kx], lane);
        }
      }
      if (item < items && share == 0 && first + c < channels) {
#pragma unroll
        for (int kx = 0; kx < KERNEL; kx++) {
          gradient[((first + c) * inputs + m) * TAPS + ky * KERNEL + kx] = sum[c][kx];
        }
        if (bias && m == 0 && ky == 0) {
          bias[first + c] = sum[c][KERNEL];
        }
      }
    }
  }
}

// Calls store(i, sum) for every pixel i of an image with its border: the transposed convolution of d, [channels, 14,
// 14], with `stride` weights a channel. A thread gathers 2 x 2 pixels, (2p + ky, 2q + kx) with ky, kx = 0, 1: positions
// (p, q) with the taps (ky, kx), and those above, to the left, and both, with taps two further on. Lanes share the
// channels.
template <class Store>
__device__ inline void gather(
    const float* d, const float* __restrict__ weight, int stride, int channels, const Store& store) {
  constexpr int SPOTS = (HALF + 1) * (HALF + 1);
  int shares = blockDim.x % WARP == 0 ? 2 : 1;
  for (int start = 0; start < SPOTS * shares; start += blockDim.x) {
    int item = start + threadIdx.x;
    int share = item % shares;
    int p = item / shares / (HALF + 1);
    int q = item / shares % (HALF + 1);
    float sum[2][2] = {};
#pragma unroll 2
    for (int c = share; c < (p <= HALF ? channels : 0); c += shares) {
      const float* at = d + c * POSITIONS + p * HALF + q;
      const float4* w = reinterpret_cast<const float4*>(weight + c * stride);
      float here = p < HALF && q < HALF ? at[0] : 0.0f;
      float left = p < HALF && q > 0 ? at[-1] : 0.0f;
      float above = p > 0 && q < HALF ? at[-HALF] : 0.0f;
      float both = p > 0 && q > 0 ? at[-HALF - 1] : 0.0f;
#pragma unroll
      for (int ky = 0; ky < 2; ky++) {
        float4 near = w[ky];
        float4 far = w[ky + 2];
        sum[ky][0] += fmaf(here, near.x, fmaf(left, near.z, fmaf(above, far.x, both * far.z)));
        sum[ky][1] += fmaf(here, near.y, fmaf(left, near.w, fmaf(above, far.y, both * far.w)));
      }
    }
#pragma unroll
    for (int ky = 0; ky < 2; ky++) {
#pragma unroll
      for (int kx = 0; kx < 2; kx++) {
        for (int lane = 1; lane < shares; lane *= 2) {
          sum[ky][kx] += __shfl_xor_sync(~0u, sum[ky][kx], lane);
        }
        if (share == 0 && p <= HALF) {
          store((2 * p + ky) * FRAME + 2 * q + kx, sum[ky][kx]);
        }
      }
    }
  }
}
