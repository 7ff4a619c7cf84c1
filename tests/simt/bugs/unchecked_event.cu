// find: unchecked-error
//
// The time between events that were never recorded.
#include <cstdio>
#include <cstdlib>

static void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(status));
  exit(1);
}

int main() {
  cudaEvent_t a, b;
  float ms = 0;
  check(cudaEventCreate(&a));
  check(cudaEventCreate(&b));
#ifdef FIXED
  check(cudaEventRecord(a));
  check(cudaEventRecord(b));
  check(cudaEventSynchronize(b));
  check(cudaEventElapsedTime(&ms, a, b));
#else
  cudaEventElapsedTime(&ms, a, b); // BUG
#endif
  printf("%d\n", ms < 1000.0f);
  check(cudaEventDestroy(a));
  check(cudaEventDestroy(b));
}
