// Products by the matrix units, which multiply numbers of 11 bits and add in float32. A float32 number is the sum of two
// of them but for a rest of at most one unit in its last place:
//
//   x = high + low,   x y ≈ low high' + high low' + high high'
//
// A product is 16 x 8 times 8 x 8. Of its terms and sums lane 4i + j of a warp has
//
//   a  (i, j), (i + 8, j), (i, j + 4), (i + 8, j + 4)     b  (j, i), (j + 4, i)     sums  (i, 2j), (i, 2j + 1) and, of
// i + 8, the same.

constexpr int DEPTH = 8;      // terms of a product
constexpr int A_NUMBERS = 4;  // that a lane has of a, of the sums,
constexpr int B_NUMBERS = 2;  // and of b

// The two parts of n numbers.
template <int N>
struct Halves {
  float high[N];
  float low[N];

  __device__ void set(int i, float x) {
    high[i] = __uint_as_float((__float_as_uint(x) + 0x1000u) & 0xffffe000u);  // faster than `cvt.rna.tf32`
    low[i] = x - high[i];
  }
};

#ifndef HOST
__device__ inline void multiply(float* sums, const float* a, const float* b) {
  asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
      : "r"(__float_as_uint(a[0])), "r"(__float_as_uint(a[1])), "r"(__float_as_uint(a[2])),
        "r"(__float_as_uint(a[3])), "r"(__float_as_uint(b[0])), "r"(__float_as_uint(b[1])));
}

// sums += a b for M times 16 rows and N times 8 columns, small products first. Matrix units cut off what does not fit where
// they add, always towards zero: they add three products alone, and those are added to the sums as float32 rounds.
template <int M, int N>
__device__ inline void multiply(
    float (*sums)[N][A_NUMBERS], const Halves<A_NUMBERS * M>& a, const Halves<B_NUMBERS * N>& b) {
#pragma unroll
  for (int m = 0; m < M; m++) {
#pragma unroll
    for (int n = 0; n < N; n++) {
      float part[A_NUMBERS] = {};
      multiply(part, a.low + A_NUMBERS * m, b.high + B_NUMBERS * n);
      multiply(part, a.high + A_NUMBERS * m, b.low + B_NUMBERS * n);
      multiply(part, a.high + A_NUMBERS * m, b.high + B_NUMBERS * n);
#pragma unroll
      for (int i = 0; i < A_NUMBERS; i++) {
        sums[m][n][i] += part[i];
      }
    }
  }
}
#endif
