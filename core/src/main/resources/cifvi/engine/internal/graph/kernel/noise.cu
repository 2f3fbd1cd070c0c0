// Noise by address: the numbers of CounterRng, made where they are used.
//
// Element e = row * columns + column of a stream is lane e mod 4 of Philox block e div 4; uniforms are
// (word + 1/2) / 2^32, normals come from them by Box-Muller, all in double and rounded once.

// Philox 4x32-10 (Salmon et al., 2011): four words from a counter of four words under a key of two.
__device__ void philox(unsigned long long key, unsigned int c[4]) {
  unsigned int k0 = (unsigned int) key;
  unsigned int k1 = (unsigned int) (key >> 32);
  for (int round = 0; round < 10; round++) {
    unsigned long long p0 = 0xD2511F53ull * c[0];
    unsigned long long p1 = 0xCD9E8D57ull * c[2];
    unsigned int n0 = (unsigned int) (p1 >> 32) ^ c[1] ^ k0;
    unsigned int n2 = (unsigned int) (p0 >> 32) ^ c[3] ^ k1;
    c[0] = n0;
    c[1] = (unsigned int) p1;
    c[2] = n2;
    c[3] = (unsigned int) p0;
    k0 += 0x9E3779B9u;
    k1 += 0xBB67AE85u;
  }
}

// Two normals from two uniforms, in place.
__device__ void box_muller(double* u) {
  double radius = sqrt(-2 * log(u[0]));
  double angle = 2 * 3.14159265358979323846 * u[1];
  u[0] = radius * cos(angle);
  u[1] = radius * sin(angle);
}

// Elements first to first + count - 1 of a stream, by `blocks` blocks of which this is number `block`.
__device__ void noise(real* out, long long count, long long first, long long seed, long long step,
                      unsigned int address, bool normals, int block, int blocks) {
  long long end = (first + count + 3) >> 2;
  long long stride = (long long) blocks * blockDim.x;
  for (long long b = (first >> 2) + (long long) block * blockDim.x + threadIdx.x; b < end; b += stride) {
    unsigned int words[4] = {(unsigned int) b, (unsigned int) (b >> 32), (unsigned int) step, address};
    philox((unsigned long long) seed, words);
    double lanes[4];
    for (int i = 0; i < 4; i++) {
      lanes[i] = (words[i] + 0.5) * 0x1p-32;
    }
    if (normals) {
      box_muller(lanes);
      box_muller(lanes + 2);
    }
    for (int i = 0; i < 4; i++) {
      long long at = 4 * b + i - first;
      if (at >= 0 && at < count) {
        // a uniform stays below 1 in float too
        out[at] = (real) (normals ? lanes[i] : fmin(lanes[i], 0x1.fffffep-1));
      }
    }
  }
}

// Where noise is captured, its address lies in device memory: what every launch of the graph may change.
struct Address {
  long long seed;
  long long step;
  long long row;
  long long purpose;
};

extern "C" __global__ void set_address(Address* address, long long seed, long long step, long long row,
                                       long long purpose) {
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    address->seed = seed;
    address->step = step;
    address->row = row;
    address->purpose = purpose;
  }
}

// From row `row` on of the address; stream is 0 for the base, i + 1 for layer i.
extern "C" __global__ void captured_noise(real* out, long long rows, long long columns, const Address* address,
                                          long long row, int stream, int normals) {
  noise(out, rows * columns, (address->row + row) * columns, address->seed, address->step,
        (unsigned int) address->purpose << 24 | (unsigned int) stream, normals != 0, blockIdx.x, gridDim.x);
}

// The noise of one stream, [rows, columns] of a vector.
struct Region {
  int stream;
  int column;  // rows times this is where it begins
  int columns;
};

// Normals of `count` streams at once, each by as many blocks.
extern "C" __global__ void captured_streams(real* out, long long rows, const Region* regions, int count,
                                            const Address* address, long long row) {
  Region region = regions[blockIdx.x % count];
  Address at = *address;
  noise(out + region.column * rows, rows * region.columns, (at.row + row) * region.columns, at.seed, at.step,
        (unsigned int) at.purpose << 24 | (unsigned int) region.stream, true, blockIdx.x / count, gridDim.x / count);
}

extern "C" __global__ void noise_at(real* out, long long rows, long long columns, long long seed, long long step,
                                    long long row, int purpose, int stream, int normals) {
  noise(out, rows * columns, row * columns, seed, step, (unsigned int) purpose << 24 | (unsigned int) stream,
        normals != 0, blockIdx.x, gridDim.x);
}
