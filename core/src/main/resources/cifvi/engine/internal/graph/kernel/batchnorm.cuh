// Batch norm: with a = log_scale and per feature
//
//   y = (w - m) / √(v + ε),  z = e^a y + shift,  log|det| = Σ a - ½ log(v + ε)
//   dshift = Σ dz,  da = Σ dz e^a y + dlog|det|
//   dw = (e^a dz - (e^a dshift + y da) / n) / √(v + ε)
//
// m and v are those of the batch of n rows, or the running averages where no backward pass follows. What all rows share,
// m, v, dshift and da, lies in `prepared`, d numbers each: the forward pass has the first two, the backward pass all.

struct NormPlace {
  const float* shift;
  const float* logScale;
  const float* mean;
  const float* variance;
  const float* dShift;
  const float* dLogScale;

  __device__ float perStd(int j) const { return 1.0f / sqrtf(variance[j] + NORM_EPSILON); }
};

// Parameters of the op: places of what rows share in `prepared`, of shift and of log_scale in the weights.
__device__ inline NormPlace normPlace(const Block& b, const Op& op) {
  int d = b.size(op.y);
  const float* shared = b.prepared + op.p[0];
  return {b.weights + op.p[1], b.weights + op.p[2], shared, shared + d, shared + 2 * d, shared + 3 * d};
}

__device__ inline void batchNormForward(const Block& b, const Op& op) {
  int d = b.size(op.y);
  NormPlace norm = normPlace(b, op);
  const float* w = b.value(op.a);
  Output z = b.output(op.y);
  Quotient row(d);
  EACH(i, b.count * d) {
    int r = row(i);
    int j = i - r * d;
    float a = norm.logScale[j];
    z.write(i, (w[i] - norm.mean[j]) * norm.perStd(j) * expf(a) + norm.shift[j]);
    b.addTerm(r, j, a - 0.5f * logf(norm.variance[j] + NORM_EPSILON));
  }
}

__device__ inline void batchNormBackward(const Block& b, const Op& op) {
  int d = b.size(op.y);
  NormPlace norm = normPlace(b, op);
  const float* w = b.saved(op.a);
  const float* dz = b.gradient(op.y);
  float* dw = b.gradient(op.a);
  EACH(i, b.count * d) {
    int j = i % d;
    float perStd = norm.perStd(j);
    float y = (w[i] - norm.mean[j]) * perStd;
    float shared = (expf(norm.logScale[j]) * norm.dShift[j] + y * norm.dLogScale[j]) / b.rows;
    contribute(op, 0, dw, i, (expf(norm.logScale[j]) * dz[i] - shared) * perStd);
  }
}

// m and v of w, [rows, d], in double; one block a feature.
extern "C" __global__ void batch_statistics(const float* w, int rows, int d, float* shared) {
  extern __shared__ double memory[];
  int j = blockIdx.x;
  double sum = 0.0;
  EACH(r, rows) {
    sum += w[r * d + j];
  }
  double mean = blockSum(sum, memory) / rows;
  double squares = 0.0;
  EACH(r, rows) {
    double centred = w[r * d + j] - mean;
    squares += centred * centred;
  }
  double variance = blockSum(squares, memory) / rows;
  if (threadIdx.x == 0) {
    shared[j] = static_cast<float>(mean);
    shared[d + j] = static_cast<float>(variance);
  }
}

// dshift and da, for the rows and added to the flat gradient, whose places of shift and log_scale are given; one block
// a feature. `dLogWeight` is the gradient of the loss in every row's log-weight.
extern "C" __global__ void batch_gradients(
    const float* w,
    const float* dz,
    int rows,
    int d,
    float dLogWeight,
    const float* logScale,
    float* shared,
    float* shiftGradient,
    float* logScaleGradient) {
  extern __shared__ double memory[];
  int j = blockIdx.x;
  double sum = 0.0;
  double product = 0.0;
  EACH(r, rows) {
    double g = dz[r * d + j];
    sum += g;
    product += g * (w[r * d + j] - shared[j]);
  }
  double dShift = blockSum(sum, memory);
  double scale = exp(static_cast<double>(logScale[j])) / sqrt(static_cast<double>(shared[d + j]) + NORM_EPSILON);
  double dLogScale = blockSum(product, memory) * scale + static_cast<double>(dLogWeight) * rows;
  if (threadIdx.x == 0) {
    shared[2 * d + j] = static_cast<float>(dShift);
    shared[3 * d + j] = static_cast<float>(dLogScale);
    shiftGradient[j] += static_cast<float>(dShift);
    logScaleGradient[j] += static_cast<float>(dLogScale);
  }
}
