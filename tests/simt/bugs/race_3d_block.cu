// find: race shared read/write barrier
// A block of three dimensions averages along z while other threads still write.
// Fixed: A block of three dimensions averages along z behind a barrier.
#include <cstdio>
#include <vector>

template <unsigned X, unsigned Y, unsigned Z> __global__ void mean_z(const float *in, float *out) {
  __shared__ float cube[Z][Y][X];
  const unsigned x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
  const unsigned i = (z * Y + y) * X + x;
  cube[z][y][x] = in[i]; // BUG
#ifdef FIXED
  __syncthreads();
#endif
  float sum = 0;
  for (unsigned k = 0; k < Z; ++k) sum += cube[k][y][x]; // BUG
  out[i] = sum / Z;
}

int main() {
  const int n = 128;
  std::vector<float> host(n), result(n);
  for (int i = 0; i < n; ++i) host[i] = static_cast<float>(i % 17);
  float *in, *out;
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&out, n * sizeof(float));
  cudaMemcpy(in, host.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemset(out, 0, n * sizeof(float));
  mean_z<8, 4, 4><<<1, dim3(8, 4, 4)>>>(in, out);
  if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) return 1;
  cudaMemcpy(result.data(), out, n * sizeof(float), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += static_cast<double>(result[i]) * (i % 7 + 1);
  std::printf("%g\n", sum);
  cudaFree(in);
  cudaFree(out);
  return 0;
}
