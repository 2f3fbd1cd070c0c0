// What eight channels in shared memory give to the sums of a warp, ROW_TILES times 16 places and G::TILES times 8
// channels of the output. `w` is [TILES / 2][…][tap][lane] of four numbers, of two tiles, and `stride` lies between pairs.

// The places of a lane in its two channels, `apart` from each other.
template <class G>
__device__ inline Halves<A_NUMBERS * ROW_TILES> seen(
    const float* plane, int apart, const WindowRows<G>& rows, int ky, int column) {
  Halves<A_NUMBERS * ROW_TILES> a;
#pragma unroll
  for (int i = 0; i < 2 * ROW_TILES; i++) {
    const float* at = plane + rows.at[i][ky] + column;
    a.set(i / 2 * A_NUMBERS + i % 2, at[0]);
    a.set(i / 2 * A_NUMBERS + i % 2 + 2, at[apart]);
  }
  return a;
}

template <class G>
__device__ inline Halves<B_NUMBERS * G::TILES> weightsOf(const float4* w, int stride, int tap) {
  Halves<B_NUMBERS * G::TILES> b;
#pragma unroll
  for (int pair = 0; pair < G::TILES / 2; pair++) {
    float4 four = w[pair * stride + tap * WARP];
    b.set(4 * pair, four.x);
    b.set(4 * pair + 1, four.y);
    b.set(4 * pair + 2, four.z);
    b.set(4 * pair + 3, four.w);
  }
  return b;
}

template <class G>
__device__ inline void addGathered(
    const G& g, const float* plane, int apart, const WindowRows<G>& rows, const float4* w, int stride,
    float (*sums)[ROW_TILES][G::TILES][A_NUMBERS]) {
#pragma unroll
  for (int t = 0; t < WEIGHTS; t++) {
    auto a = seen<G>(plane, apart, rows, t / WINDOW, g.column(t % WINDOW));
    multiply<ROW_TILES, G::TILES>(sums[0], a, weightsOf<G>(w, stride, t));
  }
}

// The same where a place gives to a window: those of even rows and columns have the middle of it, those between two
// places both sides, of the place before and of the one behind.
template <class G>
__device__ inline void addSpread(
    const G&, const float* plane, int apart, const WindowRows<G>& rows, const float4* w, int stride,
    float (*sums)[ROW_TILES][G::TILES][A_NUMBERS]) {
#pragma unroll
  for (int behind = 0; behind < 4; behind++) {
    auto a = seen<G>(plane, apart, rows, 1 + behind / 2, 1 + behind % 2);
#pragma unroll
    for (int t = 0; t < WEIGHTS; t++) {
      int ky = t / WINDOW;
      int kx = t % WINDOW;
      if ((ky == 0) == (behind / 2 == 1) && (kx == 0) == (behind % 2 == 1)) {
        multiply<ROW_TILES, G::TILES>(sums[2 * (ky != 1) + (kx != 1)], a, weightsOf<G>(w, stride, t));
      }
    }
  }
}
