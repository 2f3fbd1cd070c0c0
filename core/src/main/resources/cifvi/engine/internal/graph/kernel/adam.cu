// From a gradient to new parameters without asking the host: norm, finite or not, clip, Adam.
//
// The flat vectors are cut into tiles, each within one tensor, of four elements a thread: it reads them all before it
// writes any, since memory is far. Sums are in double and in a fixed order, so the same gradient gives the same bits.

// Set by the host before every step.
struct Step {
  Address address;  // of the step's noise
  double rate;      // learning rate
  long long slot;   // where in the ring the step reports; negative in a warm-up, which changes nothing
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

constexpr int EACH_THREAD = 4;
constexpr int GROUP = 16;

extern __shared__ double memory[];  // a number a thread and one a group

// Sum of one number of every thread: threads 0, 1, … sum a group each, then all of them the groups.
__device__ double block_sum(double value) {
  int threads = blockDim.x;
  int groups = (threads + GROUP - 1) / GROUP;
  memory[threadIdx.x] = value;
  __syncthreads();
  if ((int) threadIdx.x < groups) {
    double sum = 0;
    for (int i = threadIdx.x; i < threads; i += groups) {
      sum += memory[i];
    }
    memory[threads + threadIdx.x] = sum;
  }
  __syncthreads();
  double sum = 0;
  for (int i = 0; i < groups; i++) {
    sum += memory[threads + i];
  }
  return sum;
}

// Whether any entry of the tiles from `from` to `to` - 1 is not zero.
__device__ bool moves(const long long* any, long long from, long long to) {
  long long found = 0;
#pragma unroll 8
  for (long long i = from; i < to; i++) {
    found |= any[i];
  }
  return found != 0;
}

// What makes a decision, and where it is written.
//
// clocks[0] is the number of updates made; clocks[1 + t] that before which the clock of tensor t started, or -1.
// rates[t] = rate / (1 - b1^k) and roots[t] = sqrt(1 - b2^k), k updates after the start; 1 - b^k is 1 before it.
// Tiles of tensor t are firsts[t] to firsts[t + 1] - 1, with a sum of squares each, and whether any entry is not zero;
// ring holds (objective, norm, applied) of every slot.
struct Decision {
  Step* step;
  const long long* firsts;
  double* squares;
  long long* any;
  const double* objective;
  long long* clocks;
  double* rates;
  double* roots;
  unsigned char* applied;
  double* ring;
};

// By one block: the norm, whether the step counts, the clocks of Adam and what the step reports.
__device__ inline void decide(const Decision& d, long long tensors, long long tiles, double clip) {
  double value = *d.objective;
  double rate = d.step->rate;
  long long slot = d.step->slot;
  long long updates = d.clocks[0];
  double sum = 0;
#pragma unroll 4
  for (long long i = threadIdx.x; i < tiles; i += blockDim.x) {
    sum += d.squares[i];
  }
  double norm = sqrt(block_sum(sum));  // behind its barriers, what was read above may change
  bool finite = isfinite(norm) && isfinite(value);
  bool apply = finite && slot >= 0;
  if (threadIdx.x == 0) {
    double factor = clip / (norm + CLIP_EPSILON);
    d.step->factor = factor < 1 ? factor : 1;
    *d.applied = apply ? 1 : 0;
    if (apply) {
      d.clocks[0] = updates + 1;
    }
    if (slot >= 0) {
      double* report = d.ring + 3 * slot;
      report[0] = value;
      report[1] = norm;
      report[2] = finite ? 1 : 0;
    }
  }
  if (!apply) {
    return;
  }
  long long known = -2;  // the start that the corrections are for: most tensors have the same
  double correction1 = 1;
  double correction2 = 1;
  for (long long t = threadIdx.x; t < tensors; t += blockDim.x) {
    long long start = d.clocks[1 + t];
    if (start < 0 && moves(d.any, d.firsts[t], d.firsts[t + 1])) {
      start = updates;
      d.clocks[1 + t] = start;
    }
    if (start != known) {
      double k = (double) (updates + 1 - start);
      correction1 = start < 0 ? 1 : 1 - pow(BETA1, k);
      correction2 = start < 0 ? 1 : 1 - pow(BETA2, k);
      known = start;
    }
    d.rates[t] = rate / correction1;
    d.roots[t] = sqrt(correction2);
  }
}

// One block a tile: masks the gradient, sums its squares, and notes whether any entry is not zero. The last one decides.
extern "C" __global__ void gradient_squares(const Tile* tiles, real* gradient, const real* mask, Decision decision,
                                            long long tensors, double clip, int* arrived) {
  Tile tile = tiles[blockIdx.x];
  if (threadIdx.x == 0) {
    decision.any[blockIdx.x] = 0;
  }
  __syncthreads();
  double sum = 0;
  bool found = false;
  for (long long first = tile.from + threadIdx.x; first < tile.to; first += EACH_THREAD * blockDim.x) {
    real g[EACH_THREAD];
    real seen[EACH_THREAD];
#pragma unroll
    for (int k = 0; k < EACH_THREAD; k++) {
      long long i = first + k * blockDim.x;
      g[k] = i < tile.to ? gradient[i] : (real) 0;
      seen[k] = i < tile.to && mask ? mask[i] : (real) 1;
    }
#pragma unroll
    for (int k = 0; k < EACH_THREAD; k++) {
      real masked = g[k] * seen[k];
      if (masked != g[k]) {
        gradient[first + k * blockDim.x] = masked;
      }
      found = found || masked != 0;
      sum += (double) masked * masked;
    }
  }
  if (found) {
    decision.any[blockIdx.x] = 1;  // the same from whichever threads
  }
  sum = block_sum(sum);
  if (threadIdx.x == 0) {
    decision.squares[blockIdx.x] = sum;
  }
  if (lastBlock(arrived, memory)) {
    decide(decision, tensors, gridDim.x, clip);
  }
}

// One block a tile:
//   m <- b1 m + (1-b1) g,  v <- b2 v + (1-b2) g^2,  theta <- theta - rate/(1-b1^k) m / (sqrt(v) / sqrt(1-b2^k) + eps)
// with the clipped gradient g; the networks see theta times the mask.
extern "C" __global__ void adam(const Step* step, const Tile* tiles, const unsigned char* applied, const double* rates,
                                const double* roots, real* gradient, const real* mask, real* m, real* v,
                                real* values, real* effective) {
  Tile tile = tiles[blockIdx.x];
  real factor = (real) step->factor;
  if (!*applied) {
    return;
  }
  real rate = (real) rates[tile.tensor];
  real root = (real) roots[tile.tensor];
  for (long long begin = tile.from + threadIdx.x; begin < tile.to; begin += EACH_THREAD * blockDim.x) {
    real g[EACH_THREAD];
    real first[EACH_THREAD];
    real second[EACH_THREAD];
    real moved[EACH_THREAD];
    real seen[EACH_THREAD];
#pragma unroll
    for (int k = 0; k < EACH_THREAD; k++) {
      long long i = min(begin + k * (long long) blockDim.x, tile.to - 1);  // the last one again rather than none
      g[k] = gradient[i];
      first[k] = m[i];
      second[k] = v[i];
      moved[k] = values[i];
      seen[k] = mask ? mask[i] : (real) 1;
    }
#pragma unroll
    for (int k = 0; k < EACH_THREAD; k++) {
      long long i = begin + k * (long long) blockDim.x;
      if (i >= tile.to) {
        break;
      }
      g[k] *= factor;
      first[k] = fma(first[k], (real) BETA1, g[k] * (real) (1 - BETA1));  // else the compiler chooses which to round
      second[k] = fma(second[k], (real) BETA2, g[k] * g[k] * (real) (1 - BETA2));
      moved[k] -= rate * (first[k] / (sqrt(second[k]) / root + (real) EPSILON));
      if (factor != 1) {
        gradient[i] = g[k];
      }
      m[i] = first[k];
      v[i] = second[k];
      values[i] = moved[k];
      if (mask) {
        effective[i] = moved[k] * seen[k];
      }
    }
  }
}
