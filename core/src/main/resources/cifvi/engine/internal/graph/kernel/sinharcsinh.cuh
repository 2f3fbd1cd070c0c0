// The sinh-arcsinh map of every feature: with t = δ arsinh(w) - ε and l the log-weight,
//
//   z = sinh t,  log|det| = Σ log δ + ½ log(1 + z²) - ½ log(1 + w²)
//   dt = dz √(1 + z²) + dl z / √(1 + z²)
//   dw = dt δ / √(1 + w²) - dl w / (1 + w²),  dε = -dt,  dlog δ = dt δ arsinh(w) + dl
//
// Parameters of the op: places of ε and log δ in the weights, and the variable of their gradients row by row.

__device__ inline void sinhArcsinhForward(const Block& b, const Op& op) {
  int d = b.size(op.y);
  const float* skew = b.weights + op.p[0];
  const float* logTail = b.weights + op.p[1];
  const float* w = b.value(op.a);
  Output y = b.output(op.y);
  Quotient row(d);
  EACH(i, b.count * d) {
    int r = row(i);
    int j = i - r * d;
    float z = sinhf(expf(logTail[j]) * asinhf(w[i]) - skew[j]);
    y.write(i, z);
    b.addTerm(r, j, logTail[j] + 0.5f * (log1pf(z * z) - log1pf(w[i] * w[i])));
  }
}

__device__ inline void sinhArcsinhBackward(const Block& b, const Op& op) {
  int d = b.size(op.y);
  const float* logTail = b.weights + op.p[1];
  const float* w = b.saved(op.a);
  const float* z = b.saved(op.y);
  const float* dz = b.gradient(op.y);
  float* dw = b.gradient(op.a);
  float* gradients = b.region(b.variables[op.p[2]].gradientSaved, 2 * d);
  Quotient row(d);
  EACH(i, b.count * d) {
    int r = row(i);
    int j = i - r * d;
    float tail = expf(logTail[j]);
    float cosh = sqrtf(1.0f + z[i] * z[i]);
    float square = 1.0f + w[i] * w[i];
    float dt = dz[i] * cosh + b.dLogWeight * z[i] / cosh;
    contribute(op, 0, dw, i, dt * tail / sqrtf(square) - b.dLogWeight * w[i] / square);
    gradients[2 * r * d + j] = -dt;
    gradients[2 * r * d + d + j] = dt * tail * asinhf(w[i]) + b.dLogWeight;
  }
}
