// find: nothing
// useafter_struct_member.cu without its bug, which is: the struct's destructor frees; a copy of
// the struct is still used.
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
  if (i < v.n) v.data[i] = k;
}

static View make(Vector &v) { return {v.data, v.n}; }

int main() {
  Vector v(100);
  View view = make(v);
  scale<<<1, 128>>>(view, 2);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
