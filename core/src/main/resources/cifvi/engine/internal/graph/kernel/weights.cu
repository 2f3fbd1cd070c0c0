// Gradients of all weights of a step, added to the flat gradient: dW = sum over rows of dy xᵀ, db = sum of dy. A block
// sums a tile of one matrix over a part of the rows; the parts are added in a second launch where there are several.
// Every sum has a fixed order, so that the same step gives the same bits. The bias is one more column, whose x is 1.
//
// Rows do not see each other, so what a row counts for in the objective need not be known before its backward pass:
// where it has an `importance`, its dy is multiplied by that here.

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

// A part of the matrix of a map, whose sides are multiples of four and may reach beyond it.
struct WeightTile {
  Map map;
  int output;   // the first
  int input;
  int outputs;
  int inputs;
  int place;    // of its sums among those of all tiles

  __device__ int size() const { return outputs * inputs; }
};

// What becomes of a sum.
struct Gradient {
  const float* weights;
  const float* prepared;
  const float* mask;  // or null
  float dLogWeights;  // of all rows
  float* gradient;
};

// Where the sum for output o and input i belongs, -1 where nobody wants it; changes the sum to what is wanted there.
__device__ inline int target(const Map& m, int o, int i, const Gradient& g, float& sum) {
  if (o >= m.outputs || i > m.inputs) {
    return -1;
  }
  if (i == m.inputs) {
    return m.bias < 0 ? -1 : m.bias + o;
  }
  if (m.kind == MAP_DENSE) {
    return m.weight + o * m.inputs + i;
  }
  if (m.kind == MAP_LOWER) {
    return i < o ? m.weight + o * (o - 1) / 2 + i : -1;
  }
  if (i == o) {  // dp = σ(p) (dU_ii + 1 / U_ii), once for every row with the gradient of its log-weight
    int at = m.diagonal + o;
    float size = g.prepared[m.prepared + o * m.inputs + o];
    sum = softplus(g.weights[at], MIN_DIAGONAL).slope * (sum + g.dLogWeights / size);
    return at;
  }
  return i > o ? m.weight + o * m.inputs - o * (o + 1) / 2 + i - o - 1 : -1;
}

// Gives the gradient a tile's sums, each the sum of `count` parts that are `stride` numbers apart.
__device__ inline void store(const WeightTile& t, const float* parts, int count, int64 stride, const Gradient& g) {
  int threads = blockDim.x;
  for (int first = threadIdx.x; first < t.size(); first += UNDER_WAY * threads) {
    float sum[UNDER_WAY] = {};
    for (int part = 0; part < count; part++) {
#pragma unroll
      for (int k = 0; k < UNDER_WAY; k++) {
        int e = first + k * threads;
        sum[k] += e < t.size() ? parts[part * stride + e] : 0.0f;
      }
    }
    int at[UNDER_WAY];
    float before[UNDER_WAY];
    float seen[UNDER_WAY];
#pragma unroll
    for (int k = 0; k < UNDER_WAY; k++) {
      int e = first + k * threads;
      int o = e / t.inputs;
      at[k] = e < t.size() ? target(t.map, t.output + o, t.input + e - o * t.inputs, g, sum[k]) : -1;
    }
#pragma unroll
    for (int k = 0; k < UNDER_WAY; k++) {
      before[k] = at[k] >= 0 ? g.gradient[at[k]] : 0.0f;
      seen[k] = at[k] >= 0 && g.mask ? g.mask[at[k]] : 1.0f;
    }
#pragma unroll
    for (int k = 0; k < UNDER_WAY; k++) {
      if (at[k] >= 0) {
        g.gradient[at[k]] = before[k] + sum[k] * seen[k];
      }
    }
  }
}

// What a tile needs of `length` rows, row by row: its inputs, then its gradients of outputs. Neighbouring threads of a
// warp take neighbouring columns, so the number of threads is less than 32 or a multiple of it.
__device__ inline void loadRows(
    const WeightTile& t, const float* tape, const float* importance, int64 rows, int64 firstRow, int length,
    float* chunk) {
  const Map& m = t.map;
  int width = t.inputs + t.outputs;
  int lanes = min(32, static_cast<int>(blockDim.x));
  int warps = blockDim.x / lanes;
  int warp = threadIdx.x / lanes;
  for (int c = threadIdx.x % lanes; c < width; c += lanes) {
    bool isInput = c < t.inputs;
    int column = isInput ? t.input + c : t.output + c - t.inputs;
    int stride = isInput ? m.inputs : m.width;
    const float* from = tape + (isInput ? m.x : m.dy) * rows + firstRow * stride + column + (isInput ? 0 : m.from);
    bool there = column < (isInput ? m.inputs : m.outputs);
    float missing = isInput && column == m.inputs ? 1.0f : 0.0f;
    const float* factor = isInput ? nullptr : importance;
    for (int first = warp; first < length; first += UNDER_WAY * warps) {
      float v[UNDER_WAY];
      float part[UNDER_WAY];
#pragma unroll
      for (int k = 0; k < UNDER_WAY; k++) {
        int row = first + k * warps;
        v[k] = there && row < length ? from[static_cast<int64>(row) * stride] : missing;
        part[k] = factor && row < length ? factor[firstRow + row] : 1.0f;
      }
#pragma unroll
      for (int k = 0; k < UNDER_WAY; k++) {
        int row = first + k * warps;
        if (row < length) {
          chunk[row * width + c] = isInput && m.rectify ? relu(v[k]) : v[k] * part[k];
        }
      }
    }
  }
}

// sums += a b
__device__ inline void addMultiple(float4& sums, float a, const float4& b) {
  sums.x = fmaf(a, b.x, sums.x);
  sums.y = fmaf(a, b.y, sums.y);
  sums.z = fmaf(a, b.z, sums.z);
  sums.w = fmaf(a, b.w, sums.w);
}

// Adds dy xᵀ of the rows in `chunk`. A thread sums four inputs of four outputs, over all rows or, where there are
// threads enough, over a share of them, which has sums of its own.
__device__ inline void addRows(const WeightTile& t, const float4* chunk, int length, int shares, float4* sums) {
  int across = t.inputs / 4;
  int width = across + t.outputs / 4;
  int items = t.size() / 16;
  EACH(p, items * shares) {
    int share = p / items;
    int o = (p - share * items) / across;
    int i = p - share * items - o * across;
    float4 sum[4] = {};
#pragma unroll 4
    for (int row = share; row < length; row += shares) {
      float4 x = chunk[row * width + i];
      float4 dy = chunk[row * width + across + o];
      addMultiple(sum[0], dy.x, x);
      addMultiple(sum[1], dy.y, x);
      addMultiple(sum[2], dy.z, x);
      addMultiple(sum[3], dy.w, x);
    }
    float4* own = sums + (share * t.outputs + 4 * o) * across + i;
#pragma unroll
    for (int k = 0; k < 4; k++) {
      addMultiple(own[k * across], 1.0f, sum[k]);
    }
  }
}

// The sums of a tile over some rows, in as many shares as it returns.
__device__ inline int sumRows(
    const WeightTile& t, const float* tape, const float* importance, int64 rows, int64 from, int64 to, float* sums,
    float* chunk) {
  int shares = max(1, min(16 * static_cast<int>(blockDim.x) / t.size(), MAX_SHARES));
  EACH(e, t.size() * shares) {
    sums[e] = 0.0f;
  }
  int64 most = WEIGHT_CHUNK / (t.inputs + t.outputs);
  for (int64 first = from; first < to; first += most) {
    int length = static_cast<int>(min(most, to - first));
    __syncthreads();
    loadRows(t, tape, importance, rows, first, length, chunk);
    __syncthreads();
    addRows(t, reinterpret_cast<const float4*>(chunk), length, shares, reinterpret_cast<float4*>(sums));
  }
  __syncthreads();
  return shares;
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

// Every block takes a tile and a part of the rows, the last one the mean of the log-weights, unless another objective was
// made of them. `partial` gets the sums of all tiles part by part, `total` numbers each, where there is more than one.
extern "C" __global__ void __launch_bounds__(WEIGHT_THREADS, WEIGHT_RESIDENT) weight_gradients(
    const WeightTile* tiles,
    int count,
    int parts,
    float* partial,
    int total,
    const float* weights,
    const float* prepared,
    const float* mask,
    const float* tape,
    const float* importance,
    int rows,
    float dLogWeight,
    float* gradient,
    const double* logWeight,
    double* objective) {
  extern __shared__ double memory[];
  int block = blockIdx.x;
  if (block == count * parts) {
    if (!importance) {
      mean(logWeight, rows, objective, memory);
    }
    return;
  }
  WeightTile t = tiles[block % count];
  int64 part = block / count;
  float* sums = reinterpret_cast<float*>(memory);
  float* chunk = sums + WEIGHT_SUMS;
  int shares = sumRows(t, tape, importance, rows, rows * part / parts, rows * (part + 1) / parts, sums, chunk);
  if (parts == 1) {
    store(t, sums, shares, t.size(), {weights, prepared, mask, dLogWeight * rows, gradient});
    return;
  }
  EACH(e, t.size()) {
    float sum = sums[e];
    for (int share = 1; share < shares; share++) {
      sum += sums[share * t.size() + e];
    }
    partial[part * total + t.place + e] = sum;
  }
}

// Adds the parts up, one block a tile.
extern "C" __global__ void add_weight_parts(
    const WeightTile* tiles,
    int parts,
    const float* partial,
    int total,
    const float* weights,
    const float* prepared,
    const float* mask,
    int rows,
    float dLogWeight,
    float* gradient) {
  WeightTile t = tiles[blockIdx.x];
  store(t, partial + t.place, parts, total, {weights, prepared, mask, dLogWeight * rows, gradient});
}
