// The affine part of G(w; u), y = e^s (a + t) with t and, behind it, s in the 2n columns of b:
//
//   log|det| = sum of s,  dy/da = dy/dt = e^s,  dy/ds = y

__device__ inline void affineForward(const Block& b, const Op& op) {
  int n = b.size(op.y);
  const float* w = b.value(op.a);
  const float* ts = b.value(op.b);
  Output y = b.output(op.y);
  Quotient row(n);
  EACH(i, b.count * n) {
    int r = row(i);
    int t = r * n + i;  // 2 r n + j
    float s = ts[t + n];
    y.write(i, (w[i] + ts[t]) * expf(s));
    b.addTerm(r, i - r * n, s);
  }
}

__device__ inline void affineBackward(const Block& b, const Op& op) {
  int n = b.size(op.y);
  const float* ts = b.saved(op.b);
  const float* y = b.saved(op.y);
  const float* dy = b.gradient(op.y);
  float* dw = b.gradient(op.a);
  float* dts = b.gradient(op.b);
  Quotient row(n);
  EACH(i, b.count * n) {
    int t = row(i) * n + i;
    float inner = dy[i] * expf(ts[t + n]);
    contribute(op, 0, dw, i, inner);
    contribute(op, 1, dts, t, inner);
    contribute(op, 1, dts, t + n, dy[i] * y[i] + b.dLogWeight);
  }
}

// The masked affine map, y = (a - mu) e^-alpha with mu and, behind it, alpha in the 2n columns of b:
//
//   log|det| = -sum of alpha,  dy/da = -dy/dmu = e^-alpha,  dy/dalpha = -y

__device__ inline void maskedAffineForward(const Block& b, const Op& op) {
  int n = b.size(op.y);
  const float* w = b.value(op.a);
  const float* made = b.value(op.b);
  Output y = b.output(op.y);
  Quotient row(n);
  EACH(i, b.count * n) {
    int r = row(i);
    int mu = r * n + i;
    float alpha = made[mu + n];
    y.write(i, (w[i] - made[mu]) * expf(-alpha));
    b.addTerm(r, i - r * n, -alpha);
  }
}

__device__ inline void maskedAffineBackward(const Block& b, const Op& op) {
  int n = b.size(op.y);
  const float* made = b.saved(op.b);
  const float* y = b.saved(op.y);
  const float* dy = b.gradient(op.y);
  float* dw = b.gradient(op.a);
  float* dMade = b.gradient(op.b);
  Quotient row(n);
  EACH(i, b.count * n) {
    int mu = row(i) * n + i;
    float inner = dy[i] * expf(-made[mu + n]);
    contribute(op, 0, dw, i, inner);
    contribute(op, 1, dMade, mu, -inner);
    contribute(op, 1, dMade, mu + n, -dy[i] * y[i] - b.dLogWeight);
  }
}
