// find: use-after-free
// The struct's destructor frees; a copy of the struct is still used.
#include <cstdio>

struct Vector {
  double *data;
  int n;
  Vector(int count) : n(count) { cudaMalloc(&data, n * sizeof(double)); }
  Vector(const Vector &) = default;
  ~Vector() { cudaFree(data); }
};

struct View {
  double *data;
  int n;
};

__global__ void scale(View v, double k) {
  int i = threadIdx.x;
  if (i < v.n) v.data[i] = k; // BUG
}

static View make() {
  Vector v(100);
  return {v.data, v.n};
}

int main() {
  View view = make();
  scale<<<1, 128>>>(view, 2);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
