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
  const float* bias = op.p[BIAS] < 0 ? nullptr : b.weights + op.p[BIAS];
  const float* residual = op.b < 0 ? nullptr : b.value(op.b);
  bool tanh = op.p[FLAGS] & LINEAR_TANH;
  product(
      b,
      b.value(op.a),
      b.size(op.a),
      op.p[FLAGS] & LINEAR_RELU,
      b.prepared + op.p[TRANSPOSED],
      b.size(op.y),
      [&](int i, int n, float sum) {
        float y = bias ? sum + bias[n] : sum;
        y = tanh ? tanhf(y) : y;
        b.write(op.y, i, residual ? y + residual[i] : y);
      });
}

__device__ inline void linearBackward(const Block& b, const Op& op) {
  float* dy = b.gradient(op.y);
  int results = b.count * b.size(op.y);
  if (op.p[FLAGS] & LINEAR_TANH) {
    const float* y = b.kept(op.y);
    EACH(i, results) {
      dy[i] *= 1.0f - y[i] * y[i];
    }
    __syncthreads();
  }
  float* dResidual = op.b < 0 ? nullptr : b.gradient(op.b);
  EACH(i, results) {
    b.keepGradient(op.y, i, dy[i]);
    if (dResidual) {
      contribute(op, 1, dResidual, i, dy[i]);
    }
  }
  const float* natural = (op.p[FLAGS] & LINEAR_PREPARED ? b.prepared : b.weights) + op.p[NATURAL];
  bool rectify = op.p[FLAGS] & LINEAR_RELU;
  const float* x = rectify ? b.kept(op.a) : nullptr;
  float* dx = b.gradient(op.a);
  product(b, dy, b.size(op.y), false, natural, b.size(op.a), [&](int i, int, float sum) {
    contribute(op, 0, dx, i, x && !(x[i] > 0) ? 0.0f : sum);
  });
}
