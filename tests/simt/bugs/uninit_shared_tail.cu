// find: uninitialised shared
// Threads behind the end leave their shared element unset, and the tree adds it.
#include <cstdio>

__global__ void sum(const int *in, int n, int *out) {
  __shared__ int s[256];
  int t = threadIdx.x, i = blockIdx.x * 256 + t;
#ifdef FIXED
  s[t] = i < n ? in[i] : 0;
#else
  if (i < n) s[t] = in[i];
#endif
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (t < half) s[t] += s[t + half]; // BUG
    __syncthreads();
  }
  if (t == 0) atomicAdd(out, s[0]);
}

int main() {
  const int n = 700;
  int *in, *out, h = 0;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, sizeof(int));
  cudaMemset(in, 0, n * sizeof(int));
  cudaMemset(out, 0, sizeof(int));
  sum<<<3, 256>>>(in, n, out);
  cudaMemcpy(&h, out, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d %s\n", h, cudaGetErrorString(cudaGetLastError()));
  cudaFree(in);
  cudaFree(out);
}
