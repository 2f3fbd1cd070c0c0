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

// A batch norm for a block that looks at all rows: columns of w and of dz on the tape, places of what rows share in
// `prepared`, and of the parameters in the flat vectors.
struct NormBatch {
  int w;
  int dz;
  int d;
  int shared;
  int shift;
  int logScale;
};

// The sum over all rows of term(row) for the column of this thread, the remainder of its number, in a fixed order.
template <class Term>
__device__ inline double columnSum(int rows, int columns, double* sums, Term term) {
  int together = blockDim.x / columns;
  int share = threadIdx.x / columns;
  double own = 0.0;
#pragma unroll 4
  for (int r = share; share < together && r < rows; r += together) {
    own += term(r);
  }
  sums[threadIdx.x] = own;
  __syncthreads();
  double sum = 0.0;
  for (int i = 0; i < together; i++) {
    sum += sums[i * columns + threadIdx.x % columns];
  }
  __syncthreads();
  return sum;
}

// m and v of w, in double.
__device__ inline void batchStatistics(const NormBatch& n, const float* tape, int rows, float* prepared, double* sums) {
  int d = n.d;
  float* shared = prepared + n.shared;
  for (int first = 0; first < d; first += blockDim.x) {
    int columns = min(d - first, static_cast<int>(blockDim.x));
    int j = first + threadIdx.x % columns;
    const float* w = tape + static_cast<int64>(n.w) * rows + j;
    double mean = columnSum(rows, columns, sums, [&](int r) { return static_cast<double>(w[r * d]); }) / rows;
    auto square = [&](int r) { return (w[r * d] - mean) * (w[r * d] - mean); };
    double variance = columnSum(rows, columns, sums, square) / rows;
    if (static_cast<int>(threadIdx.x) < columns) {
      shared[j] = static_cast<float>(mean);
      shared[d + j] = static_cast<float>(variance);
    }
  }
}

// dshift and da, for the rows and added to the flat gradient. `dLogWeight` is the gradient of the loss in every row's
// log-weight.
__device__ inline void batchGradients(
    const NormBatch& n, const float* tape, int rows, float dLogWeight, const float* weights, float* prepared,
    float* gradient, double* sums) {
  int d = n.d;
  float* shared = prepared + n.shared;
  for (int first = 0; first < d; first += blockDim.x) {
    int columns = min(d - first, static_cast<int>(blockDim.x));
    int j = first + threadIdx.x % columns;
    const float* w = tape + static_cast<int64>(n.w) * rows + j;
    const float* dz = tape + static_cast<int64>(n.dz) * rows + j;
    double mean = shared[j];
    double scale = exp(static_cast<double>(weights[n.logScale + j]))
        / sqrt(static_cast<double>(shared[d + j]) + NORM_EPSILON);
    double dShift = columnSum(rows, columns, sums, [&](int r) { return static_cast<double>(dz[r * d]); });
    double product = columnSum(rows, columns, sums, [&](int r) { return dz[r * d] * (w[r * d] - mean); });
    double dLogScale = product * scale + static_cast<double>(dLogWeight) * rows;
    if (static_cast<int>(threadIdx.x) < columns) {
      shared[2 * d + j] = static_cast<float>(dShift);
      shared[3 * d + j] = static_cast<float>(dLogScale);
      gradient[n.shift + j] += static_cast<float>(dShift);
      gradient[n.logScale + j] += static_cast<float>(dLogScale);
    }
  }
}

// m and v of the last batch, or of all so far: d numbers each.
struct Averages {
  float* latest;
  float* mean;
  float* variance;
  int64 d;
};

// Running averages take the batch of a step in if that was applied; one block a batch norm.
extern "C" __global__ void fold_averages(const Averages* norms, const unsigned char* applied) {
  if (!*applied) {
    return;
  }
  Averages n = norms[blockIdx.x];
  EACH(j, n.d) {
    n.mean[j] = (1.0f - NORM_MOMENTUM) * n.mean[j] + NORM_MOMENTUM * n.latest[j];
    n.variance[j] = (1.0f - NORM_MOMENTUM) * n.variance[j] + NORM_MOMENTUM * n.latest[n.d + j];
  }
}

// Running averages in place of m and v; one block a batch norm.
extern "C" __global__ void take_averages(const Averages* norms) {
  Averages n = norms[blockIdx.x];
  EACH(j, n.d) {
    n.latest[j] = n.mean[j];
    n.latest[n.d + j] = n.variance[j];
  }
}
