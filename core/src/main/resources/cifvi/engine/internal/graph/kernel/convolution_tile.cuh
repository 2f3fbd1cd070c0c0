// A part of the weights of a convolution, and how it is summed.
struct ConvolutionTile {
  int convolution;  // which one
  int side;         // of a plane of P,
  int sideQ;        // and of Q
  int taps;         // of a window
  int m;
  int n;
  int ms;           // how many
  int ns;
  int channelsP;
  int channelsQ;
  int weight;       // place of W
  int bias;         // place of this tile's part of b, -1 where another tile has it
  int biasOfP;      // whether P is dy
  int images;       // that shared memory has room for
  int shares;       // threads that share the rows of one sum, each as a part of its own
  int parts;        // of the images
  int sums;         // place of its sums
  int biasSums;     // and of those of the bias among all parts
  int relu;         // whether it is the relu of Q that counts

  __device__ int lanes() const { return (ns + 1) / 2 * 2; }  // pairs of n, two pairs of m each

  __device__ int quads() const { return (ms + 3) / 4; }  // two pairs of m

  __device__ int items() const { return lanes() * quads(); }

  __device__ int biases() const { return bias < 0 ? 0 : biasOfP ? ms : ns; }
};

// A tile of a convolution, and a part of the images, or four of its m.
struct TilePart {
  int tile;
  int part;
};
