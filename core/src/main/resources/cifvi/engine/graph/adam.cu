// From a gradient to new parameters without asking the host: norm, finite or not, clip, Adam.
//
// The flat vectors are cut into tiles, each within one tensor; sums are in double and in a fixed order, so the same
// gradient gives the same bits.

// Set by the host before every step.
struct Step {
  Address address;  // of the step's noise
  double rate;      // learning rate
  long long slot;   // where in the ring the step reports; negative in a rehearsal, which changes nothing
  double factor;    // what clipping multiplies the gradient by
};

// Elements from to to - 1 of the flat vectors, all of one tensor.
struct Tile {
  long long tensor;
  long long from;
  long long to;
};

extern "C" __global__ void set_step(Step* step, long long seed, long long number, long long purpose, double rate,
                                    long long slot) {
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    step->address.seed = seed;
    step->address.step = number;
    step->address.row = 0;
    step->address.purpose = purpose;
    step->rate = rate;
    step->slot = slot;
  }
}

extern __shared__ double memory[];  // one number a thread

// Sums of a block in the order of a tree; every thread gets the sum. The number of threads is a power of two.
__device__ double block_sum(double value) {
  memory[threadIdx.x] = value;
  __syncthreads();
  for (int half = (int) blockDim.x / 2; half > 0; half /= 2) {
    if ((int) threadIdx.x < half) {
      memory[threadIdx.x] += memory[threadIdx.x + half];
    }
    __syncthreads();
  }
  double sum = memory[0];
  __syncthreads();
  return sum;
}

// One block a tile: masks the gradient, sums its squares, and notes whether any entry is not zero.
extern "C" __global__ void gradient_squares(const Tile* tiles, real* gradient, const real* mask, double* squares,
                                            long long* any) {
  Tile tile = tiles[blockIdx.x];
  if (threadIdx.x == 0) {
    any[blockIdx.x] = 0;
  }
  __syncthreads();
  double sum = 0;
  bool found = false;
  for (long long i = tile.from + threadIdx.x; i < tile.to; i += blockDim.x) {
    real g = gradient[i];
    if (mask) {
      g *= mask[i];
      gradient[i] = g;
    }
    found = found || g != 0;
    sum += (double) g * g;
  }
  if (found) {
    any[blockIdx.x] = 1;  // the same from whichever threads
  }
  sum = block_sum(sum);
  if (threadIdx.x == 0) {
    squares[blockIdx.x] = sum;
  }
}

// One block: the norm, whether the step counts, the clocks of Adam and what the step reports.
//
// clocks[0] is the number of updates made; clocks[1 + t] that before which the clock of tensor t started, or -1.
// rates[t] = rate / (1 - b1^k) and roots[t] = sqrt(1 - b2^k), k updates after the start; 1 - b^k is 1 before it.
// Tiles of tensor t are firsts[t] to firsts[t + 1] - 1; ring holds (objective, norm, applied) of every slot.
extern "C" __global__ void decide(Step* step, long long tensors, const long long* firsts, const double* squares,
                                  const long long* any, const double* objective, double clip, long long* clocks,
                                  double* rates, double* roots, unsigned char* applied, double* ring) {
  double sum = 0;
  for (long long i = threadIdx.x; i < firsts[tensors]; i += blockDim.x) {
    sum += squares[i];
  }
  double norm = sqrt(block_sum(sum));
  double value = *objective;
  bool finite = isfinite(norm) && isfinite(value);
  bool apply = finite && step->slot >= 0;
  long long updates = clocks[0];
  __syncthreads();  // before anything read above is changed
  if (threadIdx.x == 0) {
    double factor = clip / (norm + 1e-6);
    step->factor = factor < 1 ? factor : 1;
    *applied = apply ? 1 : 0;
    if (apply) {
      clocks[0] = updates + 1;
    }
    if (step->slot >= 0) {
      double* report = ring + 3 * step->slot;
      report[0] = value;
      report[1] = norm;
      report[2] = finite ? 1 : 0;
    }
  }
  if (!apply) {
    return;
  }
  for (long long t = threadIdx.x; t < tensors; t += blockDim.x) {
    for (long long i = firsts[t]; i < firsts[t + 1] && clocks[1 + t] < 0; i++) {
      if (any[i]) {
        clocks[1 + t] = updates;
      }
    }
    long long start = clocks[1 + t];
    double k = (double) (updates + 1 - start);
    rates[t] = step->rate / (start < 0 ? 1 : 1 - pow(BETA1, k));
    roots[t] = start < 0 ? 1 : sqrt(1 - pow(BETA2, k));
  }
}

// One block a tile:
//   m <- b1 m + (1-b1) g,  v <- b2 v + (1-b2) g^2,  theta <- theta - rate/(1-b1^k) m / (sqrt(v) / sqrt(1-b2^k) + eps)
// with the clipped gradient g; the networks see theta times the mask.
extern "C" __global__ void adam(const Step* step, const Tile* tiles, const unsigned char* applied, const double* rates,
                                const double* roots, real* gradient, const real* mask, real* m, real* v,
                                real* values, real* effective) {
  if (!*applied) {
    return;
  }
  Tile tile = tiles[blockIdx.x];
  real factor = (real) step->factor;
  real rate = (real) rates[tile.tensor];
  real root = (real) roots[tile.tensor];
  for (long long i = tile.from + threadIdx.x; i < tile.to; i += blockDim.x) {
    real g = gradient[i] * factor;
    real first = m[i] * (real) BETA1 + g * (real) (1 - BETA1);
    real second = v[i] * (real) BETA2 + g * g * (real) (1 - BETA2);
    real moved = values[i] - rate * (first / (sqrt(second) / root + (real) EPSILON));
    gradient[i] = g;
    m[i] = first;
    v[i] = second;
    values[i] = moved;
    if (mask) {
      effective[i] = moved * mask[i];
    }
  }
}
