// A part of the weights of a convolution, and how it is summed.
struct ConvolutionTile {
  int convolution;  // which one
  int side;         // of a plane of P,
  int sideQ;        // and of Q
  int taps;         // of a window
  int m;
  int n;
  int ms;           // how many, at most TILE_CHANNELS
  int ns;
  int channelsP;
  int channelsQ;
  int weight;       // place of W
  int bias;         // place of this tile's part of b, -1 where another tile has it
  int biasOfP;      // whether P is dy
  int pairs;        // of planes that shared memory has room for
  int parts;        // of the images
  int sums;         // place of its sums
  int biasSums;     // and of those of the bias among all parts
  int relu;         // whether it is the relu of Q that counts

  __device__ int lanes() const { return (ns + 7) / 8 * 8; }  // n as products have them

  __device__ int quads() const { return (ms + 3) / 4; }

  __device__ int biases() const { return bias < 0 ? 0 : biasOfP ? ms : ns; }

  __device__ int size() const { return taps * taps * 4 * quads() * lanes(); }  // numbers of a part
};

// A tile of a convolution, and a part of the images, or four of its m.
struct TilePart {
  int tile;
  int part;
};
