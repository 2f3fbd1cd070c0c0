// Takes every tile of rows through the operations `from` to `to` - 1 of a program, or through every one of its branches:
// forward, backward, or both. Each of the three is a kernel in a file of its own, which is compiled for the operations
// that its launches meet, beside the others.

// What a model has no use for is not compiled.
#define RUN(KIND, function)               \
  case OP_##KIND:                         \
    if constexpr (USED >> OP_##KIND & 1) { \
      function(b, op);                    \
    }                                     \
    break;

__device__ inline void forward(const Block& b, const Op& op) {
  switch (op.kind) {
    RUN(LINEAR, linearForward)
    RUN(DRAW, drawForward)
    RUN(AUXILIARY, auxiliaryForward)
    RUN(ROW, rowForward)
    RUN(AFFINE, affineForward)
    RUN(MASKED_AFFINE, maskedAffineForward)
    RUN(SPLINE, splineForward)
    RUN(PERMUTE, permuteForward)
    RUN(LOG_DET, logDetForward)
    RUN(MIXTURE, mixtureForward)
    RUN(TERM, termForward)
    RUN(IMPORT, importForward)
    RUN(DATA, dataForward)
    RUN(OBSERVE, observeForward)
    RUN(UPSAMPLE, upsampleForward)
    RUN(CONVOLUTION, convolutionForward)
    RUN(BATCH_NORM, batchNormForward)
    RUN(TRANSPOSED, transposedForward)
    RUN(BERNOULLI, bernoulliForward)
    RUN(SINH_ARCSINH, sinhArcsinhForward)
  }
}

__device__ inline void backward(const Block& b, const Op& op) {
  switch (op.kind) {
    RUN(LINEAR, linearBackward)
    RUN(DRAW, drawBackward)
    RUN(AUXILIARY, auxiliaryBackward)
    RUN(ROW, rowBackward)
    RUN(AFFINE, affineBackward)
    RUN(MASKED_AFFINE, maskedAffineBackward)
    RUN(SPLINE, splineBackward)
    RUN(PERMUTE, permuteBackward)
    RUN(MIXTURE, mixtureBackward)
    RUN(TERM, termBackward)
    RUN(IMPORT, importBackward)
    RUN(EXPORT, exportBackward)
    RUN(UPSAMPLE, upsampleBackward)
    RUN(CONVOLUTION, convolutionBackward)
    RUN(BATCH_NORM, batchNormBackward)
    RUN(TRANSPOSED, transposedBackward)
    RUN(BERNOULLI, bernoulliBackward)
    RUN(SINH_ARCSINH, sinhArcsinhBackward)
  }
}

#undef RUN

// The table holds the variables, then the operations, then whatever these refer to. Where `branches` is given, it has the
// first operation of every branch, and the blocks are (branch, tile). The log-weight is [1 + branches, rows]: the first
// `parts` of these, in their order, are what a row begins with, and its sum goes to the chain's or the branch's own.
//
// A backward pass goes down to the operation `back`, a forward pass begins at `from`. Where a batch norm is given, the
// last block to end makes what it wants of all rows: its statistics behind a forward pass, else the sums of its gradients.
#define WALK_PARAMETERS                                                                                              \
  const int* table, int variables, const int* branches, int from, int back, int to, int parts, const float* weights, \
  float* prepared, const float* constants, const float* images, float* tape, double* logWeight, double* logJoint,    \
  int rows, int tile, int width, float dLogWeight, const NormBatch* norm, int* arrived, float* gradient

#define WALK_ARGUMENTS                                                                                      \
  table, variables, branches, from, back, to, parts, weights, prepared, constants, images, tape, logWeight, \
  logJoint, rows, tile, width, dLogWeight, norm, arrived, gradient

template <bool FORWARD, bool BACKWARD>
__device__ inline void walk(WALK_PARAMETERS) {
  extern __shared__ double memory[];
  int tiles = (rows + tile - 1) / tile;
  int branch = blockIdx.x / tiles;
  double* sums = logWeight;
  if (branches) {
    from = branches[branch];
    back = from;
    to = branches[branch + 1];
    sums += static_cast<int64>(1 + branch) * rows;
  }
  Block b;
  b.terms = memory;
  int* copy = reinterpret_cast<int*>(b.terms + tile * width);
  int words = variables * (sizeof(Variable) / sizeof(int));
  int skipped = from * (sizeof(Op) / sizeof(int));
  int used = (to - from) * (sizeof(Op) / sizeof(int));
  EACH(i, words) {
    copy[i] = table[i];
  }
  EACH(i, used) {
    copy[words + i] = table[words + skipped + i];
  }
  b.table = table;
  b.variables = reinterpret_cast<const Variable*>(copy);
  b.ops = reinterpret_cast<const Op*>(copy + words);
  b.scratch = reinterpret_cast<float*>(copy + words + used);
  b.slots = b.scratch + SCRATCH;
  b.weights = weights;
  b.prepared = prepared;
  b.constants = constants;
  b.images = images;
  b.tape = tape;
  b.logJoint = logJoint;
  b.rows = rows;
  b.first = static_cast<int64>(blockIdx.x - branch * tiles) * tile;
  b.count = min(tile, static_cast<int>(rows - b.first));
  b.tile = tile;
  b.width = width;
  b.dLogWeight = dLogWeight;
  EACH(i, b.count * width) {
    double sum = 0.0;
    for (int p = 0; p < parts && i % width == 0; p++) {
      sum += logWeight[static_cast<int64>(p) * rows + b.first + i / width];
    }
    b.terms[i] = sum;
  }
  __syncthreads();
  if constexpr (FORWARD) {
    for (int i = 0; i < to - from; i++) {
      Op op = b.ops[i];
      forward(b, op);
      __syncthreads();
    }
    EACH(r, b.count) {
      double sum = 0.0;
      for (int j = 0; j < width; j++) {
        sum += b.terms[r * width + j];
      }
      sums[b.first + r] = sum;
    }
  }
  if constexpr (BACKWARD) {
    for (int i = to - from - 1; i >= back - from; i--) {
      Op op = b.ops[i];
      backward(b, op);
      __syncthreads();
    }
  }
  if constexpr (USED >> OP_BATCH_NORM & 1) {
    if (!norm || !lastBlock(arrived, memory)) {
      return;
    }
    if constexpr (BACKWARD) {
      batchGradients(*norm, tape, rows, dLogWeight, weights, prepared, gradient, memory);
    } else {
      batchStatistics(*norm, tape, rows, prepared, memory);
    }
  }
}
