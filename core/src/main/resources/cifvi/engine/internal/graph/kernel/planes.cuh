// Planes of `channels` channels and `images` images to shared memory, [channel][image][WIDTH][WIDTH] with `plane` numbers
// a channel, of their relu where it is asked for; with stride 2 odd columns lie behind even ones. An image of all
// channels has `size` numbers. Several loads are under way at once.
template <int SIDE, int WIDTH, int BORDER, int STRIDE>
__device__ inline void loadPlanes(
    const float* from, int size, int channels, int images, int plane, bool relu, float* to) {
  constexpr int AREA = SIDE * SIDE;
  constexpr int PLACES = AREA < 64 ? 2 : UNDER_WAY;
  constexpr int IMAGES = UNDER_WAY / PLACES;
  int threads = blockDim.x;
  for (int first = threadIdx.x; first < channels * AREA; first += PLACES * threads) {
    int at[PLACES];
#pragma unroll
    for (int k = 0; k < PLACES; k++) {
      unsigned e = first + k * threads;
      unsigned c = e / AREA;
      unsigned y = (e - c * AREA) / SIDE;
      unsigned x = e - c * AREA - y * SIDE + BORDER;
      unsigned column = STRIDE == 1 ? x : x % 2 * ((WIDTH + 1) / 2) + x / 2;
      at[k] = c * plane + (y + BORDER) * WIDTH + column;
    }
    for (int image = 0; image < images; image += IMAGES) {
      float v[IMAGES][PLACES];
#pragma unroll
      for (int i = 0; i < IMAGES; i++) {
#pragma unroll
        for (int k = 0; k < PLACES; k++) {
          int e = first + k * threads;
          v[i][k] = image + i < images && e < channels * AREA ? from[(image + i) * size + e] : 0.0f;
        }
      }
#pragma unroll
      for (int i = 0; i < IMAGES; i++) {
#pragma unroll
        for (int k = 0; k < PLACES; k++) {
          if (image + i < images && first + k * threads < channels * AREA) {
            to[at[k] + (image + i) * WIDTH * WIDTH] = relu && v[i][k] < 0 ? 0.0f : v[i][k];
          }
        }
      }
    }
  }
}
