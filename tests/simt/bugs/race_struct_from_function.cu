// find: race shared read/write barrier
// Complex numbers are stored from an operator's result and passed on by value: no barrier
// between.
// Fixed: Complex numbers stored from an operator's result and passed by value, with the barrier
// between.
#include <cstdio>
#include <vector>

struct Complex {
  float re, im;
};

__device__ Complex operator*(Complex a, Complex b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
__device__ Complex operator+(Complex a, Complex b) { return {a.re + b.re, a.im + b.im}; }
__device__ float norm(Complex a) { return a.re * a.re + a.im * a.im; }

__global__ void butterfly(const float *in, float *out) {
  __shared__ Complex s[64];
  const unsigned t = threadIdx.x;
  const Complex v = {in[t], -in[t]}, w = {0.6f, 0.8f};
  s[t] = v * w; // BUG
#ifdef FIXED
  __syncthreads();
#endif
  const float n = norm(s[63 - t]); // BUG
  out[t] = n;
}

int main() {
  const int n = 64;
  std::vector<float> host(n), result(n);
  for (int i = 0; i < n; ++i) host[i] = static_cast<float>(i % 17);
  float *in, *out;
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&out, n * sizeof(float));
  cudaMemcpy(in, host.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemset(out, 0, n * sizeof(float));
  butterfly<<<1, 64>>>(in, out);
  if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) return 1;
  cudaMemcpy(result.data(), out, n * sizeof(float), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += static_cast<double>(result[i]) * (i % 7 + 1);
  std::printf("%g\n", sum);
  cudaFree(in);
  cudaFree(out);
  return 0;
}
