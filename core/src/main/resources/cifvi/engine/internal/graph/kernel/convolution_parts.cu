// The sum of `count` numbers, `stride` apart.
__device__ inline float sumParts(const float* parts, int count, int64 stride) {
  float sum = 0.0f;
#pragma unroll 8
  for (int part = 0; part < count; part++) {
    sum += parts[part * stride];
  }
  return sum;
}

// Adds the parts up. Every block takes four m of a tile, or its biases; sums of weights are put into their order in
// shared memory first.
extern "C" __global__ void add_convolution_parts(
    const ConvolutionTile* tiles, const TilePart* blocks, const float* partial, float* gradient) {
  extern __shared__ double memory[];
  float* weights = reinterpret_cast<float*>(memory);
  TilePart own = blocks[blockIdx.x];
  ConvolutionTile t = tiles[own.tile];
  int quad = own.part;
  if (quad == t.quads()) {
    EACH(c, t.biases()) {
      gradient[t.bias + c] += sumParts(partial + t.biasSums + c, t.parts, t.biases());
    }
    return;
  }
  int taps = t.taps * t.taps;
  int lanes = t.lanes();
  EACH(e, taps * 4 * lanes) {
    int tap = e / (4 * lanes);
    int inTap = e - tap * 4 * lanes;
    int m = inTap / lanes;
    int n = inTap - m * lanes;
    weights[(m * lanes + n) * taps + tap] =
        sumParts(partial + t.sums + (tap * t.quads() + quad) * 4 * lanes + inTap, t.parts, t.size());
  }
  __syncthreads();
  EACH(e, 4 * lanes * taps) {
    int m = e / (lanes * taps);
    int inRow = e - m * lanes * taps;
    if (4 * quad + m < t.ms && inRow < t.ns * taps) {
      gradient[t.weight + ((t.m + 4 * quad + m) * t.channelsQ + t.n) * taps + inRow] += weights[e];
    }
  }
}
