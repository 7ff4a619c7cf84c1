// find: race global read/write barrier
// Global memory as scratch space of a block: there is no barrier between its two steps.
// Fixed: Global memory as scratch space of a block, with a barrier between the two steps.
#include <cstdio>
#include <vector>

__global__ void mirror(const double *in, double *scratch, double *out) {
  double *mine = scratch + blockIdx.x * blockDim.x;
  mine[threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x] + 1.0; // BUG
#ifdef FIXED
  __syncthreads();
#endif
  const double v = mine[blockDim.x - 1 - threadIdx.x]; // BUG
  out[blockIdx.x * blockDim.x + threadIdx.x] = v * v;
}

int main() {
  const int n = 256;
  std::vector<double> host(n);
  for (int i = 0; i < n; ++i) host[i] = 0.5 * i;
  double *in, *scratch, *out;
  cudaMalloc(&in, n * sizeof(double));
  cudaMalloc(&scratch, n * sizeof(double));
  cudaMalloc(&out, n * sizeof(double));
  cudaMemcpy(in, host.data(), n * sizeof(double), cudaMemcpyHostToDevice);
  mirror<<<2, 128>>>(in, scratch, out);
  cudaMemcpy(host.data(), out, n * sizeof(double), cudaMemcpyDeviceToHost);
  std::printf("%g %g %s\n", host[0], host[n - 1], cudaGetErrorString(cudaGetLastError()));
  cudaFree(in);
  cudaFree(scratch);
  cudaFree(out);
}
