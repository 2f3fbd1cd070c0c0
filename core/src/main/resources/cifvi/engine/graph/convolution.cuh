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
constexpr int QUAD = 4;  // channels a thread computes at once

// Parameters of the op: places of weight and bias, channels, and the number of the variable with their gradients.
constexpr int CONV_WEIGHT = 0;
constexpr int CONV_BIAS = 1;
constexpr int CONV_CHANNELS = 2;
constexpr int CONV_GRADIENT = 3;

__device__ inline void convolutionForward(const Block& b, const Op& op) {
  int channels = op.p[CONV_CHANNELS];
  int inputs = op.b < 0 ? 1 : 2;
  int quads = (channels + QUAD - 1) / QUAD;
  const float* weight = b.weights + op.p[CONV_WEIGHT];
  const float* bias = b.weights + op.p[CONV_BIAS];
  EACH(i, b.count * quads * POSITIONS) {
    int r = i / (quads * POSITIONS);
    int first = i / POSITIONS % quads * QUAD;
    int position = i % POSITIONS;
    int corner = r * FRAMED + position / HALF * 2 * FRAME + position % HALF * 2;
    const float* w[QUAD];
    float sum[QUAD];
#pragma unroll
    for (int c = 0; c < QUAD; c++) {
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
        for (int c = 0; c < QUAD; c++) {
          float4 row = *reinterpret_cast<const float4*>(w[c] + m * TAPS + ky * KERNEL);
          sum[c] = fmaf(row.x, line[0], sum[c]);
          sum[c] = fmaf(row.y, line[1], sum[c]);
          sum[c] = fmaf(row.z, line[2], sum[c]);
          sum[c] = fmaf(row.w, line[3], sum[c]);
        }
      }
    }
#pragma unroll
    for (int c = 0; c < QUAD; c++) {
      if (first + c < channels) {
        b.write(op.y, (r * channels + first + c) * POSITIONS + position, tanhf(sum[c]));
      }
    }
  }
}

// The four weights of one line of one kernel, summed over lines `from` to `to` - 1 of the output.
__device__ inline float4 lineGradient(const float* dy, const float* picture, int from, int to) {
  float4 sum = {0.0f, 0.0f, 0.0f, 0.0f};
  for (int i = from; i < to; i++) {
    const float* line = picture + 2 * i * FRAME;
    const float* d = dy + i * HALF;
    float left = line[0];
    float right = line[1];
#pragma unroll
    for (int j = 0; j < HALF; j++) {
      float nextLeft = line[2 * j + 2];
      float nextRight = line[2 * j + 3];
      sum.x = fmaf(d[j], left, sum.x);
      sum.y = fmaf(d[j], right, sum.y);
      sum.z = fmaf(d[j], nextLeft, sum.z);
      sum.w = fmaf(d[j], nextRight, sum.w);
      left = nextLeft;
      right = nextRight;
    }
  }
  return sum;
}

__device__ inline void convolutionWeights(const Block& b, const Op& op, const float* dy) {
  int channels = op.p[CONV_CHANNELS];
  int inputs = op.b < 0 ? 1 : 2;
  int lines = channels * inputs * KERNEL;  // of the kernels, in their order
  int size = lines * KERNEL + channels;
  float* gradient = b.region(b.variables[op.p[CONV_GRADIENT]].gradientKept, size);
  int items = b.count * lines;
  int shares = max(1, min(static_cast<int>(blockDim.x) / items, HALF));
  int length = (HALF + shares - 1) / shares;
  EACH(p, items * shares) {
    int share = p / items;
    int item = p - share * items;
    int r = item / lines;
    int line = item - r * lines;
    int channel = line / (inputs * KERNEL);
    int m = line / KERNEL % inputs;
    const float* picture = b.kept(m == 0 ? op.a : op.b) + r * FRAMED + line % KERNEL * FRAME;
    int from = min(share * length, HALF);
    const float* d = dy + (r * channels + channel) * POSITIONS;
    float4 sum = lineGradient(d, picture, from, min(from + length, HALF));
    float* to = shares > 1 ? b.partial + KERNEL * p : gradient + r * size + line * KERNEL;
    to[0] = sum.x;
    to[1] = sum.y;
    to[2] = sum.z;
    to[3] = sum.w;
  }
  if (shares > 1) {
    __syncthreads();
    EACH(i, items * KERNEL) {
      float sum = b.partial[i];
      for (int share = 1; share < shares; share++) {
        sum += b.partial[share * items * KERNEL + i];
      }
      int r = i / (lines * KERNEL);
      gradient[r * size + i - r * lines * KERNEL] = sum;
    }
  }
  EACH(i, b.count * channels) {
    int r = i / channels;
    float sum[2] = {0.0f, 0.0f};
#pragma unroll 7
    for (int position = 0; position < POSITIONS; position += 2) {
      sum[0] += dy[i * POSITIONS + position];
      sum[1] += dy[i * POSITIONS + position + 1];
    }
    gradient[r * size + lines * KERNEL + i - r * channels] = sum[0] + sum[1];
  }
}

__device__ inline void convolutionPicture(const Block& b, const Op& op, const float* dy) {
  int channels = op.p[CONV_CHANNELS];
  const float* weight = b.weights + op.p[CONV_WEIGHT];
  float* da = b.gradient(op.a);
  EACH(i, b.count * IMAGE_SIDE * IMAGE_SIDE) {
    int r = i / (IMAGE_SIDE * IMAGE_SIDE);
    int at = framed(i % (IMAGE_SIDE * IMAGE_SIDE));
    int y = at / FRAME;
    int x = at % FRAME;
    float sum = 0.0f;
    for (int ky = y % 2; ky < KERNEL; ky += 2) {
      for (int kx = x % 2; kx < KERNEL; kx += 2) {
        int row = (y - ky) / 2;
        int column = (x - kx) / 2;
        if (y >= ky && row < HALF && x >= kx && column < HALF) {
          const float* d = dy + r * channels * POSITIONS + row * HALF + column;
          const float* w = weight + ky * KERNEL + kx;
#pragma unroll 4
          for (int c = 0; c < channels; c++) {
            sum = fmaf(d[c * POSITIONS], w[c * 2 * TAPS], sum);
          }
        }
      }
    }
    contribute(op, 0, da, r * FRAMED + at, sum);
  }
}

__device__ inline void convolutionBackward(const Block& b, const Op& op) {
  float* dy = b.gradient(op.y);
  const float* y = b.kept(op.y);
  EACH(i, b.count * b.size(op.y)) {
    dy[i] *= 1.0f - y[i] * y[i];
  }
  __syncthreads();
  if (op.b >= 0) {
    convolutionPicture(b, op, dy);
  }
  convolutionWeights(b, op, dy);
}
