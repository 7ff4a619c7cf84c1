// expect: compile error, stderr "bad_host_call.cu:18: error: square is a function of the host (line 10)", stderr "mark it __device__", stderr "bad_host_call.cu:14: error: add is", no stderr "twice", no stderr "local"
// nvcc: no
// Functions without __device__ are called on the device: the commonest mistake of all.
#include <cstdio>
#include <vector>

constexpr int twice(int x) { return 2 * x; }
int local(int x) { return x; }

static inline float square(float x) { return x * x; }

int add(int a, int b) { return a + b; }

__device__ int three(int a) { return add(a, add(a, a)); }

__global__ void k(float *x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = square(x[i]) + three(i) + twice(i);
  int local(3);
  x[i] += local;
}

int main() {
  float *x;
  cudaMalloc(&x, 4 * sizeof *x);
  k<<<1, 4>>>(x, 4);
  std::printf("%g %d %d\n", square(2), add(1, 2), local(1));
  return 0;
}
