// The planes of a tile of weights (convolution_weights.cu) in shared memory.

// What the convolutions saw, P and Q of each.
struct Planes {
  const float* of[2 * CONVOLUTIONS];
};

template <int P, int Q, int WINDOW>
struct Geometry {
  static constexpr int SIDE = P;    // of a plane of P,
  static constexpr int SIDE_Q = Q;  // and of Q
  static constexpr int TAPS = WINDOW;
  static constexpr int STRIDE = SIDE_Q > SIDE ? 2 : 1;
  static constexpr int PADDING = TAPS / 2;
  static constexpr int IMAGES = SIDE < HALVED_SIDE ? 2 : 1;  // of a pair; the halves of one are a pair too
  static constexpr int HEIGHT = SIDE * IMAGES / 2;           // of a pair
  static constexpr int HEIGHT_Q = STRIDE * (HEIGHT - 1) + TAPS;  // with what Q needs of a border,
  static constexpr int WIDTH_Q = STRIDE * (SIDE - 1) + TAPS;     // or of the other half
  static constexpr int BELOW = IMAGES == 1 ? HEIGHT : 0;         // where the other half begins
  static constexpr int SUMS = TAPS * TAPS;
  static constexpr int ROW_TILES = TAPS == 1 ? 1 : TILE_CHANNELS / 16;
  static constexpr int ROWS = 16 * ROW_TILES;               // m that products have,
  static constexpr int EIGHTS = TAPS == 1 ? 1 : ROWS / 8;  // and those of P

  using LayoutP = Layout<SIDE, HEIGHT, SIDE, 0, 1, BELOW>;
  using LayoutQ = Layout<SIDE_Q, HEIGHT_Q, WIDTH_Q, PADDING, STRIDE, STRIDE * BELOW>;

  // What lies between a window's first number and that of a tap.
  __device__ static constexpr int tap(int t) {
    int x = t % TAPS;
    return t / TAPS * WIDTH_Q + (STRIDE == 1 ? x : x % 2 * ((WIDTH_Q + 1) / 2) + x / 2);
  }
};

constexpr int DEPTH_PLACES = HALF_DEPTH / 2;  // of a product
constexpr int DECODER_WARPS = DECODER_THREADS / WARP;

// What lies in shared memory. It is worked out wherever it is needed: sums leave no registers to keep it in.
template <class G>
struct Room {
  int planeP;       // pairs of a channel of P,
  int planeQ;       // and of Q
  Pair* p;
  Pair* q;
  float* largestP;  // of every warp
  float* largestQ;
  int* begins;      // of the windows of all places

  __device__ Room(const ConvolutionTile& t, float* shared)
      : planeP(plane(t.pairs * G::LayoutP::PLACES)), planeQ(plane(t.pairs * G::LayoutQ::PLACES)) {
    p = reinterpret_cast<Pair*>(shared);
    q = p + 8 * G::EIGHTS * planeP;
    largestP = reinterpret_cast<float*>(q + t.lanes() * planeQ);
    largestQ = largestP + DECODER_WARPS;
    begins = reinterpret_cast<int*>(largestQ + DECODER_WARPS);
  }

  // Neighbouring planes begin eight banks apart.
  __device__ static int plane(int pairs) { return (pairs + 7) / 8 * 8 + 4; }
};

// What warps have: eight n each, and of the places those of a slice.
struct WarpShare {
  int n;
  int slice;
  int slices;

  __device__ explicit WarpShare(const ConvolutionTile& t) {
    int warp = threadIdx.x / WARP;
    int across = t.lanes() / 8;
    n = warp % across * 8;
    slice = warp / across;
    slices = DECODER_WARPS / across;
  }
};

__device__ inline HalfScale scaleOf(const float* ofWarps) {
  float largest = 0.0f;
  for (int i = 0; i < DECODER_WARPS; i++) {
    largest = fmaxf(largest, ofWarps[i]);
  }
  return HalfScale(largest);
}

// Clears the borders of Q, and finds where windows begin.
template <class G>
__device__ inline void prepareRoom(const ConvolutionTile& t, float* shared) {
  using P = typename G::LayoutP;
  Room<G> room(t, shared);
  EACH(i, t.lanes() * room.planeQ) {
    room.q[i] = {};
  }
  EACH(k, room.planeP) {
    int pair = k / P::PLACES;
    int y = k / G::SIDE % G::HEIGHT;
    int begin = pair * G::LayoutQ::PLACES + y * G::STRIDE * G::WIDTH_Q + k % G::SIDE;
    room.begins[k] = pair < t.pairs ? begin : 0;
  }
}

// `pairs` pairs from number `first` on.
template <class G>
__device__ inline void loadPart(
    const ConvolutionTile& t, const Planes& planes, int rows, int first, int pairs, float* shared) {
  using P = typename G::LayoutP;
  using Q = typename G::LayoutQ;
  Room<G> room(t, shared);
  int image = first * G::IMAGES;
  int images = min(pairs * G::IMAGES, rows - image);
  int sizeP = t.channelsP * P::AREA;
  int sizeQ = t.channelsQ * Q::AREA;
  const float* p = planes.of[2 * t.convolution] + static_cast<int64>(image) * sizeP + t.m * P::AREA;
  const float* q = planes.of[2 * t.convolution + 1] + static_cast<int64>(image) * sizeQ + t.n * Q::AREA;
  float largestP = loadPairs<P>(p, sizeP, t.ms, images, room.planeP, false, room.p);
  float largestQ = loadPairs<Q>(q, sizeQ, t.ns, images, room.planeQ, t.relu, room.q);
  room.largestP[threadIdx.x / WARP] = largestOfWarp(largestP);
  room.largestQ[threadIdx.x / WARP] = largestOfWarp(largestQ);
}

// Splits what was loaded; gives the factor of products.
template <class G>
__device__ inline float splitPart(const ConvolutionTile& t, int pairs, float* shared) {
  Room<G> room(t, shared);
  HalfScale scaleP = scaleOf(room.largestP);
  HalfScale scaleQ = scaleOf(room.largestQ);
  splitPairs<typename G::LayoutP>(t.ms, pairs, room.planeP, scaleP.scale, room.p);
  splitPairs<typename G::LayoutQ>(t.ns, pairs, room.planeQ, scaleQ.scale, room.q);
  return scaleP.inverse * scaleQ.inverse;
}
