// find: race shared read/write barrier
// Dynamic shared memory carved into two arrays, the second begins inside the first.
// Fixed: Dynamic shared memory carved into two arrays.
#include <cstdio>

__global__ void weigh(const float *in, float *out, int n) {
  extern __shared__ char arena[];
  float *values = reinterpret_cast<float *>(arena);
#ifdef FIXED
  int *weights = reinterpret_cast<int *>(arena + n * sizeof(float));
#else
  int *weights = reinterpret_cast<int *>(arena + n * sizeof(char));
#endif
  const int t = threadIdx.x;
  values[t] = in[t];
  __syncthreads();
  weights[t] = t & 3;         // BUG
  out[t] = values[n - 1 - t]; // BUG: the bytes that weights writes
  __syncthreads();
  out[t] *= weights[n - 1 - t];
}

int main() {
  constexpr int n = 64;
  float *in = nullptr, *out = nullptr;
  cudaMallocManaged(&in, n * sizeof *in);
  cudaMallocManaged(&out, n * sizeof *out);
  for (int i = 0; i < n; ++i) {
    in[i] = static_cast<float>(i * 31 % 101);
    out[i] = 0;
  }
  weigh<<<1, 64, 64 * (sizeof(float) + sizeof(int))>>>(in, out, 64);
  cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess) {
    std::printf("%s\n", cudaGetErrorString(error));
    return 1;
  }
  std::printf("%g %g\n", static_cast<double>(out[0]), static_cast<double>(out[n - 1]));
  cudaFree(in);
  cudaFree(out);
}
