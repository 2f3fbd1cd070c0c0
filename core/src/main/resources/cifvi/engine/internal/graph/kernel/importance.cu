// The importance-weighted bound log 1/K Σ_k w_k of every observation, whose K draws are adjacent rows, and its mean.
//
//   d bound / d log w_k = w_k / Σ w
//
// The backward pass has the gradient of the mean of all log-weights; a row's `importance` is K w_k / Σ w, by which
// its own has to be multiplied for the bound. One block.
extern "C" __global__ void importance_weights(
    const double* logWeight, int observations, int draws, float* importance, double* objective) {
  extern __shared__ double memory[];
  double bounds = 0.0;
  EACH(i, observations) {
    const double* own = logWeight + static_cast<int64>(i) * draws;
    double largest = own[0];
    for (int k = 1; k < draws; k++) {
      largest = max(largest, own[k]);
    }
    double sum = 0.0;
    for (int k = 0; k < draws; k++) {
      sum += exp(own[k] - largest);
    }
    for (int k = 0; k < draws; k++) {
      importance[static_cast<int64>(i) * draws + k] = static_cast<float>(draws * (exp(own[k] - largest) / sum));
    }
    bounds += largest + log(sum / draws);
  }
  bounds = blockSum(bounds, memory);
  if (threadIdx.x == 0) {
    *objective = bounds / observations;
  }
}
