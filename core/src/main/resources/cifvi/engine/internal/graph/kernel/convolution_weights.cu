// Gradients of all weights and biases of a decoder's convolutions, added to the flat gradient. A plain convolution with
// stride 1 and a transposed one with stride 2 have one form: with images b, places p of a plane and taps t,
//
//   dW[m][n][t] = Σ_b Σ_p P[b, m, p] Q[b, n, stride p + t - padding],   zero outside,   db[c] = Σ_b Σ_p dy[b, c, p]
//
// plain: P = dy, Q = x; transposed: P = x, Q = dy. A block takes a tile of (m, n) and a part of the images, a few at a
// time in shared memory; a warp eight n of all m with all their taps, as a matrix product of places (matrix.cuh); warps
// that have the same n share the places. Parts are added up by a second launch. Every sum has a fixed order, so that the
// same step gives the same bits.

// What the convolutions saw, P and Q of each.
struct Planes {
  const float* of[2 * CONVOLUTIONS];
};

template <int P, int Q, int WINDOW>
struct Geometry {
  static constexpr int SIDE = P;    // of a plane of P,
  static constexpr int SIDE_Q = Q;  // and of Q
  static constexpr int PLACES = SIDE * SIDE;
  static constexpr int PLACES_Q = SIDE_Q * SIDE_Q;
  static constexpr int TAPS = WINDOW;
  static constexpr int STRIDE = SIDE_Q > SIDE ? 2 : 1;
  static constexpr int PADDING = TAPS / 2;
  static constexpr int WIDTH = STRIDE * (SIDE - 1) + TAPS;  // of Q with what it needs of a border
  static constexpr int AREA = WIDTH * WIDTH;
  static constexpr int SUMS = TAPS * TAPS;
  static constexpr int ROW_TILES = TAPS == 1 ? 1 : TILE_CHANNELS / 16;
  static constexpr int ROWS = 16 * ROW_TILES;               // m that products have,
  static constexpr int EIGHTS = TAPS == 1 ? 1 : ROWS / 8;  // and those of P

  // What lies between a window's first number and that of a tap.
  __device__ static constexpr int tap(int t) {
    int x = t % TAPS;
    return t / TAPS * WIDTH + (STRIDE == 1 ? x : x % 2 * ((WIDTH + 1) / 2) + x / 2);
  }
};

// Numbers of a plane, so that neighbouring ones begin four or twelve banks apart.
__device__ inline int planeOf(int numbers) { return (numbers + 7) / 8 * 8 + 4; }

// Adds the products of every slices-th eight places; p and q are those of the lane's first m and of its n.
template <class G>
__device__ inline void addPlaces(
    const float* p, int planeP, const float* q, const int* begins, int places, int slice, int slices,
    float (*sums)[G::ROW_TILES][1][A_NUMBERS]) {
  for (int first = DEPTH * slice; first < places; first += DEPTH * slices) {
    int k = first + threadIdx.x % 4;
    const float* near = q + begins[k];
    const float* far = q + begins[k + 4];
    Halves<A_NUMBERS * G::ROW_TILES> a;
#pragma unroll
    for (int i = 0; i < 2 * G::ROW_TILES; i++) {
      const float* own = p + 8 * i * planeP + k;
      a.set(i / 2 * A_NUMBERS + i % 2, i < G::EIGHTS && k < places ? own[0] : 0.0f);
      a.set(i / 2 * A_NUMBERS + i % 2 + 2, i < G::EIGHTS && k + 4 < places ? own[4] : 0.0f);
    }
#pragma unroll
    for (int t = 0; t < G::SUMS; t++) {
      Halves<B_NUMBERS> b;
      b.set(0, near[G::tap(t)]);
      b.set(1, far[G::tap(t)]);
      multiply<G::ROW_TILES, 1>(sums[t], a, b);
    }
  }
}

// Adds the slices up in their order, to shared[t][m][pitch].
template <class G>
__device__ inline void addSlices(
    const float (*sums)[G::ROW_TILES][1][A_NUMBERS], int n, int slice, int slices, int pitch, float* shared) {
  int lane = threadIdx.x % WARP;
  for (int turn = 0; turn < slices; turn++) {
    __syncthreads();
    if (turn != slice) {
      continue;
    }
#pragma unroll
    for (int t = 0; t < G::SUMS; t++) {
#pragma unroll
      for (int i = 0; i < 2 * G::ROW_TILES; i++) {
        float* to = shared + (t * G::ROWS + 8 * i + lane / 4) * pitch + n + lane % 4 * 2;
#pragma unroll
        for (int k = 0; k < 2; k++) {
          float own = sums[t][i / 2][0][i % 2 * 2 + k];
          to[k] = turn == 0 ? own : to[k] + own;
        }
      }
    }
  }
  __syncthreads();
}

// The sums of a tile over the images `from` to `to` - 1. The bias is summed where dy lies in shared memory anyway, whose
// border is zero, in float64, since its terms nearly cancel.
template <class G>
__device__ inline void sumTile(
    const ConvolutionTile& t, const float* p, const float* q, int from, int to, float* sums, float* biasSums,
    float* shared) {
  int sizeP = t.channelsP * G::PLACES;
  int sizeQ = t.channelsQ * G::PLACES_Q;
  int planeP = planeOf(t.images * G::PLACES);
  int planeQ = planeOf(t.images * G::AREA);
  float* sharedQ = shared + 8 * G::EIGHTS * planeP;
  int* begins = reinterpret_cast<int*>(sharedQ + t.lanes() * planeQ);
  int lane = threadIdx.x % WARP;
  int n = threadIdx.x / WARP % (t.lanes() / 8) * 8;
  int slice = threadIdx.x / WARP / (t.lanes() / 8);
  int slices = blockDim.x / WARP / (t.lanes() / 8);
  const float* ownP = shared + lane / 4 * planeP;
  const float* ownQ = sharedQ + (n + lane / 4) * planeQ;
  float sum[G::SUMS][G::ROW_TILES][1][A_NUMBERS] = {};
  double bias = 0.0;
  int c = threadIdx.x / BIAS_SLICES;
  EACH(i, t.lanes() * planeQ) {
    sharedQ[i] = 0.0f;
  }
  EACH(k, planeP) {
    int image = k / G::PLACES;
    int y = k / G::SIDE % G::SIDE;
    begins[k] = image < t.images ? image * G::AREA + y * G::STRIDE * G::WIDTH + k % G::SIDE : 0;
  }
  for (int image = from; image < to; image += t.images) {
    int images = min(t.images, to - image);
    __syncthreads();
    const float* imageP = p + static_cast<int64>(image) * sizeP + t.m * G::PLACES;
    const float* imageQ = q + static_cast<int64>(image) * sizeQ + t.n * G::PLACES_Q;
    loadPlanes<G::SIDE, G::SIDE, 0, 1>(imageP, sizeP, t.ms, images, planeP, false, shared);
    loadPlanes<G::SIDE_Q, G::WIDTH, G::PADDING, G::STRIDE>(imageQ, sizeQ, t.ns, images, planeQ, t.relu, sharedQ);
    __syncthreads();
    if (slice < slices) {
      addPlaces<G>(ownP, planeP, ownQ, begins, images * G::PLACES, slice, slices, sum);
    }
    if (c < t.biases()) {
      const float* dy = t.biasOfP ? shared + c * planeP : sharedQ + c * planeQ;
      int places = images * (t.biasOfP ? G::PLACES : G::AREA);
      for (int e = threadIdx.x % BIAS_SLICES; e < places; e += BIAS_SLICES) {
        bias += dy[e];
      }
    }
  }
  int pitch = t.lanes() + 8;
  addSlices<G>(sum, n, slice, slices, pitch, shared);
  EACH(e, t.size()) {
    int row = e / t.lanes();
    int tap = row / (4 * t.quads());
    sums[e] = shared[(tap * G::ROWS + row - tap * 4 * t.quads()) * pitch + e - row * t.lanes()];
  }
  __syncthreads();
  double* biases = reinterpret_cast<double*>(shared);
  biases[threadIdx.x] = bias;
  __syncthreads();
  EACH(own, t.biases()) {
    double total = 0.0;
    for (int i = 0; i < BIAS_SLICES; i++) {
      total += biases[own * BIAS_SLICES + i];
    }
    biasSums[own] = static_cast<float>(total);
  }
}

// Every block takes a tile and a part of the images.
extern "C" __global__ void __launch_bounds__(DECODER_THREADS, DECODER_RESIDENT) convolution_gradients(
    const ConvolutionTile* tiles, const TilePart* blocks, Planes planes, int rows, float* partial) {
  extern __shared__ double memory[];
  float* shared = reinterpret_cast<float*>(memory);
  TilePart own = blocks[blockIdx.x];
  ConvolutionTile t = tiles[own.tile];
  const float* p = planes.of[2 * t.convolution];
  const float* q = planes.of[2 * t.convolution + 1];
  int from = static_cast<int64>(rows) * own.part / t.parts;
  int to = static_cast<int64>(rows) * (own.part + 1) / t.parts;
  float* sums = partial + t.sums + own.part * t.size();
  float* biasSums = partial + t.biasSums + own.part * t.biases();
  switch (100 * t.side + t.sideQ) {
    case 404: sumTile<Geometry<4, 4, 3>>(t, p, q, from, to, sums, biasSums, shared); break;
    case 407: sumTile<Geometry<4, 7, 3>>(t, p, q, from, to, sums, biasSums, shared); break;
    case 707: sumTile<Geometry<7, 7, 3>>(t, p, q, from, to, sums, biasSums, shared); break;
    case 714: sumTile<Geometry<7, 14, 3>>(t, p, q, from, to, sums, biasSums, shared); break;
    case 1414: sumTile<Geometry<14, 14, 3>>(t, p, q, from, to, sums, biasSums, shared); break;
    case 1428: sumTile<Geometry<14, 28, 3>>(t, p, q, from, to, sums, biasSums, shared); break;
    case 2828: sumTile<Geometry<28, 28, 1>>(t, p, q, from, to, sums, biasSums, shared); break;
  }
}
