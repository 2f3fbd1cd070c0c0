// How a block lays out what a convolution of the large decoder needs. The places of the smaller planes, of side SIDE, of
// all images follow each other; a block takes some of them, a warp WARP_PLACES and N channels of the output, as a matrix
// product whose terms are the channels of x, tap by tap.
//
//   gathered, stride s    y[i] = Σ_t w[t] x[s i + t - 1]              s = 1: IN = OUT = SIDE, 2: OUT = SIDE
//   spread                y[2i + t - 1] = Σ_t w[t] x[i]               IN = SIDE: four places of y for one of x
//
// A channel of x lies in shared memory as rows with their borders, and one of zeros, which stands for those above and
// below an image. With stride 2 odd columns lie behind even ones, so that neighbouring places have neighbouring banks.
constexpr int WINDOW = 3;  // side of a window
constexpr int WEIGHTS = WINDOW * WINDOW;

template <int SMALLER, int FROM, int TO>
struct Grid {
  static constexpr int SIDE = SMALLER;
  static constexpr int IN = FROM;
  static constexpr int OUT = TO;
  static constexpr int STRIDE = IN > SIDE ? 2 : 1;
  static constexpr bool SPREAD = OUT > SIDE;
  static constexpr int CORNERS = SPREAD ? 4 : 1;  // places of the output for one of the grid
  static constexpr int N = SPREAD ? SPREAD_CHANNELS : GATHERED_CHANNELS;
  static constexpr int TILES = N / 8;             // of a product
  static constexpr int WIDTH = STRIDE * SIDE + 3 - STRIDE;

  // Where a column with its border lies in its row.
  __device__ static constexpr int column(int x) { return STRIDE == 1 ? x : x % 2 * (SIDE + 1) + x / 2; }

  // Rows of the grid that so many places touch wherever they begin.
  __device__ static int rows(int places) { return (places + SIDE - 1 + SIDE - 1) / SIDE; }

  // Rows of a channel in shared memory, without that of zeros.
  __device__ static int staged(int places) { return STRIDE * rows(places) + WINDOW - STRIDE; }

  // Numbers of a channel there, so that four of them begin eight banks apart.
  __device__ static int plane(int places) { return ((staged(places) + 1) * WIDTH + 23) / 32 * 32 + 8; }
};

// Where the rows begin that the windows of a lane's places touch.
template <class G>
struct WindowRows {
  int at[2 * ROW_TILES][WINDOW];

  __device__ WindowRows(int tile, int places, int own) {
    int zeros = G::staged(places) * G::WIDTH;
#pragma unroll
    for (int i = 0; i < 2 * ROW_TILES; i++) {
      int place = tile * places + own + 8 * i;
      int line = place / G::SIDE;
      int x = place - line * G::SIDE;
      int y = line % G::SIDE;
      int row = (line - tile * places / G::SIDE) * G::STRIDE * G::WIDTH + x;
      at[i][0] = y > 0 ? row : zeros + x;
      at[i][1] = row + G::WIDTH;
      at[i][2] = G::STRIDE == 2 || y < G::SIDE - 1 ? row + 2 * G::WIDTH : zeros + x;
    }
  }
};

// Channels of x from `first` on to shared memory, [channel][plane], whose borders are zero already; in eights, of which
// those behind `count` are zero.
template <class G>
__device__ inline void stageChannels(
    const float* x, int channels, int first, int count, int tile, int places, int rows, bool relu, float* to) {
  constexpr int AREA = G::IN * G::IN;
  constexpr int VIRTUAL = G::STRIDE * G::SIDE;  // rows of an image: one more than there are where 7 become 4
  int points = G::staged(places) * G::IN;
  int plane = G::plane(places);
  int above = G::STRIDE * (tile * places / G::SIDE) - 1;
  int eights = (count + 7) / 8;
  EACH(e, points * eights) {
    int eight = e / points;
    int p = e - eight * points;
    int s = p / G::IN;
    int column = p - s * G::IN;
    int row = above + s;
    int image = row / VIRTUAL;
    int y = row - image * VIRTUAL;
    if (row < 0 || image >= rows || y >= G::IN) {
      continue;
    }
    const float* from = x + (static_cast<int64>(image) * channels + first + 8 * eight) * AREA + y * G::IN + column;
    float* own = to + 8 * eight * plane + s * G::WIDTH + G::column(column + 1);
    float v[8];
#pragma unroll
    for (int c = 0; c < 8; c++) {
      v[c] = 8 * eight + c < count ? from[c * AREA] : 0.0f;
    }
#pragma unroll
    for (int c = 0; c < 8; c++) {
      own[c * plane] = relu && v[c] < 0 ? 0.0f : v[c];
    }
  }
}
