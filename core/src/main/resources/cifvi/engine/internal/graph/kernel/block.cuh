// A program is a table of operations; a block of threads takes a tile of rows through all of them.
//
// Every loop goes over the block's threads in strides, so that any number of threads, one included, is a valid
// execution. Operations are separated by __syncthreads(), which `interpret` calls; inside an operation it stands where
// one phase reads what another thread wrote. Lanes of a warp may share a sum by shuffles where the block consists of
// whole warps; all its threads come to them then, and where it does not, each thread sums alone.

typedef long long int64;

// Loads that a thread has under way at once: memory is far, and a store between two of them would be waited for.
constexpr int UNDER_WAY = 8;

#define EACH(i, n) for (int i = threadIdx.x; i < (n); i += blockDim.x)

// A variable [rows, size]. The tile's part lies in shared memory while it is needed, [tile, size] from column `slot`
// on; `saved` is its column in the tape, where the backward pass, the weight gradients and libtorch find it, or -1. The
// same for its gradient.
struct Variable {
  int size;
  int slot;
  int saved;
  int gradientSlot;
  int gradientSaved;
};

// One operation: inputs a, b, c and outputs y, e are numbers of variables or -1; bit i of `adds` says that the gradient
// of the i-th input has a value already and is added to.
struct Op {
  int kind;
  int a;
  int b;
  int c;
  int y;
  int e;
  int adds;
  int p[9];
};

// i / n for i < 2²⁰ by a product, since a division of integers takes longer than most operations.
struct Quotient {
  float perN;

  __device__ explicit Quotient(int n) : perN(1.0f / n) {}

  __device__ int operator()(int i) const { return static_cast<int>((i + 0.5f) * perN); }
};

// Where an operation writes a variable: to shared memory, and to the tape if it is saved.
struct Output {
  float* value;
  float* saved;

  __device__ void write(int i, float x) const {
    value[i] = x;
    if (saved) {
      saved[i] = x;
    }
  }
};

struct Block {
  const int* table;
  const Variable* variables;
  const Op* ops;
  const float* weights;    // the model's parameters, masked entries zero
  const float* prepared;   // what `prepare` made of them
  const float* constants;
  const float* images;     // the observation, or null
  float* tape;
  double* logJoint;
  double* terms;           // [tile, width], the log-weight in parts: operations need no sum over features
  float* scratch;          // SCRATCH numbers for whatever an operation wants them
  float* slots;
  int64 rows;
  int64 first;             // row of the tile's first
  int count;               // rows of the tile
  int tile;
  int width;
  float dLogWeight;        // gradient of the loss in every row's log-weight

  __device__ int size(int v) const { return variables[v].size; }

  __device__ float* value(int v) const { return slots + variables[v].slot * tile; }

  __device__ float* gradient(int v) const { return slots + variables[v].gradientSlot * tile; }

  // The tile's part of a region of the tape, which holds the whole batch row by row.
  __device__ float* region(int column, int size) const { return tape + column * rows + first * size; }

  __device__ const float* saved(int v) const { return region(variables[v].saved, variables[v].size); }

  __device__ Output output(int v) const {
    Variable variable = variables[v];
    return {slots + variable.slot * tile, variable.saved < 0 ? nullptr : region(variable.saved, variable.size)};
  }

  __device__ void keepGradient(int v, int i, float g) const {
    if (variables[v].gradientSaved >= 0) {
      region(variables[v].gradientSaved, variables[v].size)[i] = g;
    }
  }

  __device__ void addTerm(int row, int column, float x) const { terms[row * width + column] += x; }
};

// Gives the gradient of the op's input number `input` its next part.
__device__ inline void contribute(const Op& op, int input, float* gradient, int i, float g) {
  gradient[i] = op.adds >> input & 1 ? gradient[i] + g : g;
}
