// A convolution of the large decoder, or the gradient of what one saw, for a whole batch:
//
//   y = relu?([mask > 0] Σ_k w[k] * relu?(x[k]) + b + residual)
//
// with k over the channels of x and of `second`, which has as many; channels of the output behind the first `outputs`
// go to `other`, without a mask. A warp takes a tile of strips (strips.cuh), N channels of the output and every
// slices-th k; the warps of a block have `groups` times N channels. What slices give is added up in fixed order.
struct ConvolutionTensors {
  const float* x;
  const float* second;
  const float* weights;  // [output / N][k][tap][N]
  const float* bias;
  const float* secondBias;
  const float* mask;
  const float* residual;
  float* y;
  float* other;
};

struct ConvolutionArguments : ConvolutionTensors {
  int rows;
  int channels;
  int outputs;
  int reluBefore;
  int reluAfter;
  int slices;
  int groups;

  __device__ int outputsOfBoth() const { return other ? 2 * outputs : outputs; }

  __device__ int channelsOfBoth() const { return second ? 2 * channels : channels; }
};

// The sums of a block's strips and outputs, [slice][output][strip][PITCH].
template <class G>
__device__ inline void sumStrips(
    const ConvolutionArguments& a, int tile, int group, float* staged, float* weights, float* sums) {
  constexpr int CHANNEL = WEIGHTS * G::N;
  int groups = min(a.groups, (a.outputsOfBoth() + G::N - 1) / G::N - group);
  for (int first = 0; first < STRIPS * a.slices * a.groups; first += blockDim.x) {
    int item = first + threadIdx.x;
    int own = item / STRIPS % a.groups;
    int slice = item / STRIPS / a.groups;
    StripRows<G> rows(item % STRIPS, tile);
    float sum[G::SUMS][G::N] = {};
    for (int k = 0; k < a.channelsOfBoth(); k += a.channels) {
      for (int c = 0; c < a.channels; c += STAGED_CHANNELS) {
        int count = min(STAGED_CHANNELS, a.channels - c);
        __syncthreads();
        stageChannels<G>(k ? a.second : a.x, a.channels, c, count, tile, a.rows, a.reluBefore, staged);
        int size = count * CHANNEL / 4;
        EACH(e, groups * size) {
          int g = e / size;
          const float* from = a.weights + ((group + g) * a.channelsOfBoth() + k + c) * CHANNEL;
          reinterpret_cast<float4*>(weights + g * STAGED_CHANNELS * CHANNEL)[e - g * size] =
              reinterpret_cast<const float4*>(from)[e - g * size];
        }
        __syncthreads();
        if (slice < a.slices && own < groups) {
          for (int i = slice; i < count; i += a.slices) {
            const float* w = weights + (own * STAGED_CHANNELS + i) * CHANNEL;
            if constexpr (G::SPREAD) {
              addSpread<G>(staged + i * G::PLANE, rows, w, sum);
            } else {
              addGathered<G>(staged + i * G::PLANE, rows, w, sum);
            }
          }
        }
      }
    }
    if (slice < a.slices && own < groups) {
      float* to = sums + (slice * a.groups + own) * G::TILE + item % STRIPS * G::PITCH;
#pragma unroll
      for (int n = 0; n < G::N; n++) {
#pragma unroll
        for (int i = 0; i < G::SUMS; i++) {
          to[n * STRIPS * G::PITCH + i] = sum[i][n];
        }
      }
    }
  }
}

// Adds slices up and makes the output of them. `begins` gets where the strips begin in a channel of their image.
template <class G>
__device__ inline void writeStrips(const ConvolutionArguments& a, int tile, int group, const float* sums, int* begins) {
  constexpr int AREA = G::OUT * G::OUT;
  constexpr int LINE = G::SPREAD ? 2 * G::LENGTH : G::LENGTH;  // places of a row of the output
  constexpr int LINES = G::SUMS / LINE;
  int outputs = min(a.groups * G::N, a.outputsOfBoth() - group * G::N);
  int image = tile * G::ROWS / G::SIDE;
  EACH(strip, STRIPS) {
    int row = tile * G::ROWS + strip / G::PER_ROW;
    int own = row / G::SIDE;
    int y = (row - own * G::SIDE) * LINES;
    begins[strip] = own < a.rows ? ((own - image) * a.outputs * G::OUT + y) * G::OUT + strip % G::PER_ROW * LINE : -1;
  }
  __syncthreads();
#pragma unroll 4
  EACH(e, outputs * STRIPS * G::SUMS) {
    int strip = e / G::SUMS % STRIPS;
    int n = e / (STRIPS * G::SUMS);
    int i = e % G::SUMS;
    int begin = begins[strip];
    bool inside = begin >= 0;
    if constexpr (LINES * G::SIDE > G::OUT) {
      inside = inside && begin % AREA / G::OUT + i / LINE < G::OUT && i % LINE < G::OUT;
    }
    if (!inside) {
      continue;
    }
    const float* own = sums + (n * STRIPS + strip) * G::PITCH + i;
    float value = 0.0f;
    for (int slice = 0; slice < a.slices; slice++) {
      value += own[slice * a.groups * G::TILE];
    }
    int output = group * G::N + n;
    bool behind = output >= a.outputs;
    int64 at = (static_cast<int64>(image) * a.outputs + output - behind * a.outputs) * AREA + begin +
               i / LINE * G::OUT + i % LINE;
    if (behind) {
      a.other[at] = value;
      continue;
    }
    if (a.mask && !(a.mask[at] > 0)) {
      value = 0.0f;
    }
    value += (a.bias ? a.bias[output] : 0.0f) + (a.secondBias ? a.secondBias[output] : 0.0f) +
             (a.residual ? a.residual[at] : 0.0f);
    a.y[at] = a.reluAfter && value < 0 ? 0.0f : value;
  }
}

template <class G>
__device__ inline void convolveStrips(const ConvolutionArguments& a, float* shared) {
  int groupBlocks = ((a.outputsOfBoth() + G::N - 1) / G::N + a.groups - 1) / a.groups;
  int tile = blockIdx.x / groupBlocks;
  int group = (blockIdx.x - tile * groupBlocks) * a.groups;
  float* staged = shared;
  float* weights = staged + STAGED_CHANNELS * G::PLANE;
  float* sums = weights + a.groups * STAGED_CHANNELS * WEIGHTS * G::N;
  EACH(i, STAGED_CHANNELS * G::PLANE) {
    staged[i] = 0.0f;
  }
  sumStrips<G>(a, tile, group, staged, weights, sums);
  __syncthreads();
  writeStrips<G>(a, tile, group, sums, reinterpret_cast<int*>(staged));
}

// Plain convolutions, and those with stride 2, which take the gradient back through a transposed one.
extern "C" __global__ void __launch_bounds__(GATHERED_THREADS, GATHERED_RESIDENT) convolve_planes(
    int sides, ConvolutionTensors tensors, int rows, int channels, int outputs, int reluBefore, int reluAfter,
    int slices, int groups) {
  extern __shared__ double memory[];
  ConvolutionArguments a{tensors, rows, channels, outputs, reluBefore, reluAfter, slices, groups};
  float* shared = reinterpret_cast<float*>(memory);
  switch (sides) {
    case 404: convolveStrips<Strips<4, 4, 4, GATHERED_CHANNELS>>(a, shared); break;
    case 704: convolveStrips<Strips<4, 7, 4, GATHERED_CHANNELS>>(a, shared); break;
    case 707: convolveStrips<Strips<7, 7, 7, GATHERED_CHANNELS>>(a, shared); break;
    case 1407: convolveStrips<Strips<7, 14, 7, GATHERED_CHANNELS>>(a, shared); break;
    case 1414: convolveStrips<Strips<14, 14, 14, GATHERED_CHANNELS>>(a, shared); break;
    case 2814: convolveStrips<Strips<14, 28, 14, GATHERED_CHANNELS>>(a, shared); break;
  }
}

// Transposed convolutions with stride 2.
extern "C" __global__ void __launch_bounds__(SPREAD_THREADS, SPREAD_RESIDENT) convolve_transposed(
    int sides, ConvolutionTensors tensors, int rows, int channels, int outputs, int reluBefore, int reluAfter,
    int slices, int groups) {
  extern __shared__ double memory[];
  ConvolutionArguments a{tensors, rows, channels, outputs, reluBefore, reluAfter, slices, groups};
  float* shared = reinterpret_cast<float*>(memory);
  switch (sides) {
    case 407: convolveStrips<Strips<4, 4, 7, SPREAD_CHANNELS>>(a, shared); break;
    case 714: convolveStrips<Strips<7, 7, 14, SPREAD_CHANNELS>>(a, shared); break;
    case 1428: convolveStrips<Strips<14, 14, 28, SPREAD_CHANNELS>>(a, shared); break;
  }
}
