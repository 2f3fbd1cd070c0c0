// Gradients of all weights and biases of a decoder's convolutions, added to the flat gradient. A plain convolution with
// stride 1 and a transposed one with stride 2 have one form: with images b, places p of a plane and taps t,
//
//   dW[m][n][t] = Σ_b Σ_p P[b, m, p] Q[b, n, stride p + t - padding],   zero outside,   db[c] = Σ_b Σ_p dy[b, c, p]
//
// plain: P = dy, Q = x; transposed: P = x, Q = dy. A block takes a tile of (m, n) and a part of the images, a few at a
// time in shared memory; a thread two m and two n with all their taps, in registers, along rows of a plane. Parts are
// added up by a second launch. Every sum has a fixed order, so that the same step gives the same bits.

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
};

// sums += p qᵀ for two m and two n
__device__ inline void addProduct(float4& sums, const float2& p, const float2& q) {
  sums.x = fmaf(p.x, q.x, sums.x);
  sums.y = fmaf(p.x, q.y, sums.y);
  sums.z = fmaf(p.y, q.x, sums.z);
  sums.w = fmaf(p.y, q.y, sums.w);
}

// Adds the products of every shares-th row of P from `share` on with the windows of Q that belong to its places. The
// window slides along the row: each place costs STRIDE new columns of Q.
template <class G>
__device__ inline void addWindows(const float2* p, const float2* q, int rows, int share, int shares, float4* sums) {
  for (int row = share; row < rows; row += shares) {
    int image = row / G::SIDE;
    const float2* a = p + row * G::SIDE;
    const float2* b = q + image * G::AREA + (row - image * G::SIDE) * G::STRIDE * G::WIDTH;
    float2 window[G::TAPS][G::TAPS];
#pragma unroll
    for (int x = 0; x < G::SIDE; x++) {
#pragma unroll
      for (int k = x == 0 ? 0 : G::TAPS - G::STRIDE; k < G::TAPS; k++) {
#pragma unroll
        for (int t = 0; t < G::TAPS; t++) {
          window[t][(x * G::STRIDE + k) % G::TAPS] = b[t * G::WIDTH + x * G::STRIDE + k];
        }
      }
      float2 own = a[x];
#pragma unroll
      for (int t = 0; t < G::SUMS; t++) {
        addProduct(sums[t], own, window[t / G::TAPS][(x * G::STRIDE + t % G::TAPS) % G::TAPS]);
      }
    }
  }
}

// The sums of a tile over the images `from` to `to` - 1. A block with fewer threads than sums are asked for goes over
// the images several times. The bias is summed where dy lies in shared memory anyway, whose border is zero.
template <class G>
__device__ inline void sumTile(
    const ConvolutionTile& t, const float* p, const float* q, int from, int to, float* sums, float* biasSums,
    float2* shared) {
  int sizeP = t.channelsP * G::PLACES;
  int sizeQ = t.channelsQ * G::PLACES_Q;
  int planeP = t.images * G::PLACES | 1;  // odd: neighbouring planes begin in different banks
  int planeQ = t.images * G::AREA | 1;
  float2* sharedQ = shared + 2 * t.quads() * planeP;
  int numbers = 2 * (2 * t.quads() * planeP + t.lanes() / 2 * planeQ);
  int biasPairs = (t.biases() + 1) / 2;
  int items = max(t.items() * t.shares, biasPairs * BIAS_SLICES);
  float2* biases = sharedQ + t.lanes() / 2 * planeQ;
  for (int first = 0; first < items; first += blockDim.x) {
    int item = first + threadIdx.x;
    int lane = item % t.lanes();
    int quad = item / t.lanes() % t.quads();
    int share = item / t.items();
    const float2* ownP = shared + (2 * quad + lane % 2) * planeP;  // in a warp, neighbours have one Q, and those two
    const float2* ownQ = sharedQ + lane / 2 * planeQ;              // apart one P: each is loaded for all at once
    float4 sum[G::SUMS] = {};
    float2 bias = {};
    EACH(i, numbers) {
      reinterpret_cast<float*>(shared)[i] = 0.0f;
    }
    for (int image = from; image < to; image += t.images) {
      int images = min(t.images, to - image);
      __syncthreads();
      const float* imageP = p + static_cast<int64>(image) * sizeP + t.m * G::PLACES;
      const float* imageQ = q + static_cast<int64>(image) * sizeQ + t.n * G::PLACES_Q;
      loadPlanes<G::SIDE, G::SIDE, 0>(imageP, sizeP, t.ms, images, planeP, false, shared);
      loadPlanes<G::SIDE_Q, G::WIDTH, G::PADDING>(imageQ, sizeQ, t.ns, images, planeQ, t.relu, sharedQ);
      __syncthreads();
      if (share < t.shares) {
        addWindows<G>(ownP, ownQ, images * G::SIDE, share, t.shares, sum);
      }
      if (item < biasPairs * BIAS_SLICES) {
        int pair = item % biasPairs;
        const float2* dy = t.biasOfP ? shared + pair * planeP : sharedQ + pair * planeQ;
        int places = images * (t.biasOfP ? G::PLACES : G::AREA);
        for (int e = item / biasPairs; e < places; e += BIAS_SLICES) {
          bias.x += dy[e].x;
          bias.y += dy[e].y;
        }
      }
    }
    __syncthreads();
    if (share < t.shares) {
      float* own = sums + (item - lane) * 4 * G::SUMS + lane;
#pragma unroll
      for (int k = 0; k < G::SUMS; k++) {
        own[(4 * k + 0) * t.lanes()] = sum[k].x;
        own[(4 * k + 1) * t.lanes()] = sum[k].y;
        own[(4 * k + 2) * t.lanes()] = sum[k].z;
        own[(4 * k + 3) * t.lanes()] = sum[k].w;
      }
    }
    if (item < biasPairs * BIAS_SLICES) {
      biases[item] = bias;
    }
  }
  __syncthreads();
  EACH(c, t.biases()) {
    float sum = 0.0f;
    for (int slice = 0; slice < BIAS_SLICES; slice++) {
      float2 part = biases[slice * biasPairs + c / 2];
      sum += c % 2 ? part.y : part.x;
    }
    biasSums[c] = sum;
  }
}

// Every block takes a tile and a part of the images.
extern "C" __global__ void __launch_bounds__(CONVOLUTION_THREADS, CONVOLUTION_RESIDENT) convolution_gradients(
    const ConvolutionTile* tiles, const TilePart* blocks, Planes planes, int rows, float* partial) {
  extern __shared__ double memory[];
  float2* shared = reinterpret_cast<float2*>(memory);
  TilePart own = blocks[blockIdx.x];
  ConvolutionTile t = tiles[own.tile];
  const float* p = planes.of[2 * t.convolution];
  const float* q = planes.of[2 * t.convolution + 1];
  int from = static_cast<int64>(rows) * own.part / t.parts;
  int to = static_cast<int64>(rows) * (own.part + 1) / t.parts;
  float* sums = partial + t.sums + own.part * t.shares * t.items() * 4 * t.taps * t.taps;
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
