// What a step makes of the weights before their first use, one block a job: transposed weights, so that the forward
// pass reads neighbouring numbers too, and the matrices of LU maps.

// Parameters of a job: kind, then for a transposition source, target, outputs, inputs and the corner of its tile.
__device__ inline void transpose(const int* job, const float* weights, float* prepared, float* shared) {
  int outputs = job[3];
  int inputs = job[4];
  int o = job[5];
  int i = job[6];
  EACH(e, TILE_SIDE * TILE_SIDE) {
    int row = o + e / TILE_SIDE;
    int column = i + e % TILE_SIDE;
    if (row < outputs && column < inputs) {
      shared[e / TILE_SIDE * (TILE_SIDE + 1) + e % TILE_SIDE] = weights[job[1] + row * inputs + column];
    }
  }
  __syncthreads();
  EACH(e, TILE_SIDE * TILE_SIDE) {
    int column = i + e / TILE_SIDE;
    int row = o + e % TILE_SIDE;
    if (row < outputs && column < inputs) {
      prepared[job[2] + column * outputs + row] = shared[e % TILE_SIDE * (TILE_SIDE + 1) + e / TILE_SIDE];
    }
  }
}

// L unit lower and U upper triangular, diag U = softplus(p) + MIN_DIAGONAL. Parameters: places of p, of the strict
// triangles row by row, the target and d. The target gets L, Lᵀ, U, Uᵀ and the d logarithms of diag U.
__device__ inline void factors(const int* job, const float* weights, float* prepared) {
  int d = job[5];
  float* lower = prepared + job[4];
  float* upper = lower + 2 * d * d;
  EACH(e, d * d) {
    int i = e / d;
    int j = e - i * d;
    float l = j < i ? weights[job[2] + i * (i - 1) / 2 + j] : i == j ? 1.0f : 0.0f;
    float u = j > i ? weights[job[3] + i * d - i * (i + 1) / 2 + j - i - 1] : 0.0f;
    if (i == j) {
      u = softplus(weights[job[1] + i], MIN_DIAGONAL).value;
      upper[2 * d * d + i] = logf(u);
    }
    lower[e] = l;
    lower[d * d + j * d + i] = l;
    upper[e] = u;
    upper[d * d + j * d + i] = u;
  }
}

extern "C" __global__ void prepare(const int* jobs, const float* weights, float* prepared) {
  extern __shared__ double memory[];
  const int* job = jobs + blockIdx.x * PREPARE_JOB;
  if (job[0] == PREPARE_TRANSPOSE) {
    transpose(job, weights, prepared, reinterpret_cast<float*>(memory));
  } else {
    factors(job, weights, prepared);
  }
}
