// The mixture of Gaussians as target: log p(a) = log of the sum of e^{l_k}, l_k = f_k - ½ |e_k|², e_k = A_k (a - μ_k)
// with A_k lower triangular, and
//
//   d/da = -sum of p_k A_kᵀ e_k,  p_k = e^{l_k} / sum of e^l
//
// y has the l_k, e the e_k, K d columns. The constants hold means [K, d], A_kᵀ [K, d, d] and f [K], one after the other.

__device__ inline float logSumExp(const float* l, int n) {
  float most = l[0];
  for (int i = 1; i < n; i++) {
    most = fmaxf(most, l[i]);
  }
  float sum = 0.0f;
  for (int i = 0; i < n; i++) {
    sum += expf(l[i] - most);
  }
  return most + logf(sum);
}

__device__ inline void mixtureForward(const Block& b, const Op& op) {
  int d = b.size(op.a);
  int n = b.size(op.y);
  const float* means = b.constants + op.p[0];
  const float* whitening = means + n * d;
  const float* factors = whitening + n * d * d;
  const float* z = b.value(op.a);
  Output exponents = b.output(op.y);
  Output whitened = b.output(op.e);
  Quotient row(n * d);
  Quotient component(d);
  EACH(i, b.count * n * d) {
    int r = row(i);
    int ke = i - r * n * d;
    int k = component(ke);
    float e = 0.0f;
    for (int j = 0; j <= ke - k * d; j++) {
      e = fmaf(whitening[(k * d + j) * d + ke - k * d], z[r * d + j] - means[k * d + j], e);
    }
    whitened.write(i, e);
  }
  __syncthreads();
  const float* e = whitened.value;
  EACH(i, b.count * n) {
    float square = 0.0f;
    for (int j = 0; j < d; j++) {
      square = fmaf(e[i * d + j], e[i * d + j], square);
    }
    exponents.write(i, fmaf(-0.5f, square, factors[i % n]));
  }
  __syncthreads();
  EACH(r, b.count) {
    float logP = logSumExp(exponents.value + r * n, n);
    b.addTerm(r, 0, logP);
    b.logJoint[b.first + r] = logP;
  }
}

__device__ inline void mixtureBackward(const Block& b, const Op& op) {
  int d = b.size(op.a);
  int n = b.size(op.y);
  const float* whitening = b.constants + op.p[0] + n * d;
  const float* l = b.kept(op.y);
  const float* e = b.kept(op.e);
  float* dl = b.gradient(op.y);
  float* dz = b.gradient(op.a);
  EACH(i, b.count * n) {
    dl[i] = b.seed * expf(l[i] - logSumExp(l + i / n * n, n));
  }
  __syncthreads();
  EACH(i, b.count * d) {
    int r = i / d;
    int j = i - r * d;
    float sum = 0.0f;
    for (int k = 0; k < n; k++) {
      float inner = 0.0f;
      for (int m = j; m < d; m++) {
        inner = fmaf(whitening[(k * d + j) * d + m], e[(r * n + k) * d + m], inner);
      }
      sum = fmaf(-dl[r * n + k], inner, sum);
    }
    contribute(op, 0, dz, i, sum);
  }
}
