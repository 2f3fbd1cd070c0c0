// The end of the small decoder, and the likelihood of the observed image.

// y = the transposed convolution of a, [channels, 14, 14], plus a bias: logits with a border that nobody looks at. The
// parameters are those of the convolution, which is its backward pass:
//
//   da = convolution of dy,  dW[c][ky][kx] = sum over (i, j) of a[c][i][j] dy[2i+ky][2j+kx]
__device__ inline void transposedForward(const Block& b, const Op& op) {
  int channels = op.p[CONV_CHANNELS];
  float bias = b.weights[op.p[CONV_BIAS]];
  Output y = b.output(op.y);
  for (int r = 0; r < b.count; r++) {
    gather(
        b.value(op.a) + r * channels * POSITIONS, b.weights + op.p[CONV_WEIGHT], TAPS, channels,
        [&](int i, float sum) { y.write(r * FRAMED + i, sum + bias); });
  }
}

__device__ inline void transposedBackward(const Block& b, const Op& op) {
  int channels = op.p[CONV_CHANNELS];
  int size = b.size(op.a);
  int taps = channels * TAPS;
  const float* dy = b.gradient(op.y);
  const float* a = b.saved(op.a);
  float* da = b.gradient(op.a);  // holds a until nobody needs it
  EACH(i, b.count * size) {
    da[i] = a[i];
  }
  __syncthreads();
  for (int r = 0; r < b.count; r++) {
    int column = b.variables[op.p[CONV_GRADIENT]].gradientSaved;
    float* gradient = b.region(column, taps + 1) + r * (taps + 1);
    kernelGradients(dy + r * FRAMED, 1, da + r * size, channels, gradient, nullptr);
    EACH(line, IMAGE_SIDE) {
      float sum = 0.0f;
      for (int x = 0; x < IMAGE_SIDE; x++) {
        sum += dy[r * FRAMED + (line + 1) * FRAME + 1 + x];
      }
      b.scratch[line] = sum;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
      float sum = 0.0f;
      for (int line = 0; line < IMAGE_SIDE; line++) {
        sum += b.scratch[line];
      }
      gradient[taps] = sum;
    }
    convolve(dy, nullptr, b.weights + op.p[CONV_WEIGHT], channels, r, [&](int i, float sum) { da[r * size + i] = sum; });
    __syncthreads();
  }
}

// Adds log p(x, z) = log N(z; 0, I) + sum over pixels of x l - log(1 + e^l), with the logits l in a and z in b:
//
//   d/dl = x - σ(l),  d/dz = -z
__device__ inline void bernoulliForward(const Block& b, const Op& op) {
  const float* images = b.images + b.first * IMAGE_SIDE * IMAGE_SIDE;
  const float* logits = b.value(op.a);
  const float* z = b.value(op.b);
  int d = b.size(op.b);
  EACH(i, b.count * IMAGE_SIDE) {
    int r = i / IMAGE_SIDE;
    const float* l = logits + r * FRAMED + (i % IMAGE_SIDE + 1) * FRAME + 1;
    float sum = 0.0f;
#pragma unroll 4
    for (int x = 0; x < IMAGE_SIDE; x++) {
      sum += images[i * IMAGE_SIDE + x] * l[x] - (l[x] > 0 ? l[x] : 0.0f) - log1pf(expf(-fabsf(l[x])));
    }
    b.scratch[i] = sum;
  }
  __syncthreads();
  EACH(r, b.count) {
    double sum = 0.0;
    for (int line = 0; line < IMAGE_SIDE; line++) {
      sum += b.scratch[r * IMAGE_SIDE + line];
    }
    for (int j = 0; j < d; j++) {
      sum += logNormal(z[r * d + j], 0.0f, 0.0f);
    }
    b.terms[r * b.width] += sum;
    b.logJoint[b.first + r] = sum;
  }
}

__device__ inline void bernoulliBackward(const Block& b, const Op& op) {
  const float* images = b.images + b.first * IMAGE_SIDE * IMAGE_SIDE;
  const float* logits = b.saved(op.a);
  const float* z = b.saved(op.b);
  float* dLogits = b.gradient(op.a);
  float* dz = b.gradient(op.b);
  EACH(i, b.count * FRAMED) {
    int at = pixel(i % FRAMED);
    float x = at < 0 ? 0.0f : images[i / FRAMED * IMAGE_SIDE * IMAGE_SIDE + at];
    contribute(op, 0, dLogits, i, at < 0 ? 0.0f : b.dLogWeight * (x - 1.0f / (1.0f + expf(-logits[i]))));
  }
  EACH(i, b.count * b.size(op.b)) {
    contribute(op, 1, dz, i, -b.dLogWeight * z[i]);
  }
}
