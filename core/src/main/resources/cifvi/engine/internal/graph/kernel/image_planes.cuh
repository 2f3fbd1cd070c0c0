// What a block of threads has of an image between two convolutions of the large decoder.

constexpr int IMAGE_THREADS = IMAGE_WARPS * WARP;

// Planes of side SIDE in registers, of channels that come in eights. An item is eight channels of a place, which one
// thread has; a thread that has none has the last one, too, so that nobody branches before a read, and does not write it.
template <int SIDE>
struct Held {
  static constexpr int AREA = SIDE * SIDE;
  static constexpr int EIGHTS = DECODER_CHANNELS * DECODER_START / (SIDE + SIDE % 2) / 8;  // at most
  static constexpr int ITEMS = (EIGHTS * AREA + IMAGE_THREADS - 1) / IMAGE_THREADS;

  float of[ITEMS][8];

  // The thread's i-th item, whether there is one or not.
  __device__ static int number(int i) { return i * IMAGE_THREADS + static_cast<int>(threadIdx.x); }

  __device__ static bool has(int i, int channels) { return number(i) < channels / 8 * AREA; }

  __device__ static unsigned item(int i, int channels) { return min(number(i), channels / 8 * AREA - 1); }

  // Where its first number lies in an image. The next is AREA behind.
  __device__ static int first(int i, int channels) {
    unsigned e = item(i, channels);
    return e / AREA * 8 * AREA + e % AREA;
  }

  // Reads an image of so many channels.
  __device__ void read(const float* x, int channels) {
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
      const float* from = x + first(i, channels);
#pragma unroll
      for (int k = 0; k < 8; k++) {
        of[i][k] = from[k * AREA];
      }
    }
  }

  // To what a thread has of shared memory, IMAGE_THREADS apart, and from there.
  __device__ void keep(float* kept) const {
    static_assert(8 * ITEMS <= IMAGE_KEPT, "planes are too large to be kept");
#pragma unroll
    for (int i = 0; i < 8 * ITEMS; i++) {
      kept[i * IMAGE_THREADS] = of[i / 8][i % 8];
    }
  }

  __device__ void recall(const float* kept) {
#pragma unroll
    for (int i = 0; i < 8 * ITEMS; i++) {
      of[i / 8][i % 8] = kept[i * IMAGE_THREADS];
    }
  }

  // Which of a thread's numbers are positive, a bit each.
  __device__ unsigned signs() const {
    unsigned bits = 0;
#pragma unroll
    for (int i = 0; i < 8 * ITEMS; i++) {
      bits |= (of[i / 8][i % 8] > 0 ? 1u : 0u) << i;
    }
    return bits;
  }

  // As what the second-level cache may give up first, which is faster.
  __device__ void write(float* y, int channels) const {
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
      if (has(i, channels)) {
        float* to = y + first(i, channels);
#pragma unroll
        for (int k = 0; k < 8; k++) {
          __stcs(to + k * AREA, of[i][k]);
        }
      }
    }
  }

  // The largest size of a number of the block, by way of `ofWarps`; waits for all threads.
  __device__ float largest(float* ofWarps) const {
    float own = 0.0f;
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
#pragma unroll
      for (int k = 0; k < 8; k++) {
        own = max(own, fabsf(of[i][k]));
      }
    }
    own = largestOfWarp(own);
    if (threadIdx.x % WARP == 0) {
      ofWarps[threadIdx.x / WARP] = own;
    }
    __syncthreads();
#pragma unroll
    for (int warp = 0; warp < IMAGE_WARPS; warp++) {
      own = max(own, ofWarps[warp]);
    }
    return own;
  }

  // Puts them, or their relu, to shared memory as halves, [eight channels][high, low][PLANE] of G.
  template <class G>
  __device__ void put(int channels, bool relu, float scale, uint4* planes) const {
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
      if (!has(i, channels)) {
        return;
      }
      float scaled[8];
#pragma unroll
      for (int k = 0; k < 8; k++) {
        scaled[k] = (relu && of[i][k] < 0 ? 0.0f : of[i][k]) * scale;
      }
      TwoHalves a = split(scaled[0], scaled[1]);
      TwoHalves b = split(scaled[2], scaled[3]);
      TwoHalves c = split(scaled[4], scaled[5]);
      TwoHalves d = split(scaled[6], scaled[7]);
      unsigned e = item(i, channels);
      unsigned place = e % AREA;
      uint4* to = planes + e / AREA * 2 * G::PLANE + G::at(place / SIDE + 1, place % SIDE + 1);
      to[0] = {a.high, b.high, c.high, d.high};
      to[G::PLANE] = {a.low, b.low, c.low, d.low};
    }
  }
};

// Shared memory of a block.
struct ImageMemory {
  float* largest;  // of warps
  float* bias;     // of channels
  float* kept;     // of the thread, for a later convolution
  uint4* planes;
  float* sums;

  // `sumsAt` numbers from the beginning there is room for sums.
  __device__ ImageMemory(void* shared, int sumsAt)
      : largest(static_cast<float*>(shared)),
        bias(largest + IMAGE_WARPS),
        kept(bias + DECODER_CHANNELS + threadIdx.x),
        planes(reinterpret_cast<uint4*>(bias + DECODER_CHANNELS + IMAGE_KEPT * IMAGE_THREADS)),
        sums(largest + sumsAt) {}

  __device__ void clearPlanes(int count) const {
    for (int i = threadIdx.x; i < count; i += IMAGE_THREADS) {
      planes[i] = {0, 0, 0, 0};
    }
  }
};
