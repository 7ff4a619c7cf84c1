struct Halve {
  __device__ __host__ float operator()(float v) const { return v * 0.5f; }
};
