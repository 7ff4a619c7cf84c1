// find: double-free
//
// A thread frees what it has freed before.
#include <cstdio>
#include <cstdlib>

static void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(status));
  exit(1);
}

__global__ void work(int *out) {
  int *own = static_cast<int *>(malloc(16));
  if (!own) return;
  own[0] = threadIdx.x;
  out[threadIdx.x] = own[0];
  free(own);
#ifndef FIXED
  if (threadIdx.x == 5) free(own); // BUG
#endif
}

int main() {
  int *out, host[32];
  check(cudaMalloc(&out, sizeof host));
  work<<<1, 32>>>(out);
  check(cudaGetLastError());
  check(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
  printf("%d\n", host[31]);
  check(cudaFree(out));
}
