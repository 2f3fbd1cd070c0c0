// How a block lays out what a convolution of the large decoder needs. The places of the smaller planes, of side SIDE,
// are a grid that is cut into strips of LENGTH neighbours of a row. A thread has one strip and N channels of the
// output with all their sums in registers, a block STRIPS strips. Rows of all images follow each other, so that a
// tile may begin anywhere.
//
//   gathered, stride s    y[i] = Σ_t w[t] x[s i + t - 1]              s = 1: IN = OUT = SIDE, 2: OUT = SIDE
//   spread                y[2i + t - 1] = Σ_t w[t] x[i]               IN = SIDE
//
// A channel of x lies in shared memory with its borders, as STAGED rows and one of zeros, which stands for those
// above and below an image. With stride 2 every other row lies behind the others: threads of neighbouring rows then
// read from different banks.
constexpr int WINDOW = 3;  // side of a window
constexpr int WEIGHTS = WINDOW * WINDOW;

template <int GRID, int FROM, int TO, int CHANNELS>
struct Strips {
  static constexpr int SIDE = GRID;
  static constexpr int IN = FROM;
  static constexpr int OUT = TO;
  static constexpr int N = CHANNELS;
  static constexpr int LENGTH = SIDE > 7 ? 7 : SIDE;
  static constexpr int PER_ROW = SIDE / LENGTH;
  static constexpr int ROWS = STRIPS / PER_ROW;
  static constexpr int STRIDE = IN > SIDE ? 2 : 1;
  static constexpr bool SPREAD = OUT > SIDE;
  static constexpr int STAGED = STRIDE * ROWS + WINDOW - STRIDE;
  static constexpr int WIDTH = STRIDE == 2 ? 2 * SIDE + 1 : SIDE > 7 ? 18 : SIDE > 4 ? 9 : 7;
  static constexpr int PLANE = (STAGED + 1) * WIDTH;
  static constexpr int SUMS = SPREAD ? 4 * LENGTH : LENGTH;  // places of the output
  static constexpr int PITCH = SUMS | 1;                     // odd: neighbouring strips begin in different banks
  static constexpr int TILE = N * STRIPS * PITCH;            // numbers that a warp gives

  // Where the s-th staged row lies.
  __device__ static int place(int s) {
    return (STRIDE == 1 ? s : s % 2 * (ROWS + 1) + s / 2) * WIDTH;
  }
};

// Where the rows that a strip looks at begin: above, at and below its own.
template <class G>
struct StripRows {
  int at[WINDOW];

  __device__ StripRows(int lane, int tile) {
    int row = lane / G::PER_ROW;
    int y = (tile * G::ROWS + row) % G::SIDE;
    int x = lane % G::PER_ROW * G::LENGTH * G::STRIDE;
    constexpr int ZEROS = G::STAGED * G::WIDTH;
    at[0] = (y > 0 ? G::place(G::STRIDE * row) : ZEROS) + x;
    at[1] = G::place(G::STRIDE * row + 1) + x;
    at[2] = (G::STRIDE == 2 || y < G::SIDE - 1 ? G::place(G::STRIDE * row + 2) : ZEROS) + x;
  }
};

// Channels of x from `first` on to shared memory, [channel][PLANE], whose borders are zero already.
template <class G>
__device__ inline void stageChannels(
    const float* x, int channels, int first, int count, int tile, int rows, bool relu, float* staged) {
  constexpr int AREA = G::IN * G::IN;
  constexpr int VIRTUAL = G::STRIDE * G::SIDE;  // rows of an image: one more than there are where 7 become 4
  EACH(p, G::STAGED * G::IN) {
    int s = p / G::IN;
    int column = p - s * G::IN;
    int row = G::STRIDE * tile * G::ROWS - 1 + s;
    int image = row / VIRTUAL;
    int y = row - image * VIRTUAL;
    if (row < 0 || image >= rows || y >= G::IN) {
      continue;
    }
    const float* from = x + (static_cast<int64>(image) * channels + first) * AREA + y * G::IN + column;
    float* to = staged + G::place(s) + column + 1;
    float v[STAGED_CHANNELS];
#pragma unroll
    for (int c = 0; c < STAGED_CHANNELS; c++) {
      v[c] = c < count ? from[c * AREA] : 0.0f;
    }
#pragma unroll
    for (int c = 0; c < STAGED_CHANNELS; c++) {
      if (c < count) {
        to[c * G::PLANE] = relu && v[c] < 0 ? 0.0f : v[c];
      }
    }
  }
}
