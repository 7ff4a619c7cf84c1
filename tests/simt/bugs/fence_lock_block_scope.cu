// find: race global fence
// The lock's fences are of block scope, but all blocks share it.
// Fixed: A lock for each block needs fences of block scope only.
#include <cstdio>
#include <vector>

__global__ void tally(const int *in, int *out, int *locks) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef FIXED
  const int mine = blockIdx.x;
#else
  const int mine = 0;
#endif
  for (bool done = false; !done;) {
    if (atomicCAS(&locks[mine], 0, 1) == 0) {
      __threadfence_block();
      out[mine] += in[i]; // BUG
      __threadfence_block();
      atomicExch(&locks[mine], 0);
      done = true;
    }
  }
}

int main() {
  const int n = 128;
  std::vector<int> host(n, 3);
  int *in, *out, *locks;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, 4 * sizeof(int));
  cudaMalloc(&locks, 4 * sizeof(int));
  cudaMemset(out, 0, 4 * sizeof(int));
  cudaMemset(locks, 0, 4 * sizeof(int));
  cudaMemcpy(in, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  tally<<<4, 32>>>(in, out, locks);
  cudaMemcpy(host.data(), out, 4 * sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d %d %s\n", host[0], host[3], cudaGetErrorString(cudaGetLastError()));
  cudaFree(in);
  cudaFree(out);
  cudaFree(locks);
}
