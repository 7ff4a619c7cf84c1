// Overloaded kernels, default arguments, namespaces, using declarations, references and const parameters.
// expect: pass
#include <cstdio>

namespace outer {
namespace inner {
__global__ void set(int *p, int v = 5) { *p = v; }
__global__ void set(float *p, float v = 2.5f) { *p = v; }
__global__ void set(int *p, int a, int b) { *p = a * b; }
} // namespace inner
using inner::set;
struct Point {
  int x, y;
  __host__ __device__ Point(int x = 1, int y = 2) : x(x), y(y) {}
};
} // namespace outer

namespace {
__global__ void hidden(int *p) { *p = 77; }
} // namespace

__global__ void point(outer::Point p, const outer::Point q, int *out, int scale = 10) {
  out[0] = p.x * scale + q.y;
  p.x = 0;
  out[1] = p.x;
}

__device__ int twice(int v) { return 2 * v; }
__device__ float twice(float v) { return 2 * v + 0.25f; }
__device__ double twice(double v) { return 2 * v + 0.5; }
__global__ void calls(float *o) {
  o[0] = twice(3);
  o[1] = twice(3.0f);
  o[2] = twice(3.0);
}

__global__ void threads(int *p, unsigned n, char c, bool b, long long l, size_t s, const void *v) {
  if (threadIdx.x == 0 && b && v == p) *p = (int)(n + c + l + s);
}

static inline void launch_all(int *i, float *f) {
  using namespace outer;
  set<<<1, 1>>>(i);
  set<<<1, 1>>>(f);
  outer::inner::set<<<1, 1>>>(i + 1, 3, 4);
  ::outer::inner::set<<<dim3(1), dim3(1)>>>(i + 2, 9);
  hidden<<<1, 1>>>(i + 3);
  point<<<1, 1>>>(Point(), Point{3, 4}, i + 4);
  point<<<1, 1>>>({5}, {}, i + 6, 100);
  calls<<<1, 1>>>(f + 1);
  threads<<<1, 32>>>(i + 8, 1, 2, true, 3, sizeof(int), i + 8);
}

int main() {
  int *i, bad = 0;
  float *f;
  cudaMallocManaged(&i, 16 * sizeof(int));
  cudaMallocManaged(&f, 16 * sizeof(float));
  launch_all(i, f);
  cudaDeviceSynchronize();
  const int want[9] = {5, 12, 9, 77, 14, 0, 502, 0, 10};
  for (int k = 0; k < 9; k++)
    if (i[k] != want[k]) {
      printf("%d: %d, not %d\n", k, i[k], want[k]);
      bad++;
    }
  bad += f[0] != 2.5f || f[1] != 6.0f || f[2] != 6.25f || f[3] != 6.5f;
  printf("%s\n", bad ? "FAILED" : "PASSED");
  cudaFree(i); cudaFree(f);
  return bad;
}
