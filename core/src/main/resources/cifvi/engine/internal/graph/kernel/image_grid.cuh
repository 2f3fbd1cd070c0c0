// How a block takes one image through a convolution of the large decoder, from planes of side IN to those of side OUT. As
// in places.cuh it is a matrix product, whose rows are the places of the smaller planes and whose terms are channels, tap
// by tap; but all numbers of it are known to the compiler.
//
//   gathered, stride s    y[i] = Σ_t w[t] x[s i + t - 1]
//   spread                y[2i + t - 1] = Σ_t w[t] x[i]         four places of y, its corners, for one of x
template <int FROM, int TO>
struct ImageGrid {
  static constexpr int IN = FROM;
  static constexpr int OUT = TO;
  static constexpr int STRIDE = IN > OUT ? 2 : 1;
  static constexpr bool SPREAD = IN < OUT;
  static constexpr int SIDE = SPREAD ? IN : OUT;
  static constexpr int PLACES = SIDE * SIDE;
  static constexpr int CORNERS = SPREAD ? 4 : 1;
  static constexpr int INPUTS = SPREAD ? 2 : 1;         // where the size changes shortcuts are convolutions, too: x and
  static constexpr int OUTPUTS = STRIDE == 2 ? 2 : 1;  // `second`, y and `other`
  static constexpr int AREA_IN = IN * IN;
  static constexpr int AREA_OUT = OUT * OUT;

  // Of a warp: sixteens of places, eights of channels of the output, as many as it has registers for.
  static constexpr int SIXTEENS = PLACES > 16 ? 2 : 1;
  static constexpr int TILES = SPREAD ? SPREAD_CHANNELS / 8 : GATHERED_CHANNELS / 8;
  static constexpr int CHANNELS = 8 * TILES;
  static constexpr int ACROSS = (PLACES + 16 * SIXTEENS - 1) / (16 * SIXTEENS);  // warps that have all places

  static constexpr int AHEAD = SPREAD ? 3 : 1;  // taps whose weights it has asked for

  // Eight channels of a place lie side by side, 16 bytes, which is what matrix units load. They have a border of zeros;
  // with stride 2 odd columns lie behind even ones, and two lines make one, so that neighbouring places lie side by side.
  // From a row of places to the next it is as many more as places of a row, but for multiples of eight: eight places that
  // follow one another are in different banks, wherever they begin. Of sums, four channels begin eight banks apart.
  static constexpr int WIDTH = STRIDE * SIDE + 3 - STRIDE;
  static constexpr int LINE = (STRIDE * WIDTH - SIDE + 7) / 8 * 8 + SIDE;
  static constexpr int PLANE = (WIDTH + STRIDE - 1) / STRIDE * LINE;
  static constexpr int PITCH = (CORNERS * PLACES + 11) / 16 * 16 + 4;

  __device__ static constexpr int column(int x) { return STRIDE == 1 ? x : x % 2 * (SIDE + 1) + x / 2; }

  // Where a place of x lies, counted with the border.
  __device__ static constexpr int at(int y, int x) { return y / STRIDE * LINE + y % STRIDE * WIDTH + column(x); }

  // Where a place's window begins.
  __device__ static constexpr int begin(int place) { return place / SIDE * LINE + place % SIDE; }

  // Taps in the order in which they are added: where windows are spread, those together that read the same places.
  __device__ static constexpr int tap(int i) {
    constexpr int SPREAD_TAPS[WEIGHTS] = {4, 5, 7, 8, 3, 6, 1, 2, 0};
    return SPREAD ? SPREAD_TAPS[i] : i;
  }

  // What lies between the beginning of a window and the place that a tap reads. Even rows and columns of y have the
  // middle of a window, those between two places both sides, of the place before and of the one behind.
  __device__ static constexpr int offset(int tap) {
    int y = tap / WINDOW;
    int x = tap % WINDOW;
    return SPREAD ? at(y == 0 ? 2 : 1, x == 0 ? 2 : 1) : at(y, x);
  }

  __device__ static constexpr int corner(int tap) {
    return SPREAD ? 2 * (tap / WINDOW != 1) + (tap % WINDOW != 1) : 0;
  }

  // Where the sum of a place of y lies among those of its channel.
  __device__ static constexpr int sum(int place) {
    int y = place / OUT;
    int x = place % OUT;
    return SPREAD ? (y % 2 * 2 + x % 2) * PLACES + y / 2 * SIDE + x / 2 : place;
  }
};
