// A convolution of one image by one block, which waits for nobody: the next one may read what it wrote.
struct ImageConvolution : ConvolutionTensors {
  int channels;
  int outputs;
  bool relu;  // of x and of y

  __device__ ImageConvolution(const ConvolutionTensors& tensors, int channels, int outputs, bool relu)
      : ConvolutionTensors(tensors), channels(channels), outputs(outputs), relu(relu) {}

  __device__ int outputsOfBoth() const { return other ? 2 * outputs : outputs; }

  __device__ int eights() const { return (channels + 7) / 8; }

  __device__ int eightsOfBoth() const { return second ? 2 * eights() : eights(); }
};

// What the warps of a block have: parts of the places, groups of channels of the output, as many as there are warps for,
// and, where warps are left, every slices-th eight of the input's channels.
template <class G>
struct ImageCut {
  int groups;
  int slices;
  int across;  // this warp's
  int group;
  int slice;

  __device__ explicit ImageCut(const ImageConvolution& c) {
    constexpr int WARPS_OF_PLACES = IMAGE_WARPS / G::ACROSS;
    int all = (c.outputsOfBoth() + G::CHANNELS - 1) / G::CHANNELS;
    groups = min(all, WARPS_OF_PLACES);
    slices = min(WARPS_OF_PLACES / groups, c.eightsOfBoth());
    int warp = threadIdx.x / WARP;
    across = warp % G::ACROSS;
    group = warp / G::ACROSS % groups;
    slice = warp / G::ACROSS / groups;
  }
};

// Numbers that a thread waits for at once, of x and of the output.
constexpr int READ_AT_ONCE = 8;
constexpr int WRITTEN_OF_IMAGE = 4;

// All channels of an image to shared memory, [channel][PLANE], with zeros around them and behind the last one.
template <class G>
__device__ inline void stageImage(const float* x, int channels, bool relu, float* to) {
  int all = (channels + 7) / 8 * 8 * G::PLANE;
  for (int begin = threadIdx.x; begin < all; begin += READ_AT_ONCE * blockDim.x) {
    float v[READ_AT_ONCE];
#pragma unroll
    for (int i = 0; i < READ_AT_ONCE; i++) {
      unsigned e = begin + i * blockDim.x;
      unsigned c = e / G::PLANE;
      unsigned inPlane = e % G::PLANE;
      int y = static_cast<int>(inPlane / G::WIDTH) - 1;
      int column = G::columnAt(inPlane % G::WIDTH) - 1;
      bool there = c < channels && y >= 0 && y < G::IN && column >= 0 && column < G::IN;
      v[i] = there ? x[c * G::AREA_IN + y * G::IN + column] : 0.0f;
    }
#pragma unroll
    for (int i = 0; i < READ_AT_ONCE; i++) {
      int e = begin + i * blockDim.x;
      if (e < all) {
        to[e] = relu && v[i] < 0 ? 0.0f : v[i];
      }
    }
  }
}

// Taps whose weights a warp has asked for before it needs them: they come from the second-level cache.
constexpr int AHEAD = 3;

// Leaves the sums of some groups of channels at `sums`, [slice][output][corner][place].
template <class G>
__device__ inline void sumImage(
    const ImageConvolution& c, const ImageCut<G>& cut, int firstGroup, const float* x, float* sums) {
  constexpr int PAIRS = G::TILES / 2;
  int lane = threadIdx.x % WARP;
  int eights = c.eightsOfBoth();
  int stride = eights * WEIGHTS * WARP;  // between the weights of two pairs of tiles
  int group = firstGroup + cut.group;
  if (cut.slice >= cut.slices || group * G::CHANNELS >= c.outputsOfBoth()) {
    return;
  }
  int first = cut.across * 16 * G::SIXTEENS + lane / 4;
  int begins[2 * G::SIXTEENS];
#pragma unroll
  for (int i = 0; i < 2 * G::SIXTEENS; i++) {
    begins[i] = lane % 4 * G::PLANE + G::begin(min(first + 8 * i, G::PLACES - 1));
  }
  const float4* w = c.weights + group * PAIRS * stride + cut.slice * WEIGHTS * WARP + lane;
  float4 ahead[AHEAD][PAIRS];
#pragma unroll
  for (int i = 0; i < AHEAD; i++) {
#pragma unroll
    for (int pair = 0; pair < PAIRS; pair++) {
      ahead[i][pair] = w[pair * stride + G::tap(i) * WARP];
    }
  }
  float sum[G::CORNERS][G::SIXTEENS][G::TILES][A_NUMBERS] = {};
  for (int eight = cut.slice; eight < eights; eight += cut.slices) {
    const float* plane = x + 8 * eight * G::PLANE;
    const float4* next = eight + cut.slices < eights ? w + cut.slices * WEIGHTS * WARP : w;
    Halves<A_NUMBERS * G::SIXTEENS> a;
#pragma unroll
    for (int i = 0; i < WEIGHTS; i++) {
      if (i == 0 || G::offset(G::tap(i)) != G::offset(G::tap(i - 1))) {
#pragma unroll
        for (int m = 0; m < 2 * G::SIXTEENS; m++) {
          const float* at = plane + begins[m] + G::offset(G::tap(i));
          a.set(m / 2 * A_NUMBERS + m % 2, at[0]);
          a.set(m / 2 * A_NUMBERS + m % 2 + 2, at[4 * G::PLANE]);
        }
      }
      Halves<B_NUMBERS * G::TILES> b;
      const float4* later = i + AHEAD < WEIGHTS ? w : next;
#pragma unroll
      for (int pair = 0; pair < PAIRS; pair++) {
        float4 four = ahead[i % AHEAD][pair];
        b.set(4 * pair, four.x);
        b.set(4 * pair + 1, four.y);
        b.set(4 * pair + 2, four.z);
        b.set(4 * pair + 3, four.w);
        ahead[i % AHEAD][pair] = later[pair * stride + G::tap((i + AHEAD) % WEIGHTS) * WARP];
      }
      multiply<G::SIXTEENS, G::TILES>(sum[G::corner(G::tap(i))], a, b);
    }
    w = next;
  }
  float* to = sums + ((cut.slice * cut.groups + cut.group) * G::CHANNELS + lane % 4 * 2) * G::PITCH;
#pragma unroll
  for (int e = 0; e < G::CORNERS * G::SIXTEENS * G::TILES * A_NUMBERS; e++) {
    int corner = e / (G::SIXTEENS * G::TILES * A_NUMBERS);
    int m = e / (G::TILES * A_NUMBERS) % G::SIXTEENS;
    int n = e / A_NUMBERS % G::TILES;
    int i = e % A_NUMBERS;
    int place = first + 16 * m + i / 2 * 8;
    if (place < G::PLACES) {
      to[(8 * n + i % 2) * G::PITCH + corner * G::PLACES + place] = sum[corner][m][n][i];
    }
  }
}

// Adds slices up, and writes the places of all channels that a block has summed.
template <class G>
__device__ inline void writeImage(
    const ImageConvolution& c, const ImageCut<G>& cut, int firstGroup, int64 image, const float* sums) {
  int firstOutput = firstGroup * G::CHANNELS;
  int all = min(cut.groups * G::CHANNELS, c.outputsOfBoth() - firstOutput) * G::AREA_OUT;
  int slice = cut.groups * G::CHANNELS * G::PITCH;
  int64 own = image * c.outputs * G::AREA_OUT;
  for (int begin = threadIdx.x; begin < all; begin += WRITTEN_OF_IMAGE * blockDim.x) {
    float bias[WRITTEN_OF_IMAGE];
    float kept[WRITTEN_OF_IMAGE];
    bool seen[WRITTEN_OF_IMAGE];
#pragma unroll
    for (int i = 0; i < WRITTEN_OF_IMAGE; i++) {
      unsigned e = min(begin + i * static_cast<int>(blockDim.x), all - 1);
      int n = firstOutput + e / G::AREA_OUT;
      int64 at = own + firstOutput * G::AREA_OUT + e;
      bool first = n < c.outputs;
      bias[i] = (first && c.bias ? c.bias[n] : 0.0f) + (first && c.secondBias ? c.secondBias[n] : 0.0f);
      kept[i] = first && c.residual ? c.residual[at] : 0.0f;
      seen[i] = !first || !c.mask || c.mask[at] > 0;
    }
#pragma unroll
    for (int i = 0; i < WRITTEN_OF_IMAGE; i++) {
      unsigned e = begin + i * blockDim.x;
      if (e >= all) {
        return;
      }
      const float* sum = sums + e / G::AREA_OUT * G::PITCH + G::sum(e % G::AREA_OUT);
      float value = 0.0f;
      for (int s = 0; s < cut.slices; s++) {
        value += sum[s * slice];
      }
      int n = firstOutput + e / G::AREA_OUT;
      int64 at = own + firstOutput * G::AREA_OUT + e;
      if (n >= c.outputs) {
        c.other[at - c.outputs * G::AREA_OUT] = value;
        continue;
      }
      value = (seen[i] ? value : 0.0f) + (bias[i] + kept[i]);
      c.y[at] = c.relu && value < 0 ? 0.0f : value;
    }
  }
}

// `shared` has x of all channels, and behind them the sums.
template <class G>
__device__ inline void convolveImage(const ImageConvolution& c, float* shared) {
  int64 image = blockIdx.x;
  int64 size = image * c.channels * G::AREA_IN;
  float* sums = shared + 8 * c.eightsOfBoth() * G::PLANE;
  ImageCut<G> cut(c);
  stageImage<G>(c.x + size, c.channels, c.relu, shared);
  if (c.second) {
    stageImage<G>(c.second + size, c.channels, false, shared + 8 * c.eights() * G::PLANE);
  }
  for (int group = 0; group * G::CHANNELS < c.outputsOfBoth(); group += cut.groups) {
    __syncthreads();
    sumImage<G>(c, cut, group, shared, sums);
    __syncthreads();
    writeImage<G>(c, cut, group, image, sums);
  }
  __syncthreads();
}
