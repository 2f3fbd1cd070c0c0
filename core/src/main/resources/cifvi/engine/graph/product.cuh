// y[r][n] = sum over k of x(r, k) w[k][n], the one matrix product of a tile: w is the transposed weight on the way
// there and the weight itself on the way back, so that neighbouring threads read neighbouring numbers.
//
// A tile has few rows, so that nothing but the time until weights arrive matters: every thread asks for many at once,
// and for what `before` wants of a result too, before it waits for any.

constexpr int WARP = 32;
constexpr int GROUP = 8;               // neighbouring results of a warp: 32 bytes of a line of weights
constexpr int SHARES = WARP / GROUP;   // lanes that share a sum
constexpr int LOADS = 16;              // numbers a thread waits for at once
constexpr int LONG = 64;               // terms that are worth the work of several warps

__device__ inline float relu(float x) { return x < 0 ? 0.0f : x; }  // keeps NaN

// Adds TERMS terms from k = first on to the sums of results (r, n): those before `to` only, or all.
template <int RESULTS, int TERMS, bool ALL, class X>
__device__ inline void addTerms(
    float* sum, const X& x, const int* r, const int* n, int first, int to, int step, const float* __restrict__ w,
    int outer) {
  float a[TERMS][RESULTS];
  float c[TERMS][RESULTS];
#pragma unroll
  for (int i = 0; i < TERMS; i++) {
    int k = first + i * step;
#pragma unroll
    for (int j = 0; j < RESULTS; j++) {
      a[i][j] = ALL || k < to ? x(r[j], k) : 0.0f;
      c[i][j] = ALL || k < to ? w[k * outer + n[j]] : 0.0f;
    }
  }
#pragma unroll
  for (int j = 0; j < RESULTS; j++) {
    float part = 0.0f;
#pragma unroll
    for (int i = 0; i < TERMS; i++) {
      part = fmaf(a[i][j], c[i][j], part);
    }
    sum[j] += part;
  }
}

// Adds the terms k = from, from + step, ..., TERMS of every result at a time.
template <int RESULTS, int TERMS, class X>
__device__ inline void dot(
    float* sum, const X& x, const int* r, const int* n, int from, int to, int step, const float* w, int outer) {
  int first = from;
  for (; first + (TERMS - 1) * step < to; first += TERMS * step) {
    addTerms<RESULTS, TERMS, true>(sum, x, r, n, first, to, step, w, outer);
  }
  if (first < to) {
    addTerms<RESULTS, TERMS, false>(sum, x, r, n, first, to, step, w, outer);
  }
}

// One thread a result, or RESULTS of them at a time.
template <int RESULTS, class X, class Before, class Finish>
__device__ inline void columns(
    const Block& b, const X& x, int inner, const float* w, int outer, const Before& before, const Finish& finish) {
  int results = b.count * outer;
  int threads = blockDim.x;
  Quotient row(outer);
  for (int first = threadIdx.x; first < results; first += RESULTS * threads) {
    int r[RESULTS];
    int n[RESULTS];
    float sum[RESULTS];
    float wanted[RESULTS];
#pragma unroll
    for (int j = 0; j < RESULTS; j++) {
      int i = min(first + j * threads, results - 1);
      r[j] = row(i);
      n[j] = i - r[j] * outer;
      sum[j] = 0.0f;
      wanted[j] = before(i, n[j]);
    }
    dot<RESULTS, LOADS / RESULTS>(sum, x, r, n, 0, inner, 1, w, outer);
#pragma unroll
    for (int j = 0; j < RESULTS; j++) {
      if (first + j * threads < results) {
        finish(first + j * threads, sum[j], wanted[j]);
      }
    }
  }
}

// A warp a group of results, lanes share its sums; with `parts` > 1 as many warps share them again.
template <class X, class Before, class Finish>
__device__ inline void groups(
    const Block& b, const X& x, int inner, const float* w, int outer, int parts, const Before& before,
    const Finish& finish) {
  int perRow = (outer + GROUP - 1) / GROUP;
  int items = b.count * perRow;
  int warp = threadIdx.x / WARP;
  int lane = threadIdx.x % WARP;
  int part = warp / items;
  int item = warp - part * items;
  int r = Quotient(perRow)(item);
  int n = (item - r * perRow) * GROUP + lane % GROUP;
  bool mine = part < parts && n < outer;
  bool last = mine && part == 0 && lane < GROUP;
  float wanted = last ? before(r * outer + n, n) : 0.0f;
  int from = part * SHARES + lane / GROUP;
  float sum = 0.0f;
  dot<1, LOADS / 2>(&sum, x, &r, &n, from, mine ? inner : 0, parts * SHARES, w, outer);
  sum += __shfl_xor_sync(~0u, sum, GROUP);
  sum += __shfl_xor_sync(~0u, sum, 2 * GROUP);
  if (parts > 1) {
    if (lane < GROUP) {
      b.scratch[warp * GROUP + lane] = sum;
    }
    __syncthreads();
    for (int p = 1; last && p < parts; p++) {
      sum += b.scratch[(p * items + item) * GROUP + lane];
    }
  }
  if (last) {
    finish(r * outer + n, sum, wanted);
  }
}

// Calls finish(i, sum, before(i, n)) with i = r outer + n for every result.
template <class X, class Before, class Finish>
__device__ inline void product(
    const Block& b, const X& x, int inner, const float* w, int outer, const Before& before, const Finish& finish) {
  int threads = blockDim.x;
  int items = b.count * ((outer + GROUP - 1) / GROUP);
  int warps = threads / WARP;
  if (threads % WARP == 0 && items <= warps) {
    groups(b, x, inner, w, outer, inner >= LONG ? warps / items : 1, before, finish);
  } else if (b.count * outer > threads) {
    columns<4>(b, x, inner, w, outer, before, finish);
  } else {
    columns<1>(b, x, inner, w, outer, before, finish);
  }
}
