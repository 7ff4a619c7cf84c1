// find: race read/write host
//
// The host reads what a function of the stream is to tell it of.
#include <cstdio>
#include <cstdlib>

static void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(status));
  exit(1);
}

__global__ void fill(int *out, int n, int value) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = value + i; // BUG
}

static void CUDART_CB sum_up(void *data) {
  int *p = static_cast<int *>(data);
  int sum = 0;
  for (int i = 0; i < 100; ++i) sum += p[i];
  printf("%d\n", sum);
}

int main() {
  int *a;
  cudaStream_t s;
  check(cudaStreamCreate(&s));
  check(cudaMallocManaged(&a, 400));
  fill<<<1, 128, 0, s>>>(a, 100, 1);
  check(cudaGetLastError());
  check(cudaLaunchHostFunc(s, sum_up, a));
#ifdef FIXED
  check(cudaStreamSynchronize(s));
#endif
  printf("%d\n", a[0]); // BUG
  check(cudaStreamSynchronize(s));
  check(cudaFree(a));
  check(cudaStreamDestroy(s));
}
