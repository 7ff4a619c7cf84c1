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

#ifdef FIXED
static View make(Vector &v) { return {v.data, v.n}; }
#else
static View make() {
  Vector v(100);
  return {v.data, v.n};
}
#endif

int main() {
#ifdef FIXED
  Vector v(100);
  View view = make(v);
#else
  View view = make();
#endif
  scale<<<1, 128>>>(view, 2);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
