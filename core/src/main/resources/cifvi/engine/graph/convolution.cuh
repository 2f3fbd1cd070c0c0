// y = tanh(conv(a, b) + bias), 4x4 with stride 2 and padding 1, of one picture or of two as channels; y is
// [channels, 14, 14]. Of the two only the first, painted by the model, gets a gradient:
//
//   dpre = dy (1 - y²),  dW[c][m][ky][kx] = sum over (i, j) of dpre[c][i][j] picture_m[2i+ky][2j+kx]
//   dpicture_0[2i+ky][2j+kx] = sum over c, ky, kx of dpre[c][i][j] W[c][0][ky][kx]
//
// dW and the gradient of the bias are left on the tape row by row, for `weight_gradients` to sum.

constexpr int KERNEL = 4;
constexpr int TAPS = KERNEL * KERNEL;
constexpr int HALF = IMAGE_SIDE / 2;
constexpr int POSITIONS = HALF * HALF;
constexpr int MANY_CHANNELS = 32;

// Parameters of the op: places of weight and bias, channels, and the number of the variable with their gradients.
constexpr int CONV_WEIGHT = 0;
constexpr int CONV_BIAS = 1;
constexpr int CONV_CHANNELS = 2;
constexpr int CONV_GRADIENT = 3;

// A thread computes one position of CHANNELS channels at once.
template <int CHANNELS>
__device__ inline void convolve(const Block& b, const Op& op) {
  int channels = op.p[CONV_CHANNELS];
  int inputs = op.b < 0 ? 1 : 2;
  int parts = (channels + CHANNELS - 1) / CHANNELS;
  const float* weight = b.weights + op.p[CONV_WEIGHT];
  const float* bias = b.weights + op.p[CONV_BIAS];
  Output y = b.output(op.y);
  Quotient row(parts * POSITIONS);
  EACH(i, b.count * parts * POSITIONS) {
    int r = row(i);
    int first = (i / POSITIONS - r * parts) * CHANNELS;
    int position = i % POSITIONS;
    int corner = r * FRAMED + position / HALF * 2 * FRAME + position % HALF * 2;
    const float* w[CHANNELS];
    float sum[CHANNELS];
#pragma unroll
    for (int c = 0; c < CHANNELS; c++) {
      int channel = min(first + c, channels - 1);
      w[c] = weight + channel * inputs * TAPS;
      sum[c] = bias[channel];
    }
    for (int m = 0; m < inputs; m++) {
      const float* picture = b.value(m == 0 ? op.a : op.b) + corner;
#pragma unroll
      for (int ky = 0; ky < KERNEL; ky++) {
        const float* line = picture + ky * FRAME;
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
      if (first + c < channels) {
        y.write((r * channels + first + c) * POSITIONS + position, tanhf(sum[c]));
      }
    }
  }
}

__device__ inline void convolutionForward(const Block& b, const Op& op) {
  if (op.p[CONV_CHANNELS] < MANY_CHANNELS) {
    convolve<4>(b, op);
  } else {
    convolve<8>(b, op);
  }
}

// dpre in place of dy, a few of the y a thread needs at a time.
__device__ inline void throughTanh(float* dy, const float* y, int count) {
  constexpr int AT_ONCE = 8;
  int threads = blockDim.x;
  for (int first = threadIdx.x; first < count; first += AT_ONCE * threads) {
    float value[AT_ONCE];
#pragma unroll
    for (int j = 0; j < AT_ONCE; j++) {
      value[j] = y[min(first + j * threads, count - 1)];
    }
#pragma unroll
    for (int j = 0; j < AT_ONCE; j++) {
      int i = first + j * threads;
      if (i < count) {
        dy[i] *= 1.0f - value[j] * value[j];
      }
    }
  }
}

// Both pictures of row r to the scratch.
__device__ inline void fetchPictures(const Block& b, const Op& op, int r) {
  const float* a = b.kept(op.a) + r * FRAMED;
  const float* observed = op.b < 0 ? nullptr : b.kept(op.b) + r * FRAMED;
  EACH(i, FRAMED) {
    b.scratch[i] = a[i];
    if (observed) {
      b.scratch[FRAMED + i] = observed[i];
    }
  }
}

// The gradients of line ky of the kernels of picture m, for four channels at once; lanes share the lines of dy.
__device__ inline void convolutionWeights(const Block& b, const Op& op, int r) {
  constexpr int QUAD = 4;
  int channels = op.p[CONV_CHANNELS];
  int inputs = op.b < 0 ? 1 : 2;
  int lines = inputs * KERNEL;
  int size = channels * (inputs * TAPS + 1);
  const float* dy = b.gradient(op.y) + r * channels * POSITIONS;
  float* gradient = b.region(b.variables[op.p[CONV_GRADIENT]].gradientKept, size) + r * size;
  int shares = blockDim.x % WARP == 0 ? 4 : 1;
  int items = (channels + QUAD - 1) / QUAD * lines * shares;
  for (int start = 0; start < items; start += blockDim.x) {
    int item = start + threadIdx.x;
    int share = item % shares;
    int m = item / shares / KERNEL % inputs;
    int ky = item / shares % KERNEL;
    int first = item / shares / lines * QUAD;
    const float* d[QUAD];
    float sum[QUAD][KERNEL + 1] = {};  // and of dy alone, for the bias
#pragma unroll
    for (int c = 0; c < QUAD; c++) {
      d[c] = dy + min(first + c, channels - 1) * POSITIONS;
    }
    for (int i = share; i < (item < items ? HALF : 0); i += shares) {
      const float* line = b.scratch + m * FRAMED + (2 * i + ky) * FRAME;
      float pixel[KERNEL] = {0.0f, 0.0f, line[0], line[1]};
#pragma unroll
      for (int j = 0; j < HALF; j++) {
        pixel[0] = pixel[2];
        pixel[1] = pixel[3];
        pixel[2] = line[2 * j + 2];
        pixel[3] = line[2 * j + 3];
#pragma unroll
        for (int c = 0; c < QUAD; c++) {
          float g = d[c][i * HALF + j];
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
        bool wanted = kx < KERNEL || (m == 0 && ky == 0);
        if (item < items && share == 0 && first + c < channels && wanted) {
          int at = (first + c) * inputs * TAPS + m * TAPS + ky * KERNEL + kx;
          gradient[kx < KERNEL ? at : channels * inputs * TAPS + first + c] = sum[c][kx];
        }
      }
    }
  }
}

// A thread gathers 2 x 2 pixels, (2p + ky, 2q + kx) with ky, kx = 0, 1: positions (p, q) with the taps (ky, kx), and
// those above, to the left, and both, with taps two further on. Lanes share the channels.
__device__ inline void convolutionPicture(const Block& b, const Op& op, int r) {
  constexpr int SPOTS = (HALF + 1) * (HALF + 1);
  int channels = op.p[CONV_CHANNELS];
  const float* weight = b.weights + op.p[CONV_WEIGHT];
  const float* dy = b.gradient(op.y) + r * channels * POSITIONS;
  float* da = b.gradient(op.a) + r * FRAMED;
  int shares = blockDim.x % WARP == 0 ? 2 : 1;
  for (int start = 0; start < SPOTS * shares; start += blockDim.x) {
    int item = start + threadIdx.x;
    int share = item % shares;
    int p = item / shares / (HALF + 1);
    int q = item / shares % (HALF + 1);
    float sum[2][2] = {};
#pragma unroll 2
    for (int c = share; c < (p <= HALF ? channels : 0); c += shares) {
      const float* d = dy + c * POSITIONS + p * HALF + q;
      const float4* w = reinterpret_cast<const float4*>(weight + c * 2 * TAPS);
      float here = p < HALF && q < HALF ? d[0] : 0.0f;
      float left = p < HALF && q > 0 ? d[-1] : 0.0f;
      float above = p > 0 && q < HALF ? d[-HALF] : 0.0f;
      float both = p > 0 && q > 0 ? d[-HALF - 1] : 0.0f;
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
          contribute(op, 0, da, (2 * p + ky) * FRAME + 2 * q + kx, sum[ky][kx]);
        }
      }
    }
  }
}

__device__ inline void convolutionBackward(const Block& b, const Op& op) {
  throughTanh(b.gradient(op.y), b.kept(op.y), b.count * b.size(op.y));
  for (int r = 0; r < b.count; r++) {
    __syncthreads();
    fetchPictures(b, op, r);
    __syncthreads();
    convolutionWeights(b, op, r);
    if (op.b >= 0) {
      convolutionPicture(b, op, r);
    }
  }
}
