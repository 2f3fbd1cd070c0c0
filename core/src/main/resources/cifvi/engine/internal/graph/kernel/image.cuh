// Images with a border of zeros, which is the padding of the convolution.

constexpr int FRAME = IMAGE_SIDE + 2;
constexpr int FRAMED = FRAME * FRAME;
constexpr int ZOOM = IMAGE_SIDE / SMALL_SIDE;

// The place in an image without border of what is at place i of one with border; -1 on the border.
__device__ inline int pixel(int i) {
  int y = i / FRAME - 1;
  int x = i % FRAME - 1;
  return y >= 0 && y < IMAGE_SIDE && x >= 0 && x < IMAGE_SIDE ? y * IMAGE_SIDE + x : -1;
}

// y is the observed image.
__device__ inline void observeForward(const Block& b, const Op& op) {
  const float* images = b.images + b.first * IMAGE_SIDE * IMAGE_SIDE;
  Output image = b.output(op.y);
  EACH(i, b.count * FRAMED) {
    int at = pixel(i % FRAMED);
    image.write(i, at < 0 ? 0.0f : images[i / FRAMED * IMAGE_SIDE * IMAGE_SIDE + at]);
  }
}

// Where pixel x of an upsampled line comes from: (1 - part) of `from` and `part` of `to`.
struct Source {
  int from;
  int to;
  float part;

  __device__ float share(int i) const { return (from == i ? 1.0f - part : 0.0f) + (to == i ? part : 0.0f); }
};

__device__ inline Source source(int x) {
  float at = (x + 0.5f) / ZOOM - 0.5f;
  at = at < 0 ? 0.0f : at;
  int from = static_cast<int>(at);
  return {from, min(from + 1, SMALL_SIDE - 1), at - from};
}

// y is the small image a, upsampled bilinearly.
__device__ inline void upsampleForward(const Block& b, const Op& op) {
  const float* small = b.value(op.a);
  Output image = b.output(op.y);
  EACH(i, b.count * FRAMED) {
    int r = i / FRAMED;
    int at = pixel(i % FRAMED);
    float upsampled = 0.0f;
    if (at >= 0) {
      Source v = source(at / IMAGE_SIDE);
      Source h = source(at % IMAGE_SIDE);
      const float* above = small + (r * SMALL_SIDE + v.from) * SMALL_SIDE;
      const float* below = small + (r * SMALL_SIDE + v.to) * SMALL_SIDE;
      upsampled = (1.0f - v.part) * ((1.0f - h.part) * above[h.from] + h.part * above[h.to])
          + v.part * ((1.0f - h.part) * below[h.from] + h.part * below[h.to]);
    }
    image.write(i, upsampled);
  }
}

// Every small pixel gathers from the few columns, and then lines, that look at it.
__device__ inline void upsampleBackward(const Block& b, const Op& op) {
  const float* dy = b.gradient(op.y);
  float* da = b.gradient(op.a);
  EACH(i, b.count * IMAGE_SIDE * SMALL_SIDE) {
    int column = i % SMALL_SIDE;
    int y = i / SMALL_SIDE % IMAGE_SIDE;
    const float* line = dy + i / (SMALL_SIDE * IMAGE_SIDE) * FRAMED + (y + 1) * FRAME + 1;
    float sum = 0.0f;
    for (int x = max(0, ZOOM * (column - 1)); x < min(IMAGE_SIDE, ZOOM * (column + 2)); x++) {
      sum = fmaf(source(x).share(column), line[x], sum);
    }
    b.scratch[i] = sum;
  }
  __syncthreads();
  EACH(i, b.count * SMALL_SIDE * SMALL_SIDE) {
    int row = i / SMALL_SIDE % SMALL_SIDE;
    const float* column = b.scratch + i / (SMALL_SIDE * SMALL_SIDE) * SMALL_SIDE * IMAGE_SIDE + i % SMALL_SIDE;
    float sum = 0.0f;
    for (int y = max(0, ZOOM * (row - 1)); y < min(IMAGE_SIDE, ZOOM * (row + 2)); y++) {
      sum = fmaf(source(y).share(row), column[y * SMALL_SIDE], sum);
    }
    contribute(op, 0, da, i, sum);
  }
}
