// Sums of products, x(r, k) w[k][n] over k, as one thread makes them: it asks for TERMS terms at once, and for V numbers
// of w beside each other, before it waits for any.

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
