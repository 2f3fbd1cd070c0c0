// What the decoder's convolutions need before them, and the likelihood behind them.

// A part of a convolution's weights in the order in which lanes need them for their products (matrix.cuh),
// [n / 16][k / 8][tap][lane][4] from `target` on, n the channel of the output: of two tiles of eight n each, (k, n) with
// k = lane % 4 and 4 more, n = lane / 4. Numbers behind the last k are left as they are, zero.
struct ConvolutionJob {
  int source;   // place of the weight
  int strideN;  // between neighbouring n, there
  int strideK;
  int flip;     // whether windows are turned round
  int ns;       // how many of them
  int ks;
  int n;        // the first here
  int k;        // a multiple of eight
  int eights;   // of all k, with those of other jobs
  int target;
};

extern "C" __global__ void prepare_convolutions(const ConvolutionJob* jobs, const float* weights, float* prepared) {
  ConvolutionJob job = jobs[blockIdx.x / CONVOLUTION_PARTS];
  int part = blockIdx.x % CONVOLUTION_PARTS;
  for (int e = part * blockDim.x + threadIdx.x; e < job.ns * job.ks; e += CONVOLUTION_PARTS * blockDim.x) {
    bool ofN = job.strideN < job.strideK;  // neighbours read what lies side by side
    int n = ofN ? e % job.ns : e / job.ks;
    int k = ofN ? e / job.ns : e % job.ks;
    const float* from = weights + job.source + n * job.strideN + k * job.strideK;
    int toN = job.n + n;
    int toK = job.k + k;
    int lane = toN % 8 * 4 + toK % 4;
    int number = toN / 8 % 2 * 2 + toK / 4 % 2;
    float* to = prepared + job.target + ((toN / 16 * job.eights + toK / 8) * WEIGHTS * WARP + lane) * 4 + number;
#pragma unroll
    for (int tap = 0; tap < WEIGHTS; tap++) {
      to[tap * WARP * 4] = from[job.flip ? WEIGHTS - 1 - tap : tap];
    }
  }
}

// log p(x, z) = log N(z; 0, I) + sum over pixels of x l - log(1 + e^l) with logits l = b + Σ_c w[c] relu(h[c]), a
// block an image.
extern "C" __global__ void bernoulli_images(
    const float* h, int channels, const float* w, const float* b, const float* x, const float* z, int features,
    float* logits, float* logJoint) {
  constexpr int AREA = IMAGE_SIDE * IMAGE_SIDE;
  extern __shared__ double memory[];
  int64 row = blockIdx.x;
  const float* own = h + row * channels * AREA;
  double sum = 0.0;
  EACH(i, AREA) {
    float l = b[0];
#pragma unroll 16
    for (int c = 0; c < channels; c++) {
      float seen = own[c * AREA + i];
      l = fmaf(w[c], seen < 0 ? 0.0f : seen, l);
    }
    logits[row * AREA + i] = l;
    sum += x[row * AREA + i] * l - (l < 0 ? 0.0f : l) - log1pf(expf(-fabsf(l)));
  }
  EACH(j, features) {
    sum += logNormal(z[row * features + j], 0.0f, 0.0f);
  }
  sum = blockSum(sum, memory);
  if (threadIdx.x == 0) {
    logJoint[row] = static_cast<float>(sum);
  }
}

// dl = d (x - σ(l)), dh[c] = [h > 0] w[c] dl, with the gradient d of what bernoulli_images gave for the image, several
// blocks an image
extern "C" __global__ void bernoulli_gradients(
    const float* h, int channels, const float* w, const float* x, const float* logits, const float* d, float* dLogits,
    float* dh) {
  constexpr int AREA = IMAGE_SIDE * IMAGE_SIDE;
  int64 row = blockIdx.x / GRADIENT_PARTS;
  int part = blockIdx.x % GRADIENT_PARTS;
  int64 plane = row * channels * AREA;
  for (int i = part * blockDim.x + threadIdx.x; i < AREA; i += GRADIENT_PARTS * blockDim.x) {
    int64 at = row * AREA + i;
    float dl = d[row] * (x[at] - 1.0f / (1.0f + expf(-logits[at])));
    dLogits[at] = dl;
    for (int first = 0; first < channels; first += UNDER_WAY) {
      float given[UNDER_WAY];
#pragma unroll
      for (int k = 0; k < UNDER_WAY; k++) {
        int c = min(first + k, channels - 1);
        given[k] = h[plane + c * AREA + i] > 0 ? w[c] * dl : 0.0f;
      }
#pragma unroll
      for (int k = 0; k < UNDER_WAY; k++) {
        if (first + k < channels) {
          dh[plane + (first + k) * AREA + i] = given[k];
        }
      }
    }
  }
}
