// The monotone rational-quadratic spline on [-B, B] with the identity outside, y = RQS(a; b).
//
// Raw parameters of an element are K widths, K heights and K - 1 inner derivatives. Sizes are 2B(A s + m) with s the
// softmax of the raw sizes, m the least size and A = 1 - Km; derivatives are softplus + MIN_DERIVATIVE, and 1 at ±B. The
// bin of x has corner (x0, y0), width w, height h, slope δ = h/w and end derivatives d0, d1. With ξ = (x - x0)/w,
// T = ξ(1-ξ), c = δ + (d0+d1-2δ)T and p = d1 ξ² + 2δT + d0(1-ξ)²
//
//   y = y0 + r, r = h(δξ² + d0 T)/c       l = log dy/dx = log(δ² p / c²)
//   dy/dξ  = hδp/c²                       dl/dξ  = 2(d1 ξ + δ(1-2ξ) - d0(1-ξ))/p - 2(d0+d1-2δ)(1-2ξ)/c
//   dy/dδ  = (hξ² - (1-2T)r)/c            dl/dδ  = 2/δ + 2T/p - 2(1-2T)/c
//   dy/dd0 = T(h - r)/c                   dl/dd0 = (1-ξ)²/p - 2T/c
//   dy/dd1 = -T r/c                       dl/dd1 = ξ²/p - 2T/c
//
// From G_ξ = g_y dy/dξ + g_l dl/dξ and so on for δ, d0 and d1
//
//   G_x = G_ξ/w,  G_x0 = -G_x,  G_w = -(G_δ δ + G_ξ ξ)/w,  G_y0 = g_y,  G_h = g_y r/h + G_δ/w
//
// and through x0 = -B + sum of the widths before, w = 2B(A s + m) and the softmax, with k the bin and C = 2BA,
//
//   G_raw i = s_i (C G_x0 [i<k] + C G_w [i=k] - C (G_x0 sum of s before k + G_w s_k)),  the same for heights.

// Parameters of the op: K, and in the constants B, 2BA and 2Bm. The kernel is compiled twice, once with the paper's K
// as a constant, so that loops over bins are unrolled and their loads wait together.
constexpr int BINS = 0;
constexpr int BOX = 1;
constexpr int PAPER_BINS = 8;

// Writes the softmaxes of the widths and of the heights of all elements, one thread each, and the raw derivatives
// behind them.
template <int K>
__device__ inline void softmaxes(const float* raw, float* shares, int elements, int anyBins) {
  const int bins = K > 0 ? K : anyBins;
  EACH(i, 3 * elements) {
    int at = i / 3 * (3 * bins - 1) + i % 3 * bins;
    if (i % 3 == 2) {
      for (int k = 0; k < bins - 1; k++) {
        shares[at + k] = raw[at + k];
      }
      continue;
    }
    float most = raw[at];
    for (int k = 1; k < bins; k++) {
      most = fmaxf(most, raw[at + k]);
    }
    float sum = 0.0f;
    for (int k = 0; k < bins; k++) {
      float e = expf(raw[at + k] - most);
      shares[at + k] = e;
      sum += e;
    }
    float perSum = 1.0f / sum;
    for (int k = 0; k < bins; k++) {
      shares[at + k] *= perSum;
    }
  }
  __syncthreads();
}

struct Box {
  float bound;
  float scale;  // 2BA
  float least;  // 2Bm

  __device__ float clamp(float x) const { return x > bound ? bound : x < -bound ? -bound : x; }
};

// One side of a bin: where it starts and how long it is, its softmax and the sum of those before.
struct Side {
  float start;
  float size;
  float share;
  float below;
};

struct Bin {
  int k;
  Side x;
  Side y;
  Softplus d0;
  Softplus d1;
};

// From the softmaxes of an element and, behind them, its raw derivatives.
template <int K>
__device__ inline Bin locate(float x, const float* shares, int anyBins, const Box& box) {
  const int bins = K > 0 ? K : anyBins;
  const float* derivatives = shares + 2 * bins;
  Bin bin;
  bin.k = 0;
  Side& s = bin.x;
  s.start = -box.bound;
  s.below = 0.0f;
  s.share = shares[0];
  s.size = fmaf(s.share, box.scale, box.least);
  bool passed = true;
  for (int k = 1; k < bins; k++) {  // to the end, without branches
    passed = passed && x >= s.start + s.size;
    bin.k += passed ? 1 : 0;
    s.start += passed ? s.size : 0.0f;
    s.below += passed ? s.share : 0.0f;
    s.share = passed ? shares[k] : s.share;
    s.size = fmaf(s.share, box.scale, box.least);
  }
  Side& t = bin.y;
  t.below = 0.0f;
  for (int i = 0; i < bins - 1; i++) {
    t.below += i < bin.k ? shares[bins + i] : 0.0f;
  }
  t.share = shares[bins + bin.k];
  t.start = fmaf(t.below, box.scale, fmaf(static_cast<float>(bin.k), box.least, -box.bound));
  t.size = fmaf(t.share, box.scale, box.least);
  bin.d0 = softplus(bin.k == 0 ? RAW_ONE : derivatives[bin.k - 1], MIN_DERIVATIVE);
  bin.d1 = softplus(bin.k == bins - 1 ? RAW_ONE : derivatives[bin.k], MIN_DERIVATIVE);
  return bin;
}

// What both directions need at ξ.
struct Place {
  float xi;
  float one;  // 1 - ξ
  float t;
  float slope;
  float curvature;  // d0 + d1 - 2δ
  float c;
  float n;  // r/h
  float p;
};

__device__ inline Place place(float x, const Bin& bin) {
  Place at;
  float d0 = bin.d0.value;
  float d1 = bin.d1.value;
  float xi = (x - bin.x.start) / bin.x.size;
  at.xi = xi > 1.0f ? 1.0f : xi;  // rounding of the knots
  at.one = 1.0f - at.xi;
  at.t = at.xi * at.one;
  at.slope = bin.y.size / bin.x.size;
  at.curvature = d0 + d1 - 2.0f * at.slope;
  at.c = fmaf(at.curvature, at.t, at.slope);
  at.n = fmaf(at.slope * at.xi, at.xi, d0 * at.t) / at.c;
  at.p = fmaf(d1 * at.xi, at.xi, fmaf(2.0f * at.slope, at.t, d0 * at.one * at.one));
  return at;
}

__device__ inline Box box(const Block& b, const Op& op) {
  const float* c = b.constants + op.p[BOX];
  return {c[0], c[1], c[2]};
}

template <int K>
__device__ inline void splineThere(const Block& b, const Op& op) {
  int d = b.size(op.a);
  const int bins = K > 0 ? K : op.p[BINS];
  Box limits = box(b, op);
  const float* x = b.value(op.a);
  float* shares = b.value(op.b);  // nobody else needs the raw numbers
  Output out = b.output(op.y);
  softmaxes<K>(shares, shares, b.count * d, bins);
  Quotient row(d);
  EACH(i, b.count * d) {
    float inBox = limits.clamp(x[i]);
    float y = x[i];
    if (inBox == x[i]) {
      Bin bin = locate<K>(inBox, shares + i * (3 * bins - 1), bins, limits);
      Place at = place(inBox, bin);
      y = fmaf(bin.y.size, at.n, bin.y.start);
      float ratio = at.slope / at.c;
      b.addTerm(row(i), i - row(i) * d, logf(ratio * ratio * at.p));
    }
    out.write(i, y);
  }
}

__device__ inline void splineForward(const Block& b, const Op& op) {
  op.p[BINS] == PAPER_BINS ? splineThere<PAPER_BINS>(b, op) : splineThere<0>(b, op);
}

// From gradients of a bin's start and size to those of the raw sizes of one axis, in place of their softmaxes. Shares of
// 1 are added up from those of the other bins: of a bin that has nearly the whole box, 1 - s is all that its gradient is
// made of.
template <int K>
__device__ inline void sizesBackward(
    const Side& side, int k, int anyBins, float scale, float gStart, float gSize, float* shares) {
  const int bins = K > 0 ? K : anyBins;
  float above = 0.0f;
  for (int i = 1; i < bins; i++) {
    above += i > k ? shares[i] : 0.0f;
  }
  float ofStart = gStart * side.below;
  float ofSize = gSize * side.share;
  float ifBefore = scale * (gStart * (side.share + above) - ofSize);
  float ifOwn = scale * (gSize * (side.below + above) - ofStart);
  float ifAfter = -scale * (ofStart + ofSize);
  for (int i = 0; i < bins; i++) {
    shares[i] *= (i < k ? ifBefore : i == k ? ifOwn : ifAfter);
  }
}

// dRaw holds the softmaxes and raw derivatives before.
template <int K>
__device__ inline float elementBackward(
    float x, int anyBins, const Box& limits, float gy, float gl, float* dRaw) {
  const int bins = K > 0 ? K : anyBins;
  Bin bin = locate<K>(x, dRaw, bins, limits);
  Place at = place(x, bin);
  float d0 = bin.d0.value;
  float d1 = bin.d1.value;
  float h = bin.y.size;
  float perWidth = 1.0f / bin.x.size;
  float perC = 1.0f / at.c;
  float perP = 1.0f / at.p;
  float r = h * at.n;
  float xi2 = at.xi * at.xi;
  float one2 = at.one * at.one;
  float gap = at.one - at.xi;
  float k = 1.0f - 2.0f * at.t;
  float tc = at.t * perC;
  float lXi = (d1 * at.xi + at.slope * gap - d0 * at.one) * perP - at.curvature * gap * perC;
  float gXi = 2.0f * gl * lXi + gy * h * at.slope * at.p * perC * perC;
  float lSlope = 1.0f / at.slope + at.t * perP - k * perC;
  float gSlope = 2.0f * gl * lSlope + gy * (h * xi2 - r * k) * perC;
  float gd0 = gl * (one2 * perP - 2.0f * tc) + gy * tc * (h - r);
  float gd1 = gl * (xi2 * perP - 2.0f * tc) - gy * tc * r;
  float gx = gXi * perWidth;
  float gWidth = -(gSlope * at.slope + gXi * at.xi) * perWidth;
  sizesBackward<K>(bin.x, bin.k, bins, limits.scale, -gx, gWidth, dRaw);
  sizesBackward<K>(bin.y, bin.k, bins, limits.scale, gy, gy * at.n + gSlope * perWidth, dRaw + bins);
  for (int i = 0; i < bins - 1; i++) {
    dRaw[2 * bins + i] = i == bin.k ? gd1 * bin.d1.slope : i == bin.k - 1 ? gd0 * bin.d0.slope : 0.0f;
  }
  return gx;
}

template <int K>
__device__ inline void splineBack(const Block& b, const Op& op) {
  int d = b.size(op.a);
  const int bins = K > 0 ? K : op.p[BINS];
  int raws = 3 * bins - 1;
  Box limits = box(b, op);
  const float* x = b.saved(op.a);
  const float* dy = b.gradient(op.y);
  float* dx = b.gradient(op.a);
  float* dRaw = b.gradient(op.b);
  softmaxes<K>(b.saved(op.b), dRaw, b.count * d, bins);
  EACH(i, b.count * d) {
    float gx = dy[i];
    if (limits.clamp(x[i]) == x[i]) {
      gx = elementBackward<K>(x[i], bins, limits, dy[i], b.dLogWeight, dRaw + i * raws);
    } else {
      for (int j = 0; j < raws; j++) {
        dRaw[i * raws + j] = 0.0f;
      }
    }
    contribute(op, 0, dx, i, gx);
  }
}

__device__ inline void splineBackward(const Block& b, const Op& op) {
  op.p[BINS] == PAPER_BINS ? splineBack<PAPER_BINS>(b, op) : splineBack<0>(b, op);
}
