// Lets g++ compile CUDA kernels and run them on the processor, block after block. The threads of a block are
// coroutines that change over at __syncthreads(): one phase of all threads, in ascending or descending order, then the
// next. A kernel that gives other bits in the other order has a race.
#include <math.h>
#include <string.h>
#include <ucontext.h>

#include <algorithm>
#include <utility>
#include <vector>

#define __device__
#define __global__
#define __shared__
#define __maxnreg__(n)
#define __launch_bounds__(...)

using std::max;
using std::min;

struct float2 {
  float x;
  float y;
};

struct float4 {
  float x;
  float y;
  float z;
  float w;
};

struct Index {
  unsigned x;
};

static Index blockIdx;
static Index blockDim;
static Index gridDim;
static Index threadIdx;

constexpr int SHARED_BYTES = 227 * 1024;
constexpr int STACK_BYTES = 64 * 1024;

double memory[SHARED_BYTES / sizeof(double)];

struct Fiber {
  ucontext_t context;
  std::vector<char> stack;
  bool done;
};

static ucontext_t scheduler;
static std::vector<Fiber> fibers;
static void (*body)(void**);
static void** bodyArguments;

static void __syncthreads() {
  if (blockDim.x > 1) {
    swapcontext(&fibers[threadIdx.x].context, &scheduler);
  }
}

// What the thread `lane` away holds. All threads of a block come here, since changing over is for all of them.
static float __shfl_xor_sync(unsigned, float own, int lane) {
  static float held[1024];
  held[threadIdx.x] = own;
  __syncthreads();
  float other = held[threadIdx.x ^ lane];
  __syncthreads();
  return other;
}

// Blocks run one after the other.
static int atomicAdd(int* at, int n) {
  int before = *at;
  *at += n;
  return before;
}

static void __threadfence() {}

static void run() {
  unsigned own = threadIdx.x;
  body(bodyArguments);
  fibers[own].done = true;
  swapcontext(&fibers[own].context, &scheduler);
}

static void start(Fiber& fiber) {
  fiber.done = false;
  fiber.stack.resize(STACK_BYTES);
  getcontext(&fiber.context);
  fiber.context.uc_stack.ss_sp = fiber.stack.data();
  fiber.context.uc_stack.ss_size = STACK_BYTES;
  fiber.context.uc_link = nullptr;
  makecontext(&fiber.context, run, 0);
}

// Whether all threads came to the same number of barriers.
static bool runBlock(int threads, bool descending) {
  memset(memory, 0xff, SHARED_BYTES);  // NaN: nobody may read what nobody wrote
  if (threads == 1) {
    threadIdx.x = 0;
    body(bodyArguments);
    return true;
  }
  for (Fiber& fiber : fibers) {
    start(fiber);
  }
  int done = 0;
  while (done == 0) {
    for (int t = 0; t < threads; t++) {
      threadIdx.x = descending ? threads - 1 - t : t;
      Fiber& fiber = fibers[threadIdx.x];
      swapcontext(&scheduler, &fiber.context);
      done += fiber.done;
    }
  }
  return done == threads;
}

template <class... A, size_t... I>
static void call(void (*kernel)(A...), void** arguments, std::index_sequence<I...>) {
  kernel(*static_cast<A*>(arguments[I])...);
}

template <class... A>
static void unpack(void (*kernel)(A...), void** arguments) {
  call(kernel, arguments, std::index_sequence_for<A...>());
}

// Whether nobody wrote behind the shared memory that was asked for.
static bool untouched(int sharedBytes) {
  const char* bytes = reinterpret_cast<const char*>(memory);
  return std::all_of(bytes + sharedBytes, bytes + SHARED_BYTES, [](char c) { return c == '\xff'; });
}

static int launch(
    void (*kernel)(void**), int blocks, int threads, int sharedBytes, int descending, void** arguments) {
  body = kernel;
  bodyArguments = arguments;
  fibers.resize(threads);
  blockDim.x = threads;
  gridDim.x = blocks;
  for (int i = 0; i < blocks; i++) {
    blockIdx.x = descending ? blocks - 1 - i : i;
    if (!runBlock(threads, descending)) {
      return 1;
    }
    if (!untouched(sharedBytes)) {
      return 2;
    }
  }
  return 0;
}

// Makes launch_NAME(blocks, threads, sharedBytes, descending, arguments) of a kernel: 0 when all went well.
#define KERNEL(name)                                                                                        \
  extern "C" int launch_##name(int blocks, int threads, int sharedBytes, int descending, void** arguments) { \
    return launch([](void** a) { unpack(name, a); }, blocks, threads, sharedBytes, descending, arguments);  \
  }
