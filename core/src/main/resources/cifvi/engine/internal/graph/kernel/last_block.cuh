// Whether this block is the last one of a launch to come here, which may then work on what all of them wrote: all its
// threads get the answer. `arrived` counts blocks; it is zero before the launch, and again behind it, for the next one or
// the next replay of a graph. `memory` is shared memory that nobody needs any more, room for one number.
__device__ inline bool lastBlock(int* arrived, double* memory) {
  int* last = reinterpret_cast<int*>(memory);
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();  // what the block wrote is seen before it is counted,
    *last = atomicAdd(arrived, 1) == static_cast<int>(gridDim.x) - 1;
    __threadfence();  // and nothing is read that was cached before all were
  }
  __syncthreads();
  bool found = *last;
  __syncthreads();
  if (found && threadIdx.x == 0) {
    *arrived = 0;
  }
  return found;
}
