// find: race shared barrier|syncwarp
// Blelloch's scan without the barrier of its first half: a thread adds to elements before their own threads
// have written them. That it reads them unwritten is the race's doing and nothing else to be told.
// Fixed: a barrier before each level.
#include <cstdio>

__global__ void scan(int *out, const int *in, int n) {
  extern __shared__ int t[];
  const int i = threadIdx.x;
  int offset = 1;
  t[2 * i] = in[2 * i];         // BUG?
  t[2 * i + 1] = in[2 * i + 1]; // BUG
  for (int d = n / 2; d > 0; d /= 2) {
#ifdef FIXED
    __syncthreads();
#endif
    if (i < d) {
      const int low = t[offset * (2 * i + 1) - 1];  // BUG
      const int high = t[offset * (2 * i + 2) - 1]; // BUG?
      t[offset * (2 * i + 2) - 1] = low + high;     // BUG
    }
    offset *= 2;
  }
  __syncthreads();
  out[2 * i] = t[2 * i];
  out[2 * i + 1] = t[2 * i + 1];
}

int main() {
  const int n = 256;
  int *in = nullptr, *out = nullptr;
  if (cudaMalloc(&in, n * sizeof *in) != cudaSuccess) return 1;
  if (cudaMalloc(&out, n * sizeof *out) != cudaSuccess) return 1;
  cudaMemset(in, 0, n * sizeof *in);
  scan<<<1, n / 2, n * sizeof(int)>>>(out, in, n);
  cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess) error = cudaDeviceSynchronize();
  int last = -1;
  cudaMemcpy(&last, out + n - 1, sizeof last, cudaMemcpyDeviceToHost);
  std::printf("%d %s\n", last, cudaGetErrorString(error));
  cudaFree(in);
  cudaFree(out);
  return error != cudaSuccess;
}
