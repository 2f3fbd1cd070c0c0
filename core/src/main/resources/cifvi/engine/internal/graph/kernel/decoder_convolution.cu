// A convolution of the large decoder (convolution_tensors.cuh) for a whole batch. A block takes a tile of places
// (places.cuh): `across` warps beside each other have WARP_PLACES each, `groups` times as many have N channels of the output
// each, and those that share both have every slices-th eight of k. What slices give is added up in fixed order.
struct ConvolutionArguments : ConvolutionTensors {
  int rows;
  int channels;
  int outputs;
  int relu;  // of x and of y
  int across;
  int groups;
  int slices;
  int staged;  // channels in shared memory at once

  __device__ int outputsOfBoth() const { return other ? 2 * outputs : outputs; }

  __device__ int eights() const { return (channels + 7) / 8; }

  __device__ int eightsOfBoth() const { return second ? 2 * eights() : eights(); }
};

// What a warp has of a block's work.
struct Share {
  int across;
  int group;
  int slice;

  __device__ explicit Share(const ConvolutionArguments& a) {
    int warp = threadIdx.x / WARP;
    across = warp % a.across;
    group = warp / a.across % a.groups;
    slice = warp / a.across / a.groups;
  }
};

// Numbers of an output in shared memory, so that neighbours begin four banks apart, and of one of its corners.
template <class G>
__device__ inline int cornerPitch(const G& g) {
  return G::SPREAD ? g.places + 16 : g.places;
}

template <class G>
__device__ inline int pitch(const G& g) {
  return G::CORNERS * cornerPitch(g) + 4;
}

// Leaves the sums of a block at `sums`, [slice][output][corner][place], where x lay before.
template <class G>
__device__ inline void sumPlaces(const ConvolutionArguments& a, const G& g, int tile, int group, float* shared) {
  int lane = threadIdx.x % WARP;
  Share share(a);
  WindowRows<G> rows(g, tile, share.across * WARP_PLACES + lane / 4);
  float sums[G::CORNERS][ROW_TILES][G::TILES][A_NUMBERS] = {};
  int pairs = G::TILES / 2;
  int stride = a.eightsOfBoth() * WEIGHTS * WARP;  // between the weights of two pairs of tiles
  const float4* own = a.weights + (group + share.group) * pairs * stride + lane;
  bool some = (group + share.group) * G::N < a.outputsOfBoth();
  for (int k = 0; k < a.eightsOfBoth(); k += a.eights()) {
    for (int first = 0; first < a.channels; first += a.staged) {
      int count = min(a.staged, a.channels - first);
      __syncthreads();
      stageChannels<G>(g, k ? a.second : a.x, a.channels, first, count, tile, a.rows, a.relu, shared);
      __syncthreads();
      for (int eight = share.slice; some && eight < (count + 7) / 8; eight += a.slices) {
        const float* seen = shared + (8 * eight + lane % 4) * g.plane;
        const float4* w = own + (k + first / 8 + eight) * WEIGHTS * WARP;
        if constexpr (G::SPREAD) {
          addSpread<G>(g, seen, 4 * g.plane, rows, w, stride, sums);
        } else {
          addGathered<G>(g, seen, 4 * g.plane, rows, w, stride, sums);
        }
      }
    }
  }
  __syncthreads();
  int output = (share.slice * a.groups + share.group) * G::N + lane % 4 * 2;
  float* to = shared + output * pitch(g) + share.across * WARP_PLACES + lane / 4;
#pragma unroll
  for (int e = 0; e < G::CORNERS * ROW_TILES * G::TILES * A_NUMBERS; e++) {
    int corner = e / (ROW_TILES * G::TILES * A_NUMBERS);
    int m = e / (G::TILES * A_NUMBERS) % ROW_TILES;
    int n = e / A_NUMBERS % G::TILES;
    int i = e % A_NUMBERS;
    to[(8 * n + i % 2) * pitch(g) + corner * cornerPitch(g) + 16 * m + i / 2 * 8] = sums[corner][m][n][i];
  }
}

// Outputs that a thread writes at once, after it has waited for all that they need.
constexpr int WRITTEN_AT_ONCE = 4;

// Adds slices up, and makes a place of every step-th output from `first` on of them.
__device__ inline void writeSome(
    const ConvolutionArguments& a, int64 place, int area, int first, int end, int step, const float* sums, int apart,
    int slice) {
  float bias[WRITTEN_AT_ONCE];
  float kept[WRITTEN_AT_ONCE];
  bool seen[WRITTEN_AT_ONCE];
#pragma unroll
  for (int i = 0; i < WRITTEN_AT_ONCE; i++) {
    int n = min(first + i * step, end - 1);
    bool own = n < a.outputs;
    int64 at = place + static_cast<int64>(n) * area;
    bias[i] = (own && a.bias ? a.bias[n] : 0.0f) + (own && a.secondBias ? a.secondBias[n] : 0.0f);
    kept[i] = own && a.residual ? a.residual[at] : 0.0f;
    seen[i] = !own || !a.mask || a.mask[at] > 0;
  }
#pragma unroll
  for (int i = 0; i < WRITTEN_AT_ONCE; i++) {
    int n = first + i * step;
    if (n >= end) {
      return;
    }
    float value = 0.0f;
    for (int s = 0; s < a.slices; s++) {
      value += sums[i * apart + s * slice];
    }
    if (n >= a.outputs) {
      a.other[place + static_cast<int64>(n - a.outputs) * area] = value;
      continue;
    }
    value = (seen[i] ? value : 0.0f) + (bias[i] + kept[i]);
    a.y[place + static_cast<int64>(n) * area] = a.relu && value < 0 ? 0.0f : value;
  }
}

// Writes what a block has summed.
template <class G>
__device__ inline void writePlaces(const ConvolutionArguments& a, const G& g, int tile, int group, const float* sums) {
  int area = g.out * g.out;
  int first = group * G::N;
  int outputs = min(a.groups * G::N, a.outputsOfBoth() - first);
  int slice = a.groups * G::N * pitch(g);
  constexpr int BESIDE = G::SPREAD ? 2 : 1;  // places of a row of the output for one of the grid
  int wide = BESIDE * g.places;
  int step = max(1, static_cast<int>(blockDim.x) / wide);
  for (int e = threadIdx.x % wide; e < wide; e += blockDim.x) {
    int local = e / BESIDE;
    int place = tile * g.places + local;
    int image = place / (g.side * g.side);
    int inImage = place - image * g.side * g.side;
    int y = inImage / g.side;
    int column = BESIDE * (inImage - y * g.side) + e % BESIDE;
#pragma unroll
    for (int below = 0; below < BESIDE; below++) {
      int row = BESIDE * y + below;
      if (image >= a.rows || row >= g.out || column >= g.out) {
        continue;
      }
      int64 at = static_cast<int64>(image) * a.outputs * area + row * g.out + column;
      const float* sum = sums + (BESIDE * below + e % BESIDE) * cornerPitch(g) + local;
      for (int n = threadIdx.x / wide; n < outputs; n += WRITTEN_AT_ONCE * step) {
        writeSome(a, at, area, first + n, first + outputs, step, sum + n * pitch(g), step * pitch(g), slice);
      }
    }
  }
}

template <class G>
__device__ inline void convolve(const ConvolutionArguments& a, int in, int out, float* shared) {
  G g(in, out, WARP_PLACES * a.across);
  int groupBlocks = ((a.outputsOfBoth() + G::N - 1) / G::N + a.groups - 1) / a.groups;
  int tile = blockIdx.x / groupBlocks;
  int group = (blockIdx.x - tile * groupBlocks) * a.groups;
  sumPlaces(a, g, tile, group, shared);
  __syncthreads();
  writePlaces(a, g, tile, group, shared);
}

// From images of side `in` to those of side `out`.
extern "C" __global__ void __launch_bounds__(DECODER_THREADS, DECODER_RESIDENT) convolve_planes(
    int in, int out, ConvolutionTensors tensors, int rows, int channels, int outputs, int relu, int across,
    int groups, int slices, int staged) {
  extern __shared__ double memory[];
  ConvolutionArguments a{tensors, rows, channels, outputs, relu, across, groups, slices, staged};
  float* shared = reinterpret_cast<float*>(memory);
  if (in > out) {
    convolve<Grid<2, false>>(a, in, out, shared);
  } else if (in < out) {
    convolve<Grid<1, true>>(a, in, out, shared);
  } else {
    convolve<Grid<1, false>>(a, in, out, shared);
  }
}
