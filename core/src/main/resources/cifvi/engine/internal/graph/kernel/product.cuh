// y[r][n] = sum over k of x(r, k) w[k][n], the one matrix product of a tile: w is the transposed weight in the forward
// pass and the weight itself in the backward pass, so that neighbouring threads read neighbouring numbers.
//
// A tile has few rows, so that nothing but the time until weights arrive matters: every thread asks for many at once,
// and for what `before` wants of a result too, before it waits for any. Where results are few it asks for V = 4 beside
// each other, which the rows of w must consist of: all of them then lie at multiples of 16 bytes.

constexpr int WARP_BITS = 5;
constexpr int WARP = 1 << WARP_BITS;
constexpr int LOADS = 16;     // single numbers that a thread waits for at once
constexpr int TERM_BITS = 3;  // and 2³ terms where it shares a sum with others or takes four numbers at a time

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
