// How a block lays out what a convolution of the large decoder needs. The places of the smaller planes, of side SIDE, of
// all images follow each other; a block takes some of them, a warp WARP_PLACES and N channels of the output, as a matrix
// product whose terms are the channels of x, tap by tap.
//
//   gathered, stride s    y[i] = Σ_t w[t] x[s i + t - 1]              s = 1: IN = OUT = SIDE, 2: OUT = SIDE
//   spread                y[2i + t - 1] = Σ_t w[t] x[i]               IN = SIDE: four places of y for one of x
//
// A channel of x lies in shared memory as rows with their borders, and one of zeros, which stands for those above and
// below an image. With stride 2 odd columns lie behind even ones, so that neighbouring places have neighbouring banks.
template <int STEP, bool WIDER>
struct Grid {
  static constexpr int STRIDE = STEP;
  static constexpr bool SPREAD = WIDER;
  static constexpr int CORNERS = SPREAD ? 4 : 1;  // places of the output for one of the grid
  static constexpr int N = SPREAD ? SPREAD_CHANNELS : GATHERED_CHANNELS;
  static constexpr int TILES = N / 8;             // of a product

  int side;
  int in;
  int out;
  int places;  // of a block
  int width;   // of a row in shared memory
  int staged;  // rows of a channel there, without that of zeros, for so many places wherever they begin
  int plane;   // numbers of a channel there, so that four of them begin eight banks apart

  __device__ Grid(int in, int out, int places) : side(min(in, out)), in(in), out(out), places(places) {
    width = STRIDE * side + 3 - STRIDE;
    staged = STRIDE * ((places + side - 1 + side - 1) / side) + WINDOW - STRIDE;
    plane = ((staged + 1) * width + 23) / 32 * 32 + 8;
  }

  // Where a column with its border lies in its row.
  __device__ int column(int x) const { return STRIDE == 1 ? x : x % 2 * (side + 1) + x / 2; }
};

// Where the rows begin that the windows of a lane's places touch.
template <class G>
struct WindowRows {
  int at[2 * ROW_TILES][WINDOW];

  __device__ WindowRows(const G& g, int tile, int own) {
    int zeros = g.staged * g.width;
    int firstLine = tile * g.places / g.side;
    int skipped = tile * g.places - firstLine * g.side;
    int above = firstLine % g.side;
    Quotient ofSide(g.side);
#pragma unroll
    for (int i = 0; i < 2 * ROW_TILES; i++) {
      int place = skipped + own + 8 * i;
      int line = ofSide(place);
      int x = place - line * g.side;
      int y = above + line - ofSide(above + line) * g.side;
      int row = line * G::STRIDE * g.width + x;
      at[i][0] = y > 0 ? row : zeros + x;
      at[i][1] = row + g.width;
      at[i][2] = G::STRIDE == 2 || y < g.side - 1 ? row + 2 * g.width : zeros + x;
    }
  }
};

// Eights of channels that a thread waits for at once.
constexpr int STAGED_AT_ONCE = 2;

// Channels of x from `first` on to shared memory, [channel][plane], with zeros around them; in eights, of which those
// behind `count` are zero.
template <class G>
__device__ inline void stageChannels(
    const G& g, const float* __restrict__ x, int channels, int first, int count, int tile, int rows, bool relu,
    float* to) {
  int area = g.in * g.in;
  int lines = G::STRIDE * g.side;  // of an image: one more than there are where 7 become 4
  int points = (g.staged + 1) * g.width;
  int image = tile * g.places / (g.side * g.side);
  int above = G::STRIDE * (tile * g.places / g.side) - 1 - image * lines;
  int eights = (count + 7) / 8;
  Quotient eightOf(points);
  Quotient rowOf(g.width);
  Quotient imageOf(lines);
  for (int begin = threadIdx.x; begin < points * eights; begin += STAGED_AT_ONCE * blockDim.x) {
    float v[STAGED_AT_ONCE][8];
    int at[STAGED_AT_ONCE];
#pragma unroll
    for (int i = 0; i < STAGED_AT_ONCE; i++) {
      int e = min(begin + i * static_cast<int>(blockDim.x), points * eights - 1);
      int eight = eightOf(e);
      int s = rowOf(e - eight * points);
      int column = e - eight * points - s * g.width - 1;
      int row = above + s;
      int own = row < 0 ? -1 : imageOf(row);
      int y = row - own * lines;
      at[i] = 8 * eight * g.plane + s * g.width + g.column(column + 1);
      bool there = s < g.staged && column >= 0 && column < g.in && y < g.in && image + own >= 0 && image + own < rows;
      const float* from = x + (static_cast<int64>(image + own) * channels + first + 8 * eight) * area + y * g.in + column;
#pragma unroll
      for (int c = 0; c < 8; c++) {
        v[i][c] = there && 8 * eight + c < count ? from[c * area] : 0.0f;
      }
    }
#pragma unroll
    for (int i = 0; i < STAGED_AT_ONCE; i++) {
#pragma unroll
      for (int c = 0; c < 8; c++) {
        to[at[i] + c * g.plane] = relu && v[i][c] < 0 ? 0.0f : v[i][c];
      }
    }
  }
}
