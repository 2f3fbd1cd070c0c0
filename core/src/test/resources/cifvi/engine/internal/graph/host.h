// Lets g++ compile CUDA kernels and run them on the processor, block after block. The threads of a block are
// coroutines that change over at __syncthreads(): one phase of all threads, in ascending or descending order, then the
// next. A kernel that gives other bits in the other order has a race.
#include <math.h>
#include <setjmp.h>
#include <string.h>
#include <ucontext.h>

#include <algorithm>
#include <utility>
#include <vector>

#define HOST
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

struct uint4 {
  unsigned x;
  unsigned y;
  unsigned z;
  unsigned w;
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

// A thread of a block. It begins in its context; later it changes over by jumps, which ask the system for nothing.
struct Fiber {
  ucontext_t context;
  jmp_buf at;
  std::vector<char> stack;
  bool begun;
  bool done;
};

static jmp_buf scheduler;
static std::vector<Fiber> fibers;
static void (*body)(void**);
static void** bodyArguments;
static unsigned finished;   // threads of the block
static bool missed;         // whether one waits for a thread that has finished
static unsigned atBarrier;  // threads that have come to one, over all barriers of the block
static unsigned atWarpBarrier[32];

static void changeOver() {
  if (!_setjmp(fibers[threadIdx.x].at)) {
    _longjmp(scheduler, 1);
  }
}

// Waits until `count` threads have come here, and `count` more the next time.
static void wait(unsigned& arrived, unsigned count) {
  unsigned all = (arrived / count + 1) * count;
  arrived++;
  while (arrived < all && !missed) {
    missed = finished > 0;
    changeOver();
  }
}

static void __syncthreads() {
  if (blockDim.x > 1) {
    wait(atBarrier, blockDim.x);
  }
}

static void syncWarp() { wait(atWarpBarrier[threadIdx.x / 32], 32); }

// What the thread `lane` away holds. All threads of a block come here.
static float __shfl_xor_sync(unsigned, float own, int lane) {
  static float held[1024];
  held[threadIdx.x] = own;
  __syncthreads();
  float other = held[threadIdx.x ^ lane];
  __syncthreads();
  return other;
}

static unsigned __float_as_uint(float x) {
  unsigned bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

static float __uint_as_float(unsigned bits) {
  float x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

// What matrix units see of a number: eleven bits.
static float seen(float x) { return __uint_as_float(__float_as_uint(x) & 0xffffe000u); }

// The product of matrix.cuh, with what all lanes of a warp hold. Nobody overwrites what a slower lane still reads, since
// two calls take turns.
template <int M, int N, class A, class B>
static void multiply(float (*sums)[N][4], const A& a, const B& b) {
  static A as[2][1024];
  static B bs[2][1024];
  static unsigned char turns[1024];
  int t = threadIdx.x;
  int turn = turns[t] ^= 1;
  as[turn][t] = a;
  bs[turn][t] = b;
  syncWarp();
  const A* left = as[turn] + t / 32 * 32;
  const B* right = bs[turn] + t / 32 * 32;
  for (int product = 0; product < 3; product++) {
    for (int e = 0; e < M * N * 4; e++) {
      int m = e / (4 * N);
      int n = e / 4 % N;
      float& sum = sums[m][n][e % 4];
      for (int k = 0; k < 8; k++) {
        const A& from = left[t % 32 / 4 * 4 + k % 4];
        const B& with = right[(t % 4 * 2 + e % 2) * 4 + k % 4];
        int i = 4 * m + e % 4 / 2 + k / 4 * 2;
        int j = 2 * n + k / 4;
        sum = fmaf(seen(product == 0 ? from.low[i] : from.high[i]), seen(product == 1 ? with.low[j] : with.high[j]), sum);
      }
    }
  }
}

// The float16 next to x, and what one is.
static unsigned half(float x) {
  unsigned sign = __float_as_uint(x) >> 16 & 0x8000;
  float size = fabsf(x);
  if (!(size < 65520.0f)) {
    return sign | (size == size ? 0x7c00 : 0x7e00);
  }
  if (size < 0x1p-14f) {
    return sign | static_cast<unsigned>(nearbyintf(size * 0x1p24f));
  }
  unsigned bits = __float_as_uint(size);
  return sign | (bits + 0xfff + (bits >> 13 & 1) - (112u << 23)) >> 13;
}

static float number(unsigned half) {
  float sign = half & 0x8000 ? -1.0f : 1.0f;
  unsigned size = half & 0x7fff;
  if (size < 0x400) {
    return sign * size * 0x1p-24f;
  }
  return size < 0x7c00 ? sign * __uint_as_float((size << 13) + (112u << 23)) : sign * (size == 0x7c00 ? INFINITY : NAN);
}

// What half_matrix.cuh has in the language of the device. Its words have lower halves first.
struct TwoHalves;

static float numberOf(const unsigned* words, int i) { return number(words[i / 2] >> i % 2 * 16 & 0xffff); }

template <class Two = TwoHalves>
static Two split(float x, float y) {
  unsigned highX = half(x);
  unsigned highY = half(y);
  return {highX | highY << 16, half(x - number(highX)) | half(y - number(highY)) << 16};
}

// What every lane of a block has to show, and where a lane finds its warp's. Nobody overwrites what a slower lane still
// reads, since two calls take turns.
template <class T>
static const T* shown(const T& own) {
  static T held[2][1024];
  static unsigned char turns[1024];
  int t = threadIdx.x;
  int turn = turns[t] ^= 1;
  held[turn][t] = own;
  syncWarp();
  return held[turn] + t / 32 * 32;
}

typedef const char* RowAddress;

static RowAddress rowAddress(const uint4* row) { return reinterpret_cast<RowAddress>(row); }

static void loadRows(unsigned* a, RowAddress row) {
  const RowAddress* rows = shown(row);
  int lane = threadIdx.x % 32;
  for (int i = 0; i < 4; i++) {
    memcpy(a + i, rows[8 * i + lane / 4] + lane % 4 * 4, 4);
  }
}

template <class A, class B>
static void multiplyHalves(float* part, const A& a, const B& b) {
  const A* left = shown(a);
  const B* right = shown(b);
  int lane = threadIdx.x % 32;
  for (int e = 0; e < 4; e++) {
    part[e] = 0.0f;
    for (int product = 0; product < 3; product++) {
      for (int k = 0; k < 16; k++) {
        const A& from = left[lane / 4 * 4 + k % 8 / 2];
        const B& with = right[(lane % 4 * 2 + e % 2) * 4 + k % 8 / 2];
        int i = 2 * (e / 2 + k / 8 * 2) + k % 2;
        int j = k / 8 * 2 + k % 2;
        part[e] = fmaf(
            numberOf(product == 0 ? from.low : from.high, i), numberOf(product == 1 ? with.low : with.high, j), part[e]);
      }
    }
  }
}

// Blocks run one after the other.
static int atomicAdd(int* at, int n) {
  int before = *at;
  *at += n;
  return before;
}

static void __threadfence() {}

static void __stcs(float* at, float x) { *at = x; }

static void run() {
  unsigned own = threadIdx.x;
  body(bodyArguments);
  fibers[own].done = true;
  finished++;
  _longjmp(scheduler, 1);
}

static void start(Fiber& fiber) {
  fiber.begun = false;
  fiber.done = false;
  fiber.stack.resize(STACK_BYTES);
  getcontext(&fiber.context);
  fiber.context.uc_stack.ss_sp = fiber.stack.data();
  fiber.context.uc_stack.ss_size = STACK_BYTES;
  fiber.context.uc_link = nullptr;
  makecontext(&fiber.context, run, 0);
}

__attribute__((noinline)) static void resume(Fiber& fiber) {
  if (_setjmp(scheduler)) {
    return;
  }
  if (fiber.begun) {
    _longjmp(fiber.at, 1);
  }
  fiber.begun = true;
  setcontext(&fiber.context);
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
  finished = 0;
  missed = false;
  atBarrier = 0;
  memset(atWarpBarrier, 0, sizeof atWarpBarrier);
  while (finished < static_cast<unsigned>(threads)) {
    for (int t = 0; t < threads; t++) {
      threadIdx.x = descending ? threads - 1 - t : t;
      if (!fibers[threadIdx.x].done) {
        resume(fibers[threadIdx.x]);
      }
    }
  }
  return !missed;
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
