// The mixture of Gaussians as target: log p(a) = log of the sum of e^{l_k}, l_k = f_k - ½ |e_k|², e_k = A_k (a - μ_k)
// with A_k lower triangular, and
//
//   d/da = -sum of p_k A_kᵀ e_k,  p_k = e^{l_k} / sum of e^l
//
// y has the l_k, e the e_k, K d columns. The constants hold means [K, d], A_kᵀ [K, d, d] and f [K], one after the other.

// The sum of e^l as e^most sum. Far from all components its logarithm is a large number: e^l over it would be off by
// as much as rounding that is.
struct ExpSum {
  float most;
  float sum;

  __device__ float log() const { return most + logf(sum); }

  __device__ float part(float l) const { return expf(l - most) / sum; }
};

__device__ inline ExpSum expSum(const float* l, int n) {
  ExpSum s = {l[0], 0.0f};
  for (int i = 1; i < n; i++) {
    s.most = fmaxf(s.most, l[i]);
  }
  for (int i = 0; i < n; i++) {
    s.sum += expf(l[i] - s.most);
  }
  return s;
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
    float logP = expSum(exponents.value + r * n, n).log();
    b.addTerm(r, 0, logP);
    b.logJoint[b.first + r] = logP;
  }
}

__device__ inline void mixtureBackward(const Block& b, const Op& op) {
  int d = b.size(op.a);
  int n = b.size(op.y);
  const float* whitening = b.constants + op.p[0] + n * d;
  const float* l = b.saved(op.y);
  const float* e = b.saved(op.e);
  float* dl = b.gradient(op.y);
  float* dz = b.gradient(op.a);
  EACH(i, b.count * n) {
    dl[i] = b.dLogWeight * expSum(l + i / n * n, n).part(l[i]);
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
