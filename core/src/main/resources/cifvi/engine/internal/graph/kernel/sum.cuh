// The sum of one number of every thread of a block, in a fixed order; all threads get it. `sums` has room for one of
// each, and may be used again at once.
__device__ inline double blockSum(double own, double* sums) {
  int t = threadIdx.x;
  sums[t] = own;
  __syncthreads();
  for (int n = blockDim.x; n > 1;) {
    int half = (n + 1) / 2;
    if (t < n - half) {
      sums[t] += sums[t + half];
    }
    __syncthreads();
    n = half;
  }
  double sum = sums[0];
  __syncthreads();
  return sum;
}
