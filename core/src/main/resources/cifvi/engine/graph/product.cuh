// y[r][n] = sum over k of x[r][k] w[k][n], the one matrix product of a tile: w is the transposed weight on the way
// there and the weight itself on the way back, so that neighbouring threads read neighbouring numbers.
//
// Where there are fewer results than threads, several threads share the sum of one.

__device__ inline float relu(float x) { return x < 0 ? 0.0f : x; }  // keeps NaN

// The terms from k = `from` to `to` - 1; four sums for independent loads.
__device__ inline float dot(const float* x, const float* w, int outer, int from, int to, bool rectify) {
  float sum[4] = {0.0f, 0.0f, 0.0f, 0.0f};
  int k = from;
#pragma unroll 4
  for (; k + 4 <= to; k += 4) {
#pragma unroll
    for (int i = 0; i < 4; i++) {
      float v = rectify ? relu(x[k + i]) : x[k + i];
      sum[i] = fmaf(v, w[(k + i) * outer], sum[i]);
    }
  }
  for (; k < to; k++) {
    sum[0] = fmaf(rectify ? relu(x[k]) : x[k], w[k * outer], sum[0]);
  }
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

// Calls finish(i, n, sum) with i = r outer + n for every result.
template <class Finish>
__device__ inline void product(
    const Block& b, const float* x, int inner, bool rectify, const float* w, int outer, const Finish& finish) {
  int results = b.count * outer;
  int shares = min(static_cast<int>(blockDim.x) / results, (inner + 3) / 4);
  if (shares < 2) {
    EACH(i, results) {
      int r = i / outer;
      int n = i - r * outer;
      finish(i, n, dot(x + r * inner, w + n, outer, 0, inner, rectify));
    }
    return;
  }
  int length = (inner + shares - 1) / shares;
  EACH(p, results * shares) {
    int share = p / results;
    int i = p - share * results;
    int r = i / outer;
    int from = min(share * length, inner);
    b.partial[p] = dot(x + r * inner, w + i - r * outer, outer, from, min(from + length, inner), rectify);
  }
  __syncthreads();
  EACH(i, results) {
    float sum = b.partial[i];
    for (int share = 1; share < shares; share++) {
      sum += b.partial[share * results + i];
    }
    finish(i, i % outer, sum);
  }
}
