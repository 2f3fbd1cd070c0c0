// Stands in for libcuda, libnvrtc, libc10_cuda and libtorch_cuda: the functions that we call, with the very names and
// signatures of the real ones. Each says what it was given; none does anything.
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <utility>

static int status = 0;  // of the capture: 0 none, 1 good, 2 broken

// A line at once, since sources are compiled on threads of their own.
static int say(const char* format, auto... values) {
  char line[256];
  snprintf(line, sizeof line, format, values...);
  puts(line);
  fflush(stdout);
  return 0;
}

template <class T>
static int give(T* out, T value) {
  *out = value;
  return 0;
}

static void* pointer(long value) { return (void*) value; }

typedef struct CUstream_st* cudaStream_t;
enum cudaStreamCaptureMode {};

namespace c10::cuda {
struct Device {
  int8_t type;
  int8_t index;
};

struct Stream {
  Device device;
  int64_t id;
};

struct CUDAStream {
  Stream own;
  cudaStream_t stream() const;
};

static CUDAStream current{{{1, 2}, 0}};

cudaStream_t CUDAStream::stream() const { return (cudaStream_t) pointer(own.id * 100); }

CUDAStream getCurrentCUDAStream(int8_t) { return current; }

CUDAStream getStreamFromPool(bool high, int8_t device) {
  static int next = 33;
  say("getStreamFromPool %d %d", high, device);
  return {{{1, 2}, next++}};
}

void setCurrentCUDAStream(CUDAStream stream) {
  say("setCurrentCUDAStream device %d.%d id %d", stream.own.device.type, stream.own.device.index, (int) stream.own.id);
  current = stream;
}
}  // namespace c10::cuda

namespace at::cuda {
struct CUDAGraph {
  explicit CUDAGraph(bool keep);
  ~CUDAGraph();
  void capture_begin(std::pair<unsigned long long, unsigned long long> pool, cudaStreamCaptureMode mode);
  void capture_end();
  void* raw_cuda_graph();
};

CUDAGraph::CUDAGraph(bool keep) { say("CUDAGraph keep %d", keep); }

CUDAGraph::~CUDAGraph() { say("~CUDAGraph"); }

void CUDAGraph::capture_begin(std::pair<unsigned long long, unsigned long long> pool, cudaStreamCaptureMode mode) {
  if (c10::cuda::current.own.id == 0 || status != 0) {
    throw std::runtime_error("capture_begin");
  }
  say("capture_begin pool %llu,%llu mode %d", pool.first, pool.second, (int) mode);
  status = 1;
}

void CUDAGraph::capture_end() {
  if (status != 1) {
    throw std::runtime_error("capture_end");
  }
  say("capture_end");
  status = 0;
}

void* CUDAGraph::raw_cuda_graph() { return pointer(7000); }
}  // namespace at::cuda

extern "C" {
void break_capture() { status = status == 1 ? 2 : status; }

int cuInit(unsigned) { return 0; }
int cuDeviceGet(int* device, int ordinal) { return give(device, ordinal); }
int cuDeviceGetAttribute(int* value, int attribute, int) {
  return give(value, attribute == 75 ? 9 : attribute == 76 ? 0 : attribute);
}
int cuDevicePrimaryCtxRetain(void** context, int) { return give(context, pointer(99)); }
int cuCtxSetCurrent(void* context) { return say("cuCtxSetCurrent %ld", (long) context); }
int cuCtxSynchronize() { return 0; }
int cuModuleLoadData(void** module, const void* image) {
  say("cuModuleLoadData %s", (const char*) image);
  return give(module, pointer(55));
}
int cuModuleGetFunction(void** function, void*, const char* name) {
  *function = pointer(66);
  return strcmp(name, "missing") ? 0 : 500;
}
int cuFuncSetAttribute(void*, int attribute, int value) { return say("cuFuncSetAttribute %d %d", attribute, value); }
int cuLaunchKernel(void* function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                   unsigned shared, void* stream, void** arguments, void** extra) {
  return say("cuLaunchKernel %ld grid %u,%u,%u block %u,%u,%u shared %u stream %ld: %lld %d %g %g", (long) function, gx,
             gy, gz, bx, by, bz, shared, (long) stream, *(long long*) arguments[0], *(int*) arguments[1],
             *(float*) arguments[2], *(double*) arguments[3]) +
         (extra ? 1 : 0);
}
int cuEventCreate(void** event, unsigned flags) {
  static long next = 440;
  say("cuEventCreate %u", flags);
  return give(event, pointer(next++));
}
int cuEventRecord(void* event, void* stream) { return say("cuEventRecord %ld %ld", (long) event, (long) stream); }
int cuStreamWaitEvent(void* stream, void* event, unsigned flags) {
  return say("cuStreamWaitEvent %ld %ld %u", (long) stream, (long) event, flags);
}
int cuStreamIsCapturing(void*, int* out) { return give(out, status); }
int cuStreamEndCapture(void* stream, void** graph) {
  say("cuStreamEndCapture %ld", (long) stream);
  bool good = status == 1;
  status = 0;
  *graph = pointer(good ? 77 : 0);
  return good ? 0 : 901;
}
int cuGraphDestroy(void* graph) { return say("cuGraphDestroy %ld", (long) graph); }
int cuGraphGetNodes(void*, void** nodes, size_t* count) {
  for (long i = 0; nodes && i < 5; i++) {
    nodes[i] = pointer(i);
  }
  return give(count, (size_t) 5);
}
int cuGraphNodeGetType(void* node, int* type) { return give(type, (int) ((long) node % 2)); }
int cuGraphInstantiateWithFlags(void** executable, void* graph, unsigned long long flags) {
  say("cuGraphInstantiateWithFlags %ld %llu", (long) graph, flags);
  return give(executable, pointer(88));
}
int cuGraphLaunch(void* executable, void* stream) { return say("cuGraphLaunch %ld %ld", (long) executable, (long) stream); }
int cuGraphExecDestroy(void* executable) { return say("cuGraphExecDestroy %ld", (long) executable); }
int cuGetErrorName(int, const char** name) { return give(name, "CUDA_ERROR_NOT_FOUND"); }

int nvrtcVersion(int* major, int* minor) { return give(major, 13) + give(minor, 1); }
int nvrtcCreateProgram(void** program, const char* source, const char*, int headers, const char**, const char**) {
  return give(program, pointer(strstr(source, "captured_noise") ? 11 : 0)) + headers;
}
int nvrtcCompileProgram(void*, int count, const char** options) { return say("nvrtcCompileProgram %d %s", count, options[0]); }
int nvrtcDestroyProgram(void** program) { return *program == pointer(11) ? 0 : 1; }
int nvrtcGetCUBINSize(void*, size_t* size) { return give(size, (size_t) 6); }
int nvrtcGetCUBIN(void*, char* cubin) { return strcpy(cubin, "CUBIN") ? 0 : 1; }
int nvrtcGetProgramLogSize(void*, size_t* size) { return give(size, (size_t) 1); }
int nvrtcGetProgramLog(void*, char* log) { return give(log, '\0'); }
}
