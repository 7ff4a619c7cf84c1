// find: race shared
// A worklist in shared memory: its length is set to 0 while others still read the last round's.
// Fixed: A worklist in shared memory for each round, lengths changed behind barriers.
#include <cstdio>
#include <vector>

__global__ void walk(const int *in, int *out) {
  __shared__ int list[2][64];
  __shared__ int length[2];
  const int t = threadIdx.x;
  int now = 0;
  list[0][t] = t;
  if (t == 0) length[0] = 64;
  __syncthreads();
  for (int round = 0; round < 3; ++round) {
    if (t == 0) length[1 - now] = 0; // BUG
    __syncthreads();
    if (t < length[now]) { // BUG
      const int v = list[now][t];
      if (in[v] % (round + 2) == 0) list[1 - now][atomicAdd(&length[1 - now], 1)] = v; // BUG
    }
#ifdef FIXED
    __syncthreads();
#endif
    now = 1 - now;
    if (length[now] == 0) out[t] = -1; // BUG
  }
  __syncthreads();
  if (t < length[now]) atomicAdd(&out[list[now][t]], 1);
}

int main() {
  const int n = 64;
  std::vector<int> host(n), result(n);
  for (int i = 0; i < n; ++i) host[i] = static_cast<int>(i % 17);
  int *in, *out;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMemcpy(in, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(out, 0, n * sizeof(int));
  walk<<<1, 64>>>(in, out);
  if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) return 1;
  cudaMemcpy(result.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += static_cast<double>(result[i]) * (i % 7 + 1);
  std::printf("%g\n", sum);
  cudaFree(in);
  cudaFree(out);
  return 0;
}
