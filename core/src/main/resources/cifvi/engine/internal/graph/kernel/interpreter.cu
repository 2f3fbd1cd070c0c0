// Takes every tile of rows through the operations `from` to `to` - 1 of a program, or through every one of its branches:
// forward, backward, or both.

__device__ inline void forward(const Block& b, const Op& op) {
  switch (op.kind) {
    case OP_LINEAR: linearForward(b, op); break;
    case OP_DRAW: drawForward(b, op); break;
    case OP_AUXILIARY: auxiliaryForward(b, op); break;
    case OP_ROW: rowForward(b, op); break;
    case OP_AFFINE: affineForward(b, op); break;
    case OP_MASKED_AFFINE: maskedAffineForward(b, op); break;
    case OP_SPLINE: splineForward(b, op); break;
    case OP_PERMUTE: permuteForward(b, op); break;
    case OP_LOG_DET: logDetForward(b, op); break;
    case OP_MIXTURE: mixtureForward(b, op); break;
    case OP_TERM: termForward(b, op); break;
    case OP_IMPORT: importForward(b, op); break;
    case OP_DATA: dataForward(b, op); break;
    case OP_OBSERVE: observeForward(b, op); break;
    case OP_UPSAMPLE: upsampleForward(b, op); break;
    case OP_CONVOLUTION: convolutionForward(b, op); break;
    case OP_BATCH_NORM: batchNormForward(b, op); break;
    case OP_TRANSPOSED: transposedForward(b, op); break;
    case OP_BERNOULLI: bernoulliForward(b, op); break;
    case OP_SINH_ARCSINH: sinhArcsinhForward(b, op); break;
  }
}

__device__ inline void backward(const Block& b, const Op& op) {
  switch (op.kind) {
    case OP_LINEAR: linearBackward(b, op); break;
    case OP_DRAW: drawBackward(b, op); break;
    case OP_AUXILIARY: auxiliaryBackward(b, op); break;
    case OP_ROW: rowBackward(b, op); break;
    case OP_AFFINE: affineBackward(b, op); break;
    case OP_MASKED_AFFINE: maskedAffineBackward(b, op); break;
    case OP_SPLINE: splineBackward(b, op); break;
    case OP_PERMUTE: permuteBackward(b, op); break;
    case OP_MIXTURE: mixtureBackward(b, op); break;
    case OP_TERM: termBackward(b, op); break;
    case OP_IMPORT: importBackward(b, op); break;
    case OP_EXPORT: exportBackward(b, op); break;
    case OP_UPSAMPLE: upsampleBackward(b, op); break;
    case OP_CONVOLUTION: convolutionBackward(b, op); break;
    case OP_BATCH_NORM: batchNormBackward(b, op); break;
    case OP_TRANSPOSED: transposedBackward(b, op); break;
    case OP_BERNOULLI: bernoulliBackward(b, op); break;
    case OP_SINH_ARCSINH: sinhArcsinhBackward(b, op); break;
  }
}

// The table holds the variables, then the operations, then whatever these refer to. Where `branches` is given, it has the
// first operation of every branch, and the blocks are (branch, tile). The log-weight is [1 + branches, rows]: the first
// `parts` of these, in their order, are what a row begins with, and its sum goes to the chain's or the branch's own.
extern "C" __global__ void __maxnreg__(REGISTERS) interpret(
    const int* table,
    int variables,
    const int* branches,
    int from,
    int to,
    int parts,
    int passes,
    const float* weights,
    const float* prepared,
    const float* constants,
    const float* images,
    float* tape,
    double* logWeight,
    double* logJoint,
    int rows,
    int tile,
    int width,
    float dLogWeight) {
  extern __shared__ double memory[];
  int tiles = (rows + tile - 1) / tile;
  int branch = blockIdx.x / tiles;
  double* sums = logWeight;
  if (branches) {
    from = branches[branch];
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
  if (passes & PASS_FORWARD) {
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
  if (passes & PASS_BACKWARD) {
    for (int i = to - from - 1; i >= 0; i--) {
      Op op = b.ops[i];
      backward(b, op);
      __syncthreads();
    }
  }
}
