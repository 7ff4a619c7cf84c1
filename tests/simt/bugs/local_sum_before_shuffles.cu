// find: uninitialised local
//
// The sum that a warp's reduction starts from has no value; variables that only one lane writes, and all shuffle,
// are right.
#include <cstdio>
#include <cstdlib>

static void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(status));
  exit(1);
}

__device__ int spread(int v, int from) { return __shfl_sync(~0u, v, from); }

__global__ void sum(const int *in, int *out, int n, int *places) {
  int place, other;
  long long both;
#ifdef FIXED
  int s = 0;
#else
  int s;
#endif
  for (int i = threadIdx.x; i < n; i += 32) s += in[i]; // BUG
  for (int o = 16; o; o >>= 1) s += __shfl_down_sync(~0u, s, o);
  if (threadIdx.x == 0) {
    place = atomicAdd(places, 1);
    both = place + 1;
  }
  if (threadIdx.x == 5) other = place = 3;
  place = __shfl_sync(~0u, place, 0);
  other = spread(other, 5);
  both = __shfl_sync(~0u, both + 1, 0);
  if (threadIdx.x == 0) *out = s + place + other + (int)both;
}

int main() {
  int h[100], *in, *out, *places;
  for (int &x : h) x = 1;
  check(cudaMalloc(&in, sizeof h));
  check(cudaMalloc(&out, sizeof(int)));
  check(cudaMalloc(&places, sizeof(int)));
  check(cudaMemset(places, 0, sizeof(int)));
  check(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  sum<<<1, 32>>>(in, out, 100, places);
  check(cudaGetLastError());
  check(cudaMemcpy(h, out, sizeof(int), cudaMemcpyDeviceToHost));
  check(cudaFree(in));
  check(cudaFree(out));
  check(cudaFree(places));
  return 0;
}
