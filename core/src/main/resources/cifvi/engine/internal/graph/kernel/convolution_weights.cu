// Gradients of all weights and biases of a decoder's convolutions, added to the flat gradient. A plain convolution with
// stride 1 and a transposed one with stride 2 have one form: with images b, places p of a plane and taps t,
//
//   dW[m][n][t] = Σ_b Σ_p P[b, m, p] Q[b, n, stride p + t - padding],   zero outside,   db[c] = Σ_b Σ_p dy[b, c, p]
//
// plain: P = dy, Q = x; transposed: P = x, Q = dy. A block takes a tile of (m, n) and a part of the images, a few at a
// time in shared memory; a warp eight n of all m with all their taps, as a matrix product of places (half_matrix.cuh);
// warps that have the same n share the places. Two terms that lie side by side in a word are one place of two images,
// or of the two halves of an image, so that a tap moves both alike; all that lies in shared memory at once has one
// scale. Parts are added up by a second launch. Every sum has a fixed order, so that the same step gives the same bits.

// A pair, zero where there is no place by the mask. Without one ptxas copies words, which come in pairs, before every
// product; what a mask gives it puts where products want it.
template <int N>
__device__ inline void set(HalfWords<N>& words, int i, Pair pair, unsigned mask) {
  words.high[i] = pair.first & mask;
  words.low[i] = pair.second & mask;
}

// Adds `inverse` times the products of every slices-th eight places.
template <class G>
__device__ inline void addPlaces(
    const ConvolutionTile& t, int pairs, float inverse, float* shared, float (*sums)[G::ROW_TILES][A_NUMBERS]) {
  Room<G> room(t, shared);
  WarpShare own(t);
  int lane = threadIdx.x % WARP;
  int places = own.slice < own.slices ? pairs * G::LayoutP::PLACES : 0;
  const Pair* p = room.p + lane / 4 * room.planeP;
  const Pair* q = room.q + (own.n + lane / 4) * room.planeQ;
  const int* begins = room.begins + lane % 4;
  for (int first = DEPTH_PLACES * own.slice; first < places; first += DEPTH_PLACES * own.slices) {
    int k = first + lane % 4;
    const Pair* near = q + begins[first];
    const Pair* far = q + begins[first + 4];
    unsigned ifNear = k < places ? ~0u : 0;
    unsigned ifFar = k + 4 < places ? ~0u : 0;
    HalfWords<A_NUMBERS> a[G::ROW_TILES];
#pragma unroll
    for (int i = 0; i < 2 * G::ROW_TILES; i++) {
      const Pair* row = p + 8 * i * room.planeP + k;
      set(a[i / 2], i % 2, i < G::EIGHTS ? row[0] : Pair{}, ifNear);
      set(a[i / 2], i % 2 + 2, i < G::EIGHTS ? row[4] : Pair{}, ifFar);
    }
#pragma unroll
    for (int tap = 0; tap < G::SUMS; tap++) {
      HalfWords<B_NUMBERS> b;
      set(b, 0, near[G::tap(tap)], ifNear);
      set(b, 1, far[G::tap(tap)], ifFar);
#pragma unroll
      for (int m = 0; m < G::ROW_TILES; m++) {
        float part[A_NUMBERS];
        multiplyHalves(part, a[m], b);
#pragma unroll
        for (int i = 0; i < A_NUMBERS; i++) {
          sums[tap][m][i] = fmaf(part[i], inverse, sums[tap][m][i]);
        }
      }
    }
  }
}

// Adds the slices up in their order, to shared[t][m][pitch].
template <class G>
__device__ inline void addSlices(
    const ConvolutionTile& t, int pitch, const float (*sums)[G::ROW_TILES][A_NUMBERS], float* shared) {
  WarpShare own(t);
  int lane = threadIdx.x % WARP;
  for (int turn = 0; turn < own.slices; turn++) {
    __syncthreads();
    if (turn != own.slice) {
      continue;
    }
#pragma unroll
    for (int tap = 0; tap < G::SUMS; tap++) {
#pragma unroll
      for (int i = 0; i < 2 * G::ROW_TILES; i++) {
        float* to = shared + (tap * G::ROWS + 8 * i + lane / 4) * pitch + own.n + lane % 4 * 2;
#pragma unroll
        for (int k = 0; k < 2; k++) {
          float sum = sums[tap][i / 2][i % 2 * 2 + k];
          to[k] = turn == 0 ? sum : to[k] + sum;
        }
      }
    }
  }
  __syncthreads();
}

// Threads that share the sum of a bias: those of one have neighbouring numbers.
__device__ inline int biasSlices(const ConvolutionTile& t) { return min(WARP, DECODER_THREADS / t.biases()); }

// A thread's share of the sum of a channel, in float64, since terms nearly cancel. Rows of Q that a half has in front
// are the border's, or the other half's.
template <class L>
__device__ inline double sumOf(const Pair* channel, int pairs, int first, int slices) {
  double sum = 0.0;
  for (int i = 0; i < pairs; i++) {
    for (int e = first; e < L::PLACES; e += slices) {
      Pair pair = channel[i * L::PLACES + e];
      sum += static_cast<double>(__uint_as_float(pair.first)) + __uint_as_float(pair.second);
    }
  }
  return sum;
}

// The same of the bias that is the thread's, if there is one.
template <class G>
__device__ inline double sumBias(const ConvolutionTile& t, int pairs, float* shared) {
  using P = typename G::LayoutP;
  using Q = typename G::LayoutQ;
  Room<G> room(t, shared);
  int slices = biasSlices(t);
  int c = threadIdx.x / slices;
  int first = threadIdx.x - c * slices;
  if (c >= t.biases()) {
    return 0.0;
  }
  return t.biasOfP ? sumOf<P>(room.p + c * room.planeP, pairs, first, slices)
                   : sumOf<Q>(room.q + c * room.planeQ, pairs, first + G::PADDING * G::WIDTH_Q, slices);
}

// Sums of biases from those of threads.
__device__ inline void addBiases(const ConvolutionTile& t, double bias, float* shared, float* biasSums) {
  double* biases = reinterpret_cast<double*>(shared);
  biases[threadIdx.x] = bias;
  __syncthreads();
  EACH(own, t.biases()) {
    double total = 0.0;
    for (int i = 0; i < biasSlices(t); i++) {
      total += biases[own * biasSlices(t) + i];
    }
    biasSums[own] = static_cast<float>(total);
  }
}

// The sums of a tile over a part of the images. The bias is summed where dy lies in shared memory anyway, before it is
// split.
template <class G>
__device__ inline void sumTile(
    const ConvolutionTile& t, const Planes& planes, int rows, int part, float* partial, float* shared) {
  float sum[G::SUMS][G::ROW_TILES][A_NUMBERS] = {};
  double bias = 0.0;
  int64 all = (rows + G::IMAGES - 1) / G::IMAGES;
  int to = all * (part + 1) / t.parts;
  prepareRoom<G>(t, shared);
  for (int pair = all * part / t.parts; pair < to; pair += t.pairs) {
    int pairs = min(t.pairs, to - pair);
    __syncthreads();
    loadPart<G>(t, planes, rows, pair, pairs, shared);
    __syncthreads();
    if (t.biases() > 0) {
      bias += sumBias<G>(t, pairs, shared);
      __syncthreads();
    }
    float inverse = splitPart<G>(t, pairs, shared);
    __syncthreads();
    addPlaces<G>(t, pairs, inverse, shared, sum);
  }
  int pitch = t.lanes() + 8;
  addSlices<G>(t, pitch, sum, shared);
  float* sums = partial + t.sums + part * t.size();
  EACH(e, t.size()) {
    int row = e / t.lanes();
    int tap = row / (4 * t.quads());
    sums[e] = shared[(tap * G::ROWS + row - tap * 4 * t.quads()) * pitch + e - row * t.lanes()];
  }
  __syncthreads();
  addBiases(t, bias, shared, partial + t.biasSums + part * t.biases());
}

// Every block takes a tile and a part of the images.
extern "C" __global__ void __launch_bounds__(DECODER_THREADS, DECODER_RESIDENT) convolution_gradients(
    const ConvolutionTile* tiles, const TilePart* blocks, Planes planes, int rows, float* partial) {
  extern __shared__ double memory[];
  float* shared = reinterpret_cast<float*>(memory);
  TilePart own = blocks[blockIdx.x];
  const ConvolutionTile& t = tiles[own.tile];
  switch (100 * t.side + t.sideQ) {
    case 404: sumTile<Geometry<4, 4, 3>>(t, planes, rows, own.part, partial, shared); break;
    case 407: sumTile<Geometry<4, 7, 3>>(t, planes, rows, own.part, partial, shared); break;
    case 707: sumTile<Geometry<7, 7, 3>>(t, planes, rows, own.part, partial, shared); break;
    case 714: sumTile<Geometry<7, 14, 3>>(t, planes, rows, own.part, partial, shared); break;
    case 1414: sumTile<Geometry<14, 14, 3>>(t, planes, rows, own.part, partial, shared); break;
    case 1428: sumTile<Geometry<14, 28, 3>>(t, planes, rows, own.part, partial, shared); break;
    case 2828: sumTile<Geometry<28, 28, 1>>(t, planes, rows, own.part, partial, shared); break;
  }
}
