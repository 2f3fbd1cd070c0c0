// Gradients of all weights of a step, added to the flat gradient: dW = sum over rows of dy xᵀ, db = sum of dy. One
// block a tile of one matrix, rows in fixed order, so that the same step gives the same bits; the bias is one more
// column, whose x is 1.

// A linear map whose weight gradients are wanted.
struct Map {
  int kind;
  int x;        // column of its input in the tape
  int inputs;
  int rectify;  // whether it sees relu(x)
  int dy;       // column of the gradient of its output
  int outputs;
  int width;    // of the variable the output is a part of, from its column
  int from;     // on
  int weight;   // place of W, or of the strict triangle
  int bias;     // place of the bias or -1
  int diagonal; // of U: place of p,
  int prepared; // and of U
};

// Where the sum for output o and input i belongs, and with which factor; -1 where nobody wants it.
__device__ inline void store(
    const Map& m, int o, int i, float sum, const float* weights, const float* prepared, const float* mask, float seeds,
    float* gradient) {
  int at = -1;
  if (i == m.inputs) {
    at = m.bias < 0 ? -1 : m.bias + o;
  } else if (m.kind == MAP_DENSE) {
    at = m.weight + o * m.inputs + i;
  } else if (m.kind == MAP_LOWER) {
    at = i < o ? m.weight + o * (o - 1) / 2 + i : -1;
  } else if (i > o) {
    at = m.weight + o * m.inputs - o * (o + 1) / 2 + i - o - 1;
  } else if (i == o) {  // dp = σ(p) (dU_ii + 1 / U_ii), once for every row with its weight in the loss
    at = m.diagonal + o;
    sum = softplus(weights[at]).slope * (sum + seeds / prepared[m.prepared + o * m.inputs + o]);
  }
  if (at >= 0) {
    gradient[at] += mask ? sum * mask[at] : sum;
  }
}

// A tile has EDGE outputs and at most SPAN inputs; a thread sums four inputs of one output, over all rows of a chunk
// or, where there are threads enough, over a share of them.
__device__ inline void weightTile(
    const Map& m, int o, int i, const float* weights, const float* prepared, const float* mask, const float* tape,
    int64 rows, float seeds, float* gradient, float4* shared) {
  int groups = (min(SPAN, m.inputs + 1 - i) + 3) / 4;
  int items = EDGE * groups;
  int shares = max(1, min(static_cast<int>(blockDim.x) / items, CHUNK / 4));
  float4* sums = shared;
  float4* x = sums + items * shares;
  float* x1 = reinterpret_cast<float*>(x);
  float* dy = reinterpret_cast<float*>(x + CHUNK * groups);
  EACH(p, items * shares) {
    sums[p] = {0.0f, 0.0f, 0.0f, 0.0f};
  }
  const float* xs = tape + m.x * rows;
  const float* dys = tape + m.dy * rows;
  for (int64 first = 0; first < rows; first += CHUNK) {
    int length = static_cast<int>(min(static_cast<int64>(CHUNK), rows - first));
    __syncthreads();
#pragma unroll 4
    EACH(e, length * groups * 4) {
      int row = e / (groups * 4);
      int input = i + e - row * groups * 4;
      float v = input == m.inputs ? 1.0f : 0.0f;
      if (input < m.inputs) {
        v = xs[(first + row) * m.inputs + input];
        v = m.rectify ? relu(v) : v;
      }
      x1[e] = v;
    }
#pragma unroll 4
    EACH(e, length * EDGE) {
      int output = o + e % EDGE;
      dy[e] = output < m.outputs ? dys[(first + e / EDGE) * m.width + m.from + output] : 0.0f;
    }
    __syncthreads();
    EACH(p, items * shares) {
      int share = p / items;
      int item = p - share * items;
      int output = item / groups;
      int group = item - output * groups;
      float4 sum = {0.0f, 0.0f, 0.0f, 0.0f};
#pragma unroll 4
      for (int r = share; r < length; r += shares) {
        float d = dy[r * EDGE + output];
        float4 v = x[r * groups + group];
        sum.x = fmaf(d, v.x, sum.x);
        sum.y = fmaf(d, v.y, sum.y);
        sum.z = fmaf(d, v.z, sum.z);
        sum.w = fmaf(d, v.w, sum.w);
      }
      sums[p].x += sum.x;
      sums[p].y += sum.y;
      sums[p].z += sum.z;
      sums[p].w += sum.w;
    }
  }
  __syncthreads();
  const float* parts = reinterpret_cast<const float*>(sums);
  EACH(e, items * 4) {
    int output = o + e / (groups * 4);
    int input = i + e % (groups * 4);
    float sum = parts[e];
    for (int share = 1; share < shares; share++) {
      sum += parts[share * items * 4 + e];
    }
    if (output < m.outputs && input <= m.inputs) {
      store(m, output, input, sum, weights, prepared, mask, seeds, gradient);
    }
  }
}

// The mean of the log-weights.
__device__ inline void mean(const double* logWeight, int64 rows, double* objective, double* sums) {
  double sum = 0.0;
  EACH(row, rows) {
    sum += logWeight[row];
  }
  sum = blockSum(sum, sums);
  if (threadIdx.x == 0) {
    *objective = sum / rows;
  }
}

// Tiles are (map, first output, first input); the last block, which has none, takes the mean of the log-weights.
extern "C" __global__ void weight_gradients(
    const int* maps,
    const int* tiles,
    int count,
    const float* weights,
    const float* prepared,
    const float* mask,
    const float* tape,
    int rows,
    float seed,
    float* gradient,
    const double* logWeight,
    double* objective) {
  extern __shared__ double memory[];
  if (static_cast<int>(blockIdx.x) == count) {
    mean(logWeight, rows, objective, memory);
    return;
  }
  const int* tile = tiles + 3 * blockIdx.x;
  const Map& m = reinterpret_cast<const Map*>(maps)[tile[0]];
  weightTile(
      m, tile[1], tile[2], weights, prepared, mask, tape, rows, seed * rows, gradient,
      reinterpret_cast<float4*>(memory));
}
