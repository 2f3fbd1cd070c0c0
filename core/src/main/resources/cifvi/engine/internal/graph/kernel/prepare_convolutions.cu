// Weights of convolutions in the order in which lanes need them for their products, a block a part of a job.

// A part of a convolution's weights, for the places [n / 16][k / DEPTH][tap][lane] from `target` on, n the channel of the
// output. What is behind the last k is left as it is, zero.
struct ConvolutionJob {
  int source;   // place of the weight
  int strideN;  // between neighbouring n, there
  int strideK;
  int flip;     // whether windows are turned round
  int ns;       // how many of them
  int ks;
  int n;        // the first here
  int k;        // a multiple of the depth of a product
  int depths;   // of all k, with those of other jobs
  int target;

  __device__ const float* from(const float* weights, int n, int k) const {
    return weights + source + n * strideN + k * strideK;
  }

  __device__ int tap(int t) const { return flip ? WEIGHTS - 1 - t : t; }

  // Does something for every n and every count-th k; neighbours read what lies side by side.
  template <class F>
  __device__ void each(int count, F f) const {
    int part = blockIdx.x % CONVOLUTION_PARTS;
    int counts = (ks + count - 1) / count;
    for (int e = part * blockDim.x + threadIdx.x; e < ns * counts; e += CONVOLUTION_PARTS * blockDim.x) {
      if (strideN < strideK) {
        f(e % ns, e / ns * count);
      } else {
        f(e / counts, e % counts * count);
      }
    }
  }
};

// For matrix.cuh, four numbers a lane: of two tiles of eight n each, (k, n) with k = lane % 4 and 4 more, n = lane / 4.
extern "C" __global__ void prepare_convolutions(const ConvolutionJob* jobs, const float* weights, float* prepared) {
  ConvolutionJob job = jobs[blockIdx.x / CONVOLUTION_PARTS];
  job.each(1, [&](int n, int k) {
    const float* from = job.from(weights, n, k);
    int toN = job.n + n;
    int toK = job.k + k;
    int lane = toN % 8 * 4 + toK % 4;
    int number = toN / 8 % 2 * 2 + toK / 4 % 2;
    float* to = prepared + job.target + ((toN / 16 * job.depths + toK / DEPTH) * WEIGHTS * WARP + lane) * 4 + number;
#pragma unroll
    for (int t = 0; t < WEIGHTS; t++) {
      to[t * WARP * 4] = from[job.tap(t)];
    }
  });
}

// For half_matrix.cuh, [high, low] in front of the lane and four words a lane: of two tiles, k = 2 (lane % 4), with its
// neighbour, and eight more.
extern "C" __global__ void prepare_image_convolutions(
    const ConvolutionJob* jobs, const float* weights, unsigned* prepared) {
  ConvolutionJob job = jobs[blockIdx.x / CONVOLUTION_PARTS];
  job.each(2, [&](int n, int k) {
    const float* from = job.from(weights, n, k);
    bool two = k + 1 < job.ks;
    int toN = job.n + n;
    int toK = job.k + k;
    int lane = toN % 8 * 4 + toK % 8 / 2;
    int number = toN / 8 % 2 * 2 + toK / 8 % 2;
    int place = (toN / 16 * job.depths + toK / HALF_DEPTH) * WEIGHTS * 2 * WARP + lane;
    unsigned* to = prepared + job.target + place * 4 + number;
#pragma unroll
    for (int t = 0; t < WEIGHTS; t++) {
      int tap = job.tap(t);
      TwoHalves words = split(WEIGHT_SCALE * from[tap], two ? WEIGHT_SCALE * from[tap + job.strideK] : 0.0f);
      to[2 * t * WARP * 4] = words.high;
      to[(2 * t + 1) * WARP * 4] = words.low;
    }
  });
}
