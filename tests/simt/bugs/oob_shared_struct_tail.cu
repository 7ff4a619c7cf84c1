// find: out-of-bounds shared
// An array of structs in shared memory has one place for each warp, not for each thread.
#include <cstdio>

struct Best {
  float value;
  int index;
};

__global__ void best(const float *in, Best *out) {
  __shared__ Best of_warp[4];
  int t = threadIdx.x, warp = t / 32;
  if (t % 32 == 0) {
    Best b = {in[t], t};
    for (int k = 1; k < 32; k++)
      if (in[t + k] > b.value) b = {in[t + k], t + k};
    of_warp[warp] = b;
  }
  __syncthreads();
  if (t == 0) {
    Best b = of_warp[0];
#ifdef FIXED
    for (unsigned w = 1; w < blockDim.x / 32; w++) {
#else
    for (unsigned w = 1; w <= blockDim.x / 32; w++) {
#endif
      float value = of_warp[w].value;      // BUG
      if (value > b.value) b = of_warp[w]; // BUG?
    }
    *out = b;
  }
}

int main() {
  const int n = 128;
  float h[n], *in;
  for (int i = 0; i < n; i++) h[i] = (i * 37) % 101;
  Best *out, b;
  cudaMalloc(&in, sizeof h);
  cudaMalloc(&out, sizeof b);
  cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
  best<<<1, n>>>(in, out);
  cudaMemcpy(&b, out, sizeof b, cudaMemcpyDeviceToHost);
  printf("%g at %d, %s\n", b.value, b.index, cudaGetErrorString(cudaGetLastError()));
  cudaFree(in);
  cudaFree(out);
}
