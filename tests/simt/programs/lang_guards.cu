// Kernels that begin by asking whether a thread has work: all of a row, its beginning, its end, its middle, every other one, none.
// expect: pass
#include <cstdio>
#include <vector>

const int least = 5;
struct shape {
  int w, h;
};

__global__ void below(int *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] += i;
}
__global__ void within(int *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < least || i >= n) return;
  const int j = n - 1 - i;
  if (j < least) {
    return;
  }
  p[i] += 1000 + j;
}
__global__ void every_other(int *p, int n, int odd) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x, parity;
  parity = i % 2;
  if (i < (unsigned)n && parity == odd) {
    p[i] += 7;
    n = 0;
  }
}
__global__ void inner(int *p, shape s) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x == 0 || y == 0 || x >= s.w - 1 || y >= s.h - 1) return;
  p[y * s.w + x] += 100 * y + x;
  if (p[y * s.w + x] % 3 == 0) return;
  p[y * s.w + x] += 1;
}
template <class T, int N> __global__ void from_end(T *p, T *end) {
  const int t = blockDim.x - 1 - threadIdx.x;
  if (p + t < end && threadIdx.x < N)
    for (int k = 0; k < 3; k++) p[t] += k + 1;
}
__device__ int here() { return threadIdx.x; }
__global__ void by_call(int *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] += here();
}
__global__ void changes_its_own(int *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  n -= i;
  i = 2 * i % 64;
  p[n] += i;
}

enum { N = 1000, W = 45, H = 21 };
static int *device, bad;
static std::vector<int> want;

static void compare(const char *what) {
  std::vector<int> got(N);
  cudaError_t error = cudaMemcpy(got.data(), device, N * sizeof(int), cudaMemcpyDeviceToHost);
  if (error != cudaSuccess || got != want) {
    printf("%s differs: %s\n", what, cudaGetErrorString(error));
    bad = 1;
  }
}

int main() {
  want.assign(N, 3);
  cudaMalloc(&device, N * sizeof(int));
  cudaMemcpy(device, want.data(), N * sizeof(int), cudaMemcpyHostToDevice);
  const int sizes[] = {0, 1, 5, 96, 97, 300, N};
  for (int n : sizes) {
    below<<<11, 96>>>(device, n);
    for (int i = 0; i < n; i++) want[i] += i;
    compare("below");
    within<<<11, 96>>>(device, n);
    for (int i = least; i < n - least; i++) want[i] += 1000 + n - 1 - i;
    compare("within");
    every_other<<<11, 96>>>(device, n, n & 1);
    for (int i = n & 1; i < n; i += 2) want[i] += 7;
    compare("every_other");
    by_call<<<11, 96>>>(device, n);
    for (int i = 0; i < n; i++) want[i] += i % 96;
    compare("by_call");
  }
  changes_its_own<<<4, 100>>>(device, 333);
  for (int i = 0; i < 333; i++) want[333 - i] += 2 * i % 64;
  compare("changes_its_own");
  inner<<<dim3(2, 6), dim3(32, 4)>>>(device, shape{W, H});
  for (int y = 1; y < H - 1; y++)
    for (int x = 1; x < W - 1; x++) {
      want[y * W + x] += 100 * y + x;
      if (want[y * W + x] % 3 != 0) want[y * W + x] += 1;
    }
  compare("inner");
  from_end<int, 50><<<1, 70>>>(device, device + 60);
  for (int i = 20; i < 60; i++) want[i] += 6;
  compare("from_end");
  cudaFree(device);
  if (!bad) printf("PASSED\n");
  return bad;
}
