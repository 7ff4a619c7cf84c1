// A barrier of all blocks under a name of the program's own: nothing in the kernel says that
// its threads wait for each other.
#include <cstdio>
#include <cuda/barrier>

using meeting = cuda::barrier<cuda::thread_scope_device>;

__global__ void prepare(meeting *m, int n) { init(m, n); }

__global__ void turn(meeting *m, int *a, int *b) {
  const int n = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = i * 3;
  m->arrive_and_wait();
  b[i] = a[(i + 33) % n];
}

int main() {
  const int n = 4 * 32;
  meeting *m;
  int *a;
  cudaMalloc(&m, sizeof *m);
  cudaMallocManaged(&a, 2 * n * sizeof(int));
  prepare<<<1, 1>>>(m, n);
  turn<<<4, 32>>>(m, a, a + n);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  for (int i = 0; i < n; ++i)
    if (a[n + i] != (i + 33) % n * 3) {
      std::printf("wrong: [%d] is %d\n", i, a[n + i]);
      return 1;
    }
  std::printf("PASSED\n");
  cudaFree(m); cudaFree(a);
  return 0;
}
