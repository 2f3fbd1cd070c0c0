// Products by the matrix units of numbers that are the sums of two halves, 11 bits each. A scale s, a power of two, puts
// the largest number between 2^14 and 2^15:
//
//   s x = high + low,   x y ≈ (low high' + high low' + high high') / (s s')
//
// What is left out of x is at most 2^-24 of it, or 2^-40 of the largest number. Against matrix.cuh a product has twice the
// terms, and numbers are split once, when they are put into shared memory, two in a word.
//
// A product is 16 x 16 times 16 x 8. Of its terms and sums lane 4i + j of a warp has, each word a pair of neighbours,
//
//   a  (i, 2j), (i + 8, 2j), (i, 2j + 8), (i + 8, 2j + 8)     b  (2j, i), (2j + 8, i)     sums as there.

constexpr int HALF_DEPTH = 16;  // terms of a product

// Of weights, which keep 22 bits from 2^-11 on and must be smaller than 2^8: larger ones are infinite.
constexpr float WEIGHT_SCALE = 256.0f;

// The halves of two numbers, or of n times two.
struct TwoHalves {
  unsigned high;
  unsigned low;
};

template <int N>
struct HalfWords {
  unsigned high[N];
  unsigned low[N];
};

constexpr int LARGEST = 14;  // exponent of the largest number, once scaled

// The scale for numbers of which none is larger than `largest`, and what undoes it. Numbers under 2^-100 are zero soon.
struct HalfScale {
  float scale;
  float inverse;

  __device__ explicit HalfScale(float largest) {
    int exponent = max(static_cast<int>(__float_as_uint(largest) >> 23) - 127, -100);
    scale = __uint_as_float((127 + LARGEST - exponent) << 23);
    inverse = __uint_as_float((127 - LARGEST + exponent) << 23);
  }
};

// The largest number of a warp, for its scale.
__device__ inline float largestOfWarp(float own) {
  for (int distance = WARP / 2; distance > 0; distance /= 2) {
    own = fmaxf(own, __shfl_xor_sync(0xffffffff, own, distance));
  }
  return own;
}

#ifndef HOST
__device__ inline TwoHalves split(float x, float y) {
  TwoHalves two;
  asm("{\n"
      ".reg .f16 first, second;\n"
      ".reg .f32 x, y;\n"
      "cvt.rn.f16x2.f32 %0, %3, %2;\n"
      "mov.b32 {first, second}, %0;\n"
      "cvt.f32.f16 x, first;\n"
      "cvt.f32.f16 y, second;\n"
      "sub.f32 x, %2, x;\n"
      "sub.f32 y, %3, y;\n"
      "cvt.rn.f16x2.f32 %1, y, x;\n"
      "}"
      : "=r"(two.high), "=r"(two.low)
      : "f"(x), "f"(y));
  return two;
}

// In shared memory, in bytes.
typedef unsigned RowAddress;

__device__ inline RowAddress rowAddress(const uint4* row) {
  return static_cast<unsigned>(__cvta_generic_to_shared(row));
}

// A part of a: every lane says where eight neighbouring terms lie, lane 8q + r those of row r, of the second eight rows
// where q is odd, and of the second eight terms where q is two or three. A barrier lies between it and who writes them.
__device__ inline void loadRows(unsigned* a, RowAddress row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
      : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3])
      : "r"(row));
}

__device__ inline void multiplyHalves(float* sums, const unsigned* a, const unsigned* b) {
  asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

// part = a b for 16 rows and 8 columns, small products first.
__device__ inline void multiplyHalves(
    float* part, const HalfWords<A_NUMBERS>& a, const HalfWords<B_NUMBERS>& b) {
#pragma unroll
  for (int i = 0; i < A_NUMBERS; i++) {
    part[i] = 0.0f;
  }
  multiplyHalves(part, a.low, b.high);
  multiplyHalves(part, a.high, b.low);
  multiplyHalves(part, a.high, b.high);
}
#endif
