// y = tanh(conv(a, b) + bias), 4x4 with stride 2 and padding 1, of one image or of two as channels; y is
// [channels, 14, 14]. Of the two only the first, made by the model, gets a gradient:
//
//   dpre = dy (1 - y²),  dW[c][m][ky][kx] = sum over (i, j) of dpre[c][i][j] image_m[2i+ky][2j+kx]
//   dimage_0[2i+ky][2j+kx] = sum over c, ky, kx of dpre[c][i][j] W[c][0][ky][kx]
//
// dW and the gradient of the bias are left on the tape row by row, for `weight_gradients` to sum.

// Parameters of the op: places of weight and bias, channels, and the number of the variable with their gradients.
constexpr int CONV_WEIGHT = 0;
constexpr int CONV_BIAS = 1;
constexpr int CONV_CHANNELS = 2;
constexpr int CONV_GRADIENT = 3;

__device__ inline void convolutionForward(const Block& b, const Op& op) {
  int channels = op.p[CONV_CHANNELS];
  const float* bias = b.weights + op.p[CONV_BIAS];
  const float* observed = op.b < 0 ? nullptr : b.value(op.b);
  Output y = b.output(op.y);
  for (int r = 0; r < b.count; r++) {
    convolve(b.value(op.a), observed, b.weights + op.p[CONV_WEIGHT], channels, r, [&](int i, float sum) {
      y.write(r * channels * POSITIONS + i, tanhf(sum + bias[i / POSITIONS]));
    });
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

// Both images of row r to the scratch.
__device__ inline void fetchImages(const Block& b, const Op& op, int r) {
  const float* a = b.saved(op.a) + r * FRAMED;
  const float* observed = op.b < 0 ? nullptr : b.saved(op.b) + r * FRAMED;
  EACH(i, FRAMED) {
    b.scratch[i] = a[i];
    if (observed) {
      b.scratch[FRAMED + i] = observed[i];
    }
  }
}

__device__ inline void convolutionBackward(const Block& b, const Op& op) {
  int channels = op.p[CONV_CHANNELS];
  int inputs = op.b < 0 ? 1 : 2;
  int taps = channels * inputs * TAPS;
  const Variable& rows = b.variables[op.p[CONV_GRADIENT]];
  throughTanh(b.gradient(op.y), b.saved(op.y), b.count * b.size(op.y));
  for (int r = 0; r < b.count; r++) {
    __syncthreads();
    fetchImages(b, op, r);
    __syncthreads();
    const float* dy = b.gradient(op.y) + r * channels * POSITIONS;
    float* gradient = b.region(rows.gradientSaved, taps + channels) + r * (taps + channels);
    kernelGradients(b.scratch, inputs, dy, channels, gradient, gradient + taps);
    if (op.b >= 0) {
      float* da = b.gradient(op.a) + r * FRAMED;
      gather(dy, b.weights + op.p[CONV_WEIGHT], 2 * TAPS, channels, [&](int i, float sum) {
        contribute(op, 0, da, i, sum);
      });
    }
  }
}
