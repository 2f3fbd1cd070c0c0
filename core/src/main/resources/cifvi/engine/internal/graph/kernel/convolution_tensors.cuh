// What a convolution of the large decoder, or the gradient of what one saw, reads and writes, of the whole batch:
//
//   y = relu?([mask > 0] Σ_k w[k] * relu?(x[k]) + b + residual)
//
// with k over the channels of x and of `second`, which has as many; channels of the output behind the first ones, as
// many again, go to `other`, without a mask.
struct ConvolutionTensors {
  const float* x;
  const float* second;
  const float4* weights;  // as prepare_convolutions.cu makes them
  const float* bias;
  const float* secondBias;
  const float* mask;
  const float* residual;
  float* y;
  float* other;
};

constexpr int WINDOW = 3;  // side of a window
constexpr int WEIGHTS = WINDOW * WINDOW;
