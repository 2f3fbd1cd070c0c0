// A convolution of one image by one block, which waits for nobody: the next one may read what it wrote.
struct ImageConvolution : ConvolutionTensors {
  int channels;
  int outputs;
  bool relu;                                 // of x and of y
  unsigned short* toSeen = nullptr;          // where every thread says which numbers of x are positive, if it does
  const unsigned short* fromSeen = nullptr;  // where it said so of planes like y: a mask

  __device__ ImageConvolution(const ConvolutionTensors& tensors, int channels, int outputs, bool relu)
      : ConvolutionTensors(tensors), channels(channels), outputs(outputs), relu(relu) {}

  // What the block's image has of planes.
  template <class T>
  __device__ static T* image(T* planes, int channels, int area) {
    return planes ? planes + static_cast<int64>(blockIdx.x) * channels * area : nullptr;
  }

  // Products that the channels of one input take.
  __device__ int depths() const { return (channels + HALF_DEPTH - 1) / HALF_DEPTH; }
};

// What threads say of the x of a convolution, [convolution][image][thread].
template <class T>
__device__ inline T* seenBy(int convolution, T* seen) {
  return seen ? seen + static_cast<int64>(convolution) * gridDim.x * IMAGE_THREADS : nullptr;
}

// What the warps of a block have: parts of the places, groups of channels of the output and, where warps are left, every
// slices-th sixteen of the input's channels.
template <class G>
struct ImageCut {
  int groups;
  int slices;
  int across;  // this warp's
  int group;
  int slice;

  __device__ explicit ImageCut(const ImageConvolution& c) {
    groups = (G::OUTPUTS * c.outputs + G::CHANNELS - 1) / G::CHANNELS;
    slices = min(IMAGE_WARPS / G::ACROSS / groups, G::INPUTS * c.depths());
    int warp = threadIdx.x / WARP;
    across = warp % G::ACROSS;
    group = warp / G::ACROSS % groups;
    slice = warp / G::ACROSS / groups;
  }
};

// Sixteen terms of sixteen channels of the output, as prepare_convolutions.cu has prepared them for a lane.
struct PairOfTiles {
  uint4 high;
  uint4 low;

  __device__ void read(const uint4* w) {
    high = w[0];
    low = w[WARP];
  }
};

constexpr int PLACE_BYTES = sizeof(uint4);

// What a warp sums: some places of some channels of the output, over some of the input's. Weights of some taps are
// asked for before they are needed, since they come from the second-level cache.
template <class G>
struct ImageSum {
  static constexpr int PAIRS = G::TILES / 2;
  static constexpr int OF_TAP = 2 * WARP;
  static constexpr int OF_DEPTH = WEIGHTS * OF_TAP;

  ImageCut<G> cut;
  int depths;
  const uint4* w;
  PairOfTiles ahead[G::AHEAD][PAIRS];
  float of[G::CORNERS][G::SIXTEENS][G::TILES][A_NUMBERS];

  __device__ explicit ImageSum(const ImageConvolution& c) : cut(c), depths(G::INPUTS * c.depths()) {
    int first = idle() ? 0 : cut.group * PAIRS * depths + cut.slice;
    w = reinterpret_cast<const uint4*>(c.weights) + first * OF_DEPTH + threadIdx.x % WARP;
#pragma unroll
    for (int i = 0; i < G::AHEAD; i++) {
      ask(i, w);
    }
  }

  __device__ bool idle() const { return cut.slice >= cut.slices; }

  // For the i-th tap of the depth that begins there.
  __device__ void ask(int i, const uint4* depth) {
    const uint4* from = depth + G::tap(i) * OF_TAP;
#pragma unroll
    for (int pair = 0; pair < PAIRS; pair++) {
      ahead[i % G::AHEAD][pair].read(from + pair * depths * OF_DEPTH);
    }
  }

  __device__ int firstPlace() const { return cut.across * 16 * G::SIXTEENS; }

  __device__ void add(const uint4* planes) {
    int lane = threadIdx.x % WARP;
    RowAddress rows[G::SIXTEENS];
#pragma unroll
    for (int m = 0; m < G::SIXTEENS; m++) {
      int begin = G::begin(min(firstPlace() + 16 * m + lane % 16, G::PLACES - 1));
      rows[m] = rowAddress(planes + (4 * cut.slice + lane / 16 * 2) * G::PLANE + begin);
    }
#pragma unroll
    for (int e = 0; e < G::CORNERS * G::SIXTEENS * G::TILES * A_NUMBERS; e++) {
      (&of[0][0][0][0])[e] = 0.0f;
    }
    for (int depth = cut.slice; depth < depths; depth += cut.slices) {
      const uint4* next = depth + cut.slices < depths ? w + cut.slices * OF_DEPTH : w;
      HalfWords<A_NUMBERS> a[G::SIXTEENS];
#pragma unroll(G::SPREAD ? WINDOW : 1)
      for (int y = 0; y < WINDOW; y++) {
#pragma unroll
        for (int x = 0; x < WINDOW; x++) {
          int i = WINDOW * y + x;
          int tap = G::tap(i);
          if (!G::SPREAD || i == 0 || G::offset(tap) != G::offset(G::tap(i - 1))) {
#pragma unroll
            for (int m = 0; m < G::SIXTEENS; m++) {
              RowAddress row = rows[m] + PLACE_BYTES * (G::SPREAD ? G::offset(tap) : G::at(y, x));
              loadRows(a[m].high, row);
              loadRows(a[m].low, row + PLACE_BYTES * G::PLANE);
            }
          }
          PairOfTiles own[PAIRS];
#pragma unroll
          for (int pair = 0; pair < PAIRS; pair++) {
            own[pair] = ahead[x % G::AHEAD][pair];
          }
          ask((i + G::AHEAD) % WEIGHTS, i + G::AHEAD < WEIGHTS ? w : next);
          addTap(a, own, of[G::corner(tap)]);
        }
      }
      w = next;
#pragma unroll
      for (int m = 0; m < G::SIXTEENS; m++) {
        rows[m] += 4 * cut.slices * G::PLANE * PLACE_BYTES;
      }
    }
  }

  __device__ static void addTap(
      const HalfWords<A_NUMBERS>* a, const PairOfTiles* weights, float (*to)[G::TILES][A_NUMBERS]) {
#pragma unroll
    for (int e = 0; e < PAIRS * 2 * G::SIXTEENS; e++) {
      int m = e % G::SIXTEENS;
      int n = e / G::SIXTEENS;
      const uint4& high = weights[n / 2].high;
      const uint4& low = weights[n / 2].low;
      HalfWords<B_NUMBERS> b = {
          {n % 2 == 0 ? high.x : high.z, n % 2 == 0 ? high.y : high.w},
          {n % 2 == 0 ? low.x : low.z, n % 2 == 0 ? low.y : low.w}};
      float part[A_NUMBERS];
      multiplyHalves(part, a[m], b);
#pragma unroll
      for (int k = 0; k < A_NUMBERS; k++) {
        to[m][n][k] += part[k];
      }
    }
  }

  // To shared memory, [slice][output][corner][place].
  __device__ void put(float* sums) const {
    int lane = threadIdx.x % WARP;
    float* to = sums + ((cut.slice * cut.groups + cut.group) * G::CHANNELS + lane % 4 * 2) * G::PITCH;
#pragma unroll
    for (int e = 0; e < G::CORNERS * G::SIXTEENS * G::TILES * A_NUMBERS; e++) {
      int corner = e / (G::SIXTEENS * G::TILES * A_NUMBERS);
      int m = e / (G::TILES * A_NUMBERS) % G::SIXTEENS;
      int n = e / A_NUMBERS % G::TILES;
      int i = e % A_NUMBERS;
      int place = firstPlace() + 16 * m + i / 2 * 8 + lane / 4;
      if (place < G::PLACES) {
        to[(8 * n + i % 2) * G::PITCH + corner * G::PLACES + place] = of[corner][m][n][i];
      }
    }
  }
};
