// y[r][n] = sum over k of x(r, k) w[k][n], the one matrix product of a tile: w is the transposed weight on the way
// there and the weight itself on the way back, so that neighbouring threads read neighbouring numbers.
//
// A tile has few rows, so that nothing but the time until weights arrive matters: every thread asks for many at once,
// and for what `before` wants of a result too, before it waits for any. Where results are few it asks for V = 4 beside
// each other, which the rows of w must consist of: all of them then lie at multiples of 16 bytes.

constexpr int WARP_BITS = 5;
constexpr int WARP = 1 << WARP_BITS;
constexpr int LOADS = 16;     // single numbers that a thread waits for at once
constexpr int TERM_BITS = 3;  // and 2³ terms where it shares a sum with others or takes four numbers at a time

__device__ inline float relu(float x) { return x < 0 ? 0.0f : x; }  // keeps NaN

template <int V>
__device__ inline void load(float* to, const float* __restrict__ from) {
  if constexpr (V == 4) {
    float4 four = *reinterpret_cast<const float4*>(from);
    to[0] = four.x;
    to[1] = four.y;
    to[2] = four.z;
    to[3] = four.w;
  } else {
    to[0] = *from;
  }
}

// Adds TERMS terms from k = first on to the sums of results (r, n), ..., (r, n + V - 1): those before `to` only, or all.
template <int RESULTS, int V, int TERMS, bool ALL, class X>
__device__ inline void addTerms(
    float (*sum)[V], const X& x, const int* r, const int* n, int first, int to, int step, const float* w, int outer) {
  float a[TERMS][RESULTS];
  float c[TERMS][RESULTS][V];
#pragma unroll
  for (int i = 0; i < TERMS; i++) {
    bool there = ALL || first + i * step < to;
    int k = there ? first + i * step : to - 1;
#pragma unroll
    for (int j = 0; j < RESULTS; j++) {
      a[i][j] = there ? x(r[j], k) : 0.0f;
      load<V>(c[i][j], w + k * outer + n[j]);
    }
  }
#pragma unroll
  for (int j = 0; j < RESULTS; j++) {
#pragma unroll
    for (int v = 0; v < V; v++) {
      float part = 0.0f;
#pragma unroll
      for (int i = 0; i < TERMS; i++) {
        part = fmaf(a[i][j], c[i][j][v], part);
      }
      sum[j][v] += part;
    }
  }
}

// Adds the terms k = from, from + step, ..., TERMS of every result at a time.
template <int RESULTS, int V, int TERMS, class X>
__device__ inline void dot(
    float (*sum)[V], const X& x, const int* r, const int* n, int from, int to, int step, const float* w, int outer) {
  int first = from;
  for (; first + (TERMS - 1) * step < to; first += TERMS * step) {
    addTerms<RESULTS, V, TERMS, true>(sum, x, r, n, first, to, step, w, outer);
  }
  if (first < to) {
    addTerms<RESULTS, V, TERMS, false>(sum, x, r, n, first, to, step, w, outer);
  }
}

// One thread for V results beside each other, or for RESULTS times as many.
template <int RESULTS, int V, class X, class Before, class Finish>
__device__ inline void columns(
    const Block& b, const X& x, int inner, const float* w, int outer, const Before& before, const Finish& finish) {
  int across = outer / V;
  int items = b.count * across;
  int threads = blockDim.x;
  Quotient row(across);
  for (int first = threadIdx.x; first < items; first += RESULTS * threads) {
    int r[RESULTS];
    int n[RESULTS];
    float sum[RESULTS][V] = {};
    float wanted[RESULTS][V];
#pragma unroll
    for (int j = 0; j < RESULTS; j++) {
      int item = min(first + j * threads, items - 1);
      r[j] = row(item);
      n[j] = (item - r[j] * across) * V;
#pragma unroll
      for (int v = 0; v < V; v++) {
        wanted[j][v] = before(r[j] * outer + n[j] + v, n[j] + v);
      }
    }
    dot<RESULTS, V, V == 1 ? LOADS / RESULTS : 1 << TERM_BITS>(sum, x, r, n, 0, inner, 1, w, outer);
#pragma unroll
    for (int j = 0; j < RESULTS; j++) {
#pragma unroll
      for (int v = 0; v < V; v++) {
        if (first + j * threads < items) {
          finish(r[j] * outer + n[j] + v, sum[j][v], wanted[j][v]);
        }
      }
    }
  }
}

// A warp for what 2^bits lanes read of a row of w; the other lanes share their sums, and each then finishes one of the V
// results. With many terms several warps share them again.
template <int V, class X, class Before, class Finish>
__device__ inline void groups(
    const Block& b, const X& x, int inner, const float* w, int outer, int bits, int perRow, const Before& before,
    const Finish& finish) {
  int items = b.count * perRow;
  int warp = threadIdx.x / WARP;
  int column = threadIdx.x & ((1 << bits) - 1);
  int share = threadIdx.x % WARP >> bits;
  int shares = WARP >> bits;
  int termBits = TERM_BITS + WARP_BITS - bits;  // of all shares at once
  Quotient perItem(items);
  int parts = min((inner + (1 << termBits) - 1) >> termBits, perItem(blockDim.x / WARP));
  int part = perItem(warp);
  int item = warp - part * items;
  int r = Quotient(perRow)(item);
  int n = (((item - r * perRow) << bits) + column) * V;
  int i = r * outer + n + share;
  bool mine = part < parts && n < outer;
  bool last = mine && part == 0 && share < V;
  float wanted = last ? before(i, n + share) : 0.0f;
  float sums[1][V] = {};
  if (mine) {
    dot<1, V, 1 << TERM_BITS>(sums, x, &r, &n, part * shares + share, inner, parts * shares, w, outer);
  }
  float sum = 0.0f;
#pragma unroll
  for (int v = 0; v < V; v++) {
    for (int distance = 1 << bits; distance < WARP; distance *= 2) {
      sums[0][v] += __shfl_xor_sync(~0u, sums[0][v], distance);
    }
    sum = share == v ? sums[0][v] : sum;
  }
  if (parts > 1) {
    int stride = (items << bits) * V;
    float* place = b.scratch + ((item << bits) + column) * V + share;
    if (share < V) {
      place[part * stride] = sum;
    }
    __syncthreads();
    for (int p = 1; last && p < parts; p++) {
      sum += place[p * stride];
    }
  }
  if (last) {
    finish(i, sum, wanted);
  }
}

// With groups where a warp for each is there, V results a lane; whether it was.
template <int V, class X, class Before, class Finish>
__device__ inline bool grouped(
    const Block& b, const X& x, int inner, const float* w, int outer, const Before& before, const Finish& finish) {
  int across = outer / V;
  int bits = across > 4 ? 3 : across > 2 ? 2 : across - 1;
  int perRow = (across + (1 << bits) - 1) >> bits;
  if (blockDim.x % WARP || b.count * perRow > static_cast<int>(blockDim.x / WARP)) {
    return false;
  }
  groups<V>(b, x, inner, w, outer, bits, perRow, before, finish);
  return true;
}

// Calls finish(i, sum, before(i, n)) with i = r outer + n for every result.
template <class X, class Before, class Finish>
__device__ inline void product(
    const Block& b, const X& x, int inner, const float* w, int outer, const Before& before, const Finish& finish) {
  int results = b.count * outer;
  int threads = blockDim.x;
  bool fours = outer % 4 == 0 && (b.count == 1 || results >= 4 * threads);
  if (fours ? grouped<4>(b, x, inner, w, outer, before, finish) : grouped<1>(b, x, inner, w, outer, before, finish)) {
    return;
  }
  if (fours) {
    columns<1, 4>(b, x, inner, w, outer, before, finish);
  } else if (results > threads) {
    columns<4, 1>(b, x, inner, w, outer, before, finish);
  } else {
    columns<1, 1>(b, x, inner, w, outer, before, finish);
  }
}
