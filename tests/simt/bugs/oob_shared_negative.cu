// find: out-of-bounds shared
// A scan step reads s[t - offset] for lanes that have no left neighbour.
#include <cstdio>

__global__ void scan(const int *in, int *out) {
  __shared__ int s[2][128];
  int t = threadIdx.x, from = 0;
  s[0][t] = in[t];
  __syncthreads();
  for (int offset = 1; offset < 128; offset *= 2) {
#ifdef FIXED
    int left = t >= offset ? s[from][t - offset] : 0;
#else
    int left = s[from][t - offset]; // BUG
#endif
    s[1 - from][t] = s[from][t] + (t >= offset ? left : 0);
    from = 1 - from;
    __syncthreads();
  }
  out[t] = s[from][t];
}

int main() {
  const int n = 128;
  int *in, *out;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMemset(in, 0, n * sizeof(int));
  scan<<<1, n>>>(in, out);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(in);
  cudaFree(out);
}
