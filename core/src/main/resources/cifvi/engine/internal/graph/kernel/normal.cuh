// Diagonal normals whose means and, behind them, log-standard deviations are the 2n columns of a variable.
//
//   draw u = mean + e^logStd eps
//   log density = sum of -e²/2 - logStd - ½ log 2π,  e = (u - mean) e^-logStd
//   d/du = -e e^-logStd,  d/dmean = e e^-logStd,  d/dlogStd = e² - 1
//
// At a draw e is eps, so that only logStd has a part in -log q: 1.

constexpr float HALF_LOG_2PI = 0.918938533f;

__device__ inline float logNormal(float u, float mean, float logStd) {
  float e = (u - mean) * expf(-logStd);
  return -0.5f * e * e - logStd - HALF_LOG_2PI;
}

// y = u drawn from a with the noise p[0]. Where there is an e, it is log q(u), for `auxiliary` to take from log r; at
// the base -log q is added at once.
__device__ inline void drawForward(const Block& b, const Op& op) {
  int n = b.size(op.y);
  const float* a = b.value(op.a);
  const float* noise = b.saved(op.p[0]);
  Output y = b.output(op.y);
  Quotient row(n);
  EACH(i, b.count * n) {
    int r = row(i);
    int j = i - r * n;
    float mean = a[2 * r * n + j];
    float logStd = a[2 * r * n + n + j];
    float u = mean + expf(logStd) * noise[i];
    float logQ = logNormal(u, mean, logStd);
    y.write(i, u);
    if (op.e < 0) {
      b.addTerm(r, j, -logQ);
    } else {
      b.output(op.e).write(i, logQ);
    }
  }
}

__device__ inline void drawBackward(const Block& b, const Op& op) {
  int n = b.size(op.y);
  const float* a = b.saved(op.a);
  const float* noise = b.saved(op.p[0]);
  const float* du = b.gradient(op.y);
  float* da = b.gradient(op.a);
  Quotient row(n);
  EACH(i, b.count * n) {
    int mean = row(i) * n + i;  // 2 r n + j
    contribute(op, 0, da, mean, du[i]);
    contribute(op, 0, da, mean + n, du[i] * expf(a[mean + n]) * noise[i] + b.dLogWeight);
  }
}

// Adds log r(u) - log q(u), formed first: where r and q agree it is exactly zero. a is r's normal, b u, c log q.
__device__ inline void auxiliaryForward(const Block& b, const Op& op) {
  int n = b.size(op.b);
  const float* a = b.value(op.a);
  const float* u = b.value(op.b);
  const float* logQ = b.value(op.c);
  Quotient row(n);
  EACH(i, b.count * n) {
    int r = row(i);
    int mean = r * n + i;
    b.addTerm(r, i - r * n, logNormal(u[i], a[mean], a[mean + n]) - logQ[i]);
  }
}

__device__ inline void auxiliaryBackward(const Block& b, const Op& op) {
  int n = b.size(op.b);
  const float* a = b.saved(op.a);
  const float* u = b.saved(op.b);
  float* da = b.gradient(op.a);
  float* du = b.gradient(op.b);
  Quotient row(n);
  EACH(i, b.count * n) {
    int mean = row(i) * n + i;
    float perStd = expf(-a[mean + n]);
    float e = (u[i] - a[mean]) * perStd;
    float g = b.dLogWeight * e * perStd;
    contribute(op, 0, da, mean, g);
    contribute(op, 0, da, mean + n, b.dLogWeight * (e * e - 1.0f));
    contribute(op, 1, du, i, -g);
  }
}

// The same normal for every row: y has means p[0] and log-standard deviations p[1] of the constants, or of the weights
// where p[2] and p[3] say that they are learnt.
__device__ inline void rowForward(const Block& b, const Op& op) {
  int n = b.size(op.y) / 2;
  const float* mean = (op.p[2] ? b.weights : b.constants) + op.p[0];
  const float* logStd = (op.p[3] ? b.weights : b.constants) + op.p[1];
  Output y = b.output(op.y);
  EACH(i, b.count * 2 * n) {
    int j = i % (2 * n);
    y.write(i, j < n ? mean[j] : logStd[j - n]);
  }
}

__device__ inline void rowBackward(const Block& b, const Op& op) {
  const float* dy = b.gradient(op.y);
  EACH(i, b.count * b.size(op.y)) {
    b.keepGradient(op.y, i, dy[i]);
  }
}
