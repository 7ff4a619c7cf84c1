// find: race read/write host
//
// The host changes the input of a kernel that it has not waited for.
#include <cstdio>
#include <cstdlib>

static void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(status));
  exit(1);
}

__global__ void copy(const int *in, int *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i]; // BUG
}

int main() {
  int *in, *out;
  check(cudaMallocManaged(&in, 400));
  check(cudaMallocManaged(&out, 800));
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < 100; ++i) in[i] = i + round; // BUG
    copy<<<1, 128>>>(in, out + 100 * round, 100);
    check(cudaGetLastError());
#ifdef FIXED
    check(cudaDeviceSynchronize());
#endif
  }
  check(cudaDeviceSynchronize());
  printf("%d\n", out[199]);
  check(cudaFree(in));
  check(cudaFree(out));
}
