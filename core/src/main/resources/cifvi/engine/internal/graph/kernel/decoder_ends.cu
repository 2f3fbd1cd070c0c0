// The likelihood behind the decoder's convolutions.

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

// dl = d (x - σ(l)), dh[c] = [h > 0] w[c] dl, dz = -d z, with the gradient d of what bernoulli_images gave for the image,
// several blocks an image
extern "C" __global__ void bernoulli_gradients(
    const float* h, int channels, const float* w, const float* x, const float* logits, const float* d, float* dLogits,
    float* dh, const float* z, int features, float* dz) {
  constexpr int AREA = IMAGE_SIDE * IMAGE_SIDE;
  int64 row = blockIdx.x / GRADIENT_PARTS;
  int part = blockIdx.x % GRADIENT_PARTS;
  int64 plane = row * channels * AREA;
  if (part == 0) {
    EACH(j, features) {
      dz[row * features + j] = -d[row] * z[row * features + j];
    }
  }
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
