// What warps have summed for so many channels from `first` on.
template <class G>
__device__ inline void addSlices(
    const ImageCut<G>& cut, int first, int channels, const float* sums, Held<G::OUT>& total) {
#pragma unroll
  for (int i = 0; i < total.ITEMS; i++) {
    unsigned item = total.item(i, channels);
    const float* from = sums + (first + item / G::AREA_OUT * 8) * G::PITCH + G::sum(item % G::AREA_OUT);
#pragma unroll
    for (int k = 0; k < 8; k++) {
      total.of[i][k] = from[k * G::PITCH];
    }
#pragma unroll 1
    for (int slice = 1; slice < cut.slices; slice++) {
      from += cut.groups * G::CHANNELS * G::PITCH;
#pragma unroll
      for (int k = 0; k < 8; k++) {
        total.of[i][k] += from[k * G::PITCH];
      }
    }
  }
}

// Makes y of sums, which `inverse` puts right, and holds it; waits for all threads.
template <class G>
__device__ inline void makeImage(
    const ImageConvolution& c, const ImageCut<G>& cut, unsigned positive, float inverse, const ImageMemory& memory,
    Held<G::OUT>& y) {
  Held<G::OUT> kept;
  if (c.residual) {
    kept.recall(memory.kept);
  }
  __syncthreads();
  addSlices<G>(cut, 0, c.outputs, memory.sums, y);
#pragma unroll
  for (int i = 0; i < y.ITEMS; i++) {
    const float* bias = memory.bias + y.item(i, c.outputs) / G::AREA_OUT * 8;
#pragma unroll
    for (int k = 0; k < 8; k++) {
      float value = positive >> (8 * i + k) & 1 ? y.of[i][k] * inverse : 0.0f;
      value += c.residual ? bias[k] + kept.of[i][k] : bias[k];
      y.of[i][k] = c.relu && value < 0 ? 0.0f : value;
    }
  }
}

// From the x that a block holds to y, which it holds then; the tensors of both may be missing. A residual, or `second`, is
// what threads have kept; `other` they keep. Gives the largest number of x; that of `second` is given.
template <class G>
__device__ inline float convolveImage(
    const ImageConvolution& c, const ImageMemory& memory, float largestOfSecond, const Held<G::IN>& x,
    Held<G::OUT>& y) {
  ImageSum<G> sum(c);
  int n = threadIdx.x;
  float bias = n < c.outputs && c.bias ? c.bias[n] : 0.0f;
  unsigned positive = c.fromSeen ? c.image(c.fromSeen, IMAGE_THREADS, 1)[n] : ~0u;
  float secondBias = n < c.outputs && c.secondBias ? c.secondBias[n] : 0.0f;
  if (c.toSeen) {
    c.image(c.toSeen, IMAGE_THREADS, 1)[n] = x.signs();
  }
  memory.clearPlanes(4 * G::INPUTS * c.depths() * G::PLANE);
  float largest = x.largest(memory.largest);
  HalfScale scale(max(largest, largestOfSecond));
  x.template put<G>(c.channels, c.relu, scale.scale, memory.planes);
  if constexpr (G::INPUTS == 2) {
    Held<G::IN> second;
    second.recall(memory.kept);
    second.template put<G>(c.channels, false, scale.scale, memory.planes + 4 * c.depths() * G::PLANE);
  }
  if (n < c.outputs) {
    memory.bias[n] = bias + secondBias;
  }
  __syncthreads();
  if (!sum.idle()) {
    sum.add(memory.planes);
    sum.put(memory.sums);
  }
  float inverse = scale.inverse / WEIGHT_SCALE;
  makeImage<G>(c, sum.cut, positive, inverse, memory, y);
  if (c.y) {
    y.write(c.image(c.y, c.outputs, G::AREA_OUT), c.outputs);
  }
  if constexpr (G::OUTPUTS == 2) {
    Held<G::OUT> other;
    addSlices<G>(sum.cut, c.outputs, c.outputs, memory.sums, other);
#pragma unroll
    for (int i = 0; i < 8 * other.ITEMS; i++) {
      other.of[i / 8][i % 8] *= inverse;
    }
    other.keep(memory.kept);
  }
  return largest;
}
