// Two numbers that are neighbouring terms of a product (half_matrix.cuh): their bits as they come, then their halves.
struct alignas(8) Pair {
  unsigned first;   // the first number, then high halves,
  unsigned second;  // the second, then low ones
};

// How planes of SIDE lie in shared memory, [channel][pair][HEIGHT][WIDTH]: the numbers of a pair are those of two
// neighbouring images at one place, or, where APART is not zero, those of one image so many rows apart. BORDER rows and
// columns lie before those of the image; with stride 2 odd columns lie behind even ones.
template <int SIDE, int HEIGHT, int WIDTH, int BORDER, int STRIDE, int APART>
struct Layout {
  static constexpr int AREA = SIDE * SIDE;
  static constexpr int PLACES = HEIGHT * WIDTH;
  static constexpr int IMAGES = APART ? 1 : 2;  // of a pair
  static constexpr int FIRST = APART ? -BORDER : 0;
  static constexpr int LOADED = SIDE * (APART ? HEIGHT : SIDE);  // places of a channel, from row FIRST on
  static constexpr int NEXT = APART * SIDE;                      // from a number of an image to the other one

  int from;     // place in an image of all channels,
  int to;       // and among pairs
  bool first;   // whether the image has it,
  bool second;  // and what is APART rows below

  // Of the e-th place, `plane` pairs a channel.
  __device__ Layout(int e, int plane) {
    unsigned c = static_cast<unsigned>(e) / LOADED;
    unsigned inChannel = e - c * LOADED;
    unsigned row = inChannel / SIDE;
    unsigned x = inChannel - row * SIDE + BORDER;
    int y = static_cast<int>(row) + FIRST;
    from = static_cast<int>(c * AREA + inChannel) + FIRST * SIDE;
    to = c * plane + (y + BORDER) * WIDTH + (STRIDE == 1 ? x : x % 2 * ((WIDTH + 1) / 2) + x / 2);
    first = y >= 0;
    second = y + APART < SIDE;
  }
};

// Planes of `channels` channels and `images` images to shared memory, of their relu where it is asked for; zero where
// there is no image. An image of all channels has `size` numbers. Gives the largest of what this thread has loaded.
// Several loads are under way at once.
template <class L>
__device__ inline float loadPairs(
    const float* from, int size, int channels, int images, int plane, bool relu, Pair* to) {
  constexpr int PLACES = L::AREA < 64 ? 2 : UNDER_WAY / 2;
  constexpr int PAIRS = UNDER_WAY / 2 / PLACES;
  constexpr int NUMBERS = 2 * PLACES * PAIRS;
  int all = channels * L::LOADED;
  float least = relu ? 0.0f : __uint_as_float(0xff800000u);
  float largest = 0.0f;
  for (int begin = threadIdx.x; begin < all; begin += PLACES * blockDim.x) {
    for (int image = 0; image < images; image += PAIRS * L::IMAGES) {
      float v[NUMBERS];
#pragma unroll
      for (int i = 0; i < NUMBERS; i += 2) {
        int e = begin + i / 2 % PLACES * blockDim.x;
        int own = image + i / 2 / PLACES * L::IMAGES;
        L at(e, plane);
        const float* number = from + own * size + at.from;
        bool has = e < all && own < images;
        bool hasOther = e < all && (L::IMAGES == 1 ? has && at.second : own + 1 < images);
        v[i] = has && at.first ? number[0] : 0.0f;
        v[i + 1] = hasOther ? number[L::IMAGES == 1 ? L::NEXT : size] : 0.0f;
      }
#pragma unroll
      for (int i = 0; i < NUMBERS; i += 2) {
        int e = begin + i / 2 % PLACES * blockDim.x;
        int own = image + i / 2 / PLACES * L::IMAGES;
        float x = v[i] < least ? 0.0f : v[i];
        float y = v[i + 1] < least ? 0.0f : v[i + 1];
        largest = fmaxf(largest, fmaxf(fabsf(x), fabsf(y)));
        if (e < all && own < images) {
          to[L(e, plane).to + own / L::IMAGES * L::PLACES] = {__float_as_uint(x), __float_as_uint(y)};
        }
      }
    }
  }
  return largest;
}

// Splits `scale` times what this thread has loaded.
template <class L>
__device__ inline void splitPairs(int channels, int pairs, int plane, float scale, Pair* planes) {
  EACH(e, channels * L::LOADED) {
    Pair* own = planes + L(e, plane).to;
#pragma unroll 2
    for (int i = 0; i < pairs; i++) {
      Pair pair = own[i * L::PLACES];
      TwoHalves halves = split(__uint_as_float(pair.first) * scale, __uint_as_float(pair.second) * scale);
      own[i * L::PLACES] = {halves.high, halves.low};
    }
  }
}
