// sums[TO i][n] += x[FROM i] w[n]
template <int LENGTH, int N, int FROM, int TO>
__device__ inline void addOuter(const float* x, const float* w, float (*sums)[N]) {
  float own[N];
#pragma unroll
  for (int n = 0; n < N; n += 4) {
    float4 four = *reinterpret_cast<const float4*>(w + n);
    own[n] = four.x;
    own[n + 1] = four.y;
    own[n + 2] = four.z;
    own[n + 3] = four.w;
  }
#pragma unroll
  for (int i = 0; i < LENGTH; i++) {
#pragma unroll
    for (int n = 0; n < N; n++) {
      sums[TO * i][n] = fmaf(x[FROM * i], own[n], sums[TO * i][n]);
    }
  }
}

// Adds what one channel gives to the sums of a strip; w is [tap][N].
template <class G>
__device__ inline void addGathered(
    const float* plane, const StripRows<G>& rows, const float* w, float (*sums)[G::N]) {
  constexpr int SEEN = G::STRIDE * (G::LENGTH - 1) + WINDOW;
#pragma unroll
  for (int ky = 0; ky < WINDOW; ky++) {
    float x[SEEN];
#pragma unroll
    for (int i = 0; i < SEEN; i++) {
      x[i] = plane[rows.at[ky] + i];
    }
#pragma unroll
    for (int kx = 0; kx < WINDOW; kx++) {
      addOuter<G::LENGTH, G::N, G::STRIDE, 1>(x + kx, w + (ky * WINDOW + kx) * G::N, sums);
    }
  }
}

// The same where a place gives to a window: those of even rows and columns have the middle of it, those between two
// places both sides.
template <class G>
__device__ inline void addSpread(const float* plane, const StripRows<G>& rows, const float* w, float (*sums)[G::N]) {
  constexpr int LENGTH = G::LENGTH;
  float x[2][LENGTH + 1];
#pragma unroll
  for (int i = 0; i <= LENGTH; i++) {
    x[0][i] = plane[rows.at[1] + 1 + i];
    x[1][i] = plane[rows.at[2] + 1 + i];
  }
#pragma unroll
  for (int t = 0; t < WEIGHTS; t++) {
    int ky = t / WINDOW;
    int kx = t % WINDOW;
    int row = ky == 1 ? 0 : 2 * LENGTH;
    addOuter<LENGTH, G::N, 1, 2>(x[ky == 0] + (kx == 0), w + t * G::N, sums + row + (kx != 1));
  }
}
