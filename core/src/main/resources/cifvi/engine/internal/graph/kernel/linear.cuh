// y = f(W g(a) + bias) + b with f = tanh or the identity, g = relu or the identity; b, the residual, may be missing.
//
//   dpre = dy f'(y),  da = g'(a) Wᵀ dpre,  db = dy
//
// dpre goes to the tape for `weight_gradients`.

constexpr int TRANSPOSED = 0;  // parameters of the op: places of Wᵀ in `prepared`,
constexpr int NATURAL = 1;     // of W in the weights, or in `prepared` where the op says so,
constexpr int BIAS = 2;        // of the bias in the weights, or -1
constexpr int FLAGS = 3;

__device__ inline void linearForward(const Block& b, const Op& op) {
  const float* a = b.value(op.a);
  int inputs = b.size(op.a);
  const float* bias = op.p[BIAS] < 0 ? nullptr : b.weights + op.p[BIAS];
  const float* residual = op.b < 0 ? nullptr : b.value(op.b);
  bool rectify = op.p[FLAGS] & LINEAR_RELU;
  bool tanh = op.p[FLAGS] & LINEAR_TANH;
  Output y = b.output(op.y);
  product(
      b,
      [&](int r, int k) { return rectify ? relu(a[r * inputs + k]) : a[r * inputs + k]; },
      inputs,
      b.prepared + op.p[TRANSPOSED],
      b.size(op.y),
      [&](int, int n) { return bias ? bias[n] : 0.0f; },
      [&](int i, float sum, float bias) {
        float f = tanh ? tanhf(sum + bias) : sum + bias;
        y.write(i, residual ? f + residual[i] : f);
      });
}

__device__ inline void linearBackward(const Block& b, const Op& op) {
  int outputs = b.size(op.y);
  float* dy = b.gradient(op.y);
  float* dpre = b.region(b.variables[op.y].gradientSaved, outputs);
  const float* y = op.p[FLAGS] & LINEAR_TANH ? b.saved(op.y) : nullptr;
  float* dResidual = op.b < 0 ? nullptr : b.gradient(op.b);
  EACH(i, b.count * outputs) {
    if (dResidual) {
      contribute(op, 1, dResidual, i, dy[i]);
    }
    if (y) {
      dy[i] *= 1.0f - y[i] * y[i];  // dpre from here on
    }
    dpre[i] = dy[i];
  }
  if (y) {
    __syncthreads();
  }
  const float* a = op.p[FLAGS] & LINEAR_RELU ? b.saved(op.a) : nullptr;
  float* da = b.gradient(op.a);
  product(
      b,
      [&](int r, int k) { return dy[r * outputs + k]; },
      outputs,
      (op.p[FLAGS] & LINEAR_PREPARED ? b.prepared : b.weights) + op.p[NATURAL],
      b.size(op.a),
      [&](int i, int) { return a ? a[i] : 1.0f; },
      [&](int i, float sum, float seen) { contribute(op, 0, da, i, seen > 0 ? sum : 0.0f); });
}
