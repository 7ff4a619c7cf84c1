// find: host-pointer
//
// An object with virtual functions is made by the host and copied: its table of functions is the host's.
// Fixed: a kernel makes it; objects that the device has made may be copied on the device.
#include <cstdio>
#include <cstdlib>

static void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(status));
  exit(1);
}

struct shape {
  __host__ __device__ virtual float area() const = 0;
};
struct square : shape {
  float side;
  __host__ __device__ square(float s) : side(s) {}
  __host__ __device__ float area() const override { return side * side; }
};

__global__ void make(square *to) { new (to) square(3); }
__global__ void measure(const shape *s, float *area) {
  *area = s->area(); // BUG
}

int main() {
  square *made, *copy;
  float *area, h;
  check(cudaMalloc(&made, sizeof *made));
  check(cudaMalloc(&copy, sizeof *copy));
  check(cudaMalloc(&area, sizeof *area));
#ifdef FIXED
  make<<<1, 1>>>(made);
  check(cudaGetLastError());
  check(cudaMemcpy(copy, made, sizeof *copy, cudaMemcpyDeviceToDevice));
  measure<<<1, 1>>>(copy, area);
  check(cudaGetLastError());
  check(cudaMemcpy(&h, area, sizeof h, cudaMemcpyDeviceToHost));
  printf("%g\n", h);
#else
  const square own(3);
  check(cudaMemcpy(copy, &own, sizeof own, cudaMemcpyHostToDevice));
  measure<<<1, 1>>>(copy, area);
  (void)cudaMemcpy(&h, area, sizeof h, cudaMemcpyDeviceToHost);
#endif
  (void)cudaFree(made);
  (void)cudaFree(copy);
  (void)cudaFree(area);
}
