// softplus(raw) + least, and its derivative.
struct Softplus {
  float value;
  float slope;
};

__device__ inline Softplus softplus(float raw, float least) {
  float e = expf(-fabsf(raw));
  return {(raw < 0 ? 0.0f : raw) + log1pf(e) + least, (raw < 0 ? e : 1.0f) / (1.0f + e)};
}
