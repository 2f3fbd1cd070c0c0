// Buffers of a model, of any type, before a step changes them and where it turns out not to count; one block a buffer.

struct Buffer {
  unsigned char* memory;
  long long bytes;
  long long from;  // its place in `saved`
};

extern "C" __global__ void save_buffers(const Buffer* buffers, unsigned char* saved) {
  Buffer b = buffers[blockIdx.x];
  for (long long i = threadIdx.x; i < b.bytes; i += blockDim.x) {
    saved[b.from + i] = b.memory[i];
  }
}

extern "C" __global__ void undo_buffers(const Buffer* buffers, const unsigned char* saved,
                                        const unsigned char* applied) {
  if (*applied) {
    return;
  }
  Buffer b = buffers[blockIdx.x];
  for (long long i = threadIdx.x; i < b.bytes; i += blockDim.x) {
    b.memory[i] = saved[b.from + i];
  }
}
