// find: leak
//
// Each thread allocates on the device; half of them forget to free.
#include <cstdio>
#include <cstdlib>

static void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(status));
  exit(1);
}

__global__ void work(int *out) {
  int *own = static_cast<int *>(malloc(4 * sizeof(int))); // BUG
  if (!own) return;
  for (int i = 0; i < 4; ++i) own[i] = threadIdx.x + i;
  out[threadIdx.x] = own[3];
#ifdef FIXED
  free(own);
#else
  if (threadIdx.x % 2) free(own);
#endif
}

int main() {
  int *out, host[64];
  check(cudaMalloc(&out, sizeof host));
  work<<<1, 64>>>(out);
  check(cudaGetLastError());
  check(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
  printf("%d\n", host[63]);
  check(cudaFree(out));
}
