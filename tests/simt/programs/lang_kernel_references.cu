// Kernel parameters that are references, packs of them, and references to functors and arrays.
// expect: pass
#include <cstdio>
template <class... A> __global__ void pk(int &o, A &...a) { o = (a + ...); }
template <class F> __global__ void cf(const F &f, int *o) { *o = f(3); }
__global__ void arr(int (&a)[4], const int &k, int *const &p) {
  a[threadIdx.x] = k;
  if (threadIdx.x == 0) p[4] = 9;
}
struct Fn {
  int k;
  __device__ int operator()(int x) const { return x * k; }
};
template <class T> __global__ void rv(T &&t, int (*fp)(int &) = nullptr) { t += 1; }
int main() {
  int *m;
  cudaMallocManaged(&m, 64);
  m[1] = 1;
  m[2] = 2;
  pk<<<1, 1>>>(m[0], m[1], m[2]);
  Fn *f;
  cudaMallocManaged(&f, sizeof *f);
  f->k = 5;
  cf<<<1, 1>>>(*f, m + 5);
  cudaDeviceSynchronize();
  bool ok = m[0] == 3 && m[5] == 15;
  int **pp;
  cudaMallocManaged(&pp, 8);
  *pp = m;
  arr<<<1, 4>>>(*(int(*)[4])m, m[5], *pp);
  rv<int &><<<1, 1>>>(m[6]);
  cudaDeviceSynchronize();
  m[6] = 0;
  rv<int &><<<1, 1>>>(m[6], nullptr);
  cudaDeviceSynchronize();
  ok &= m[3] == 15 && m[4] == 9 && m[6] == 1;
  puts(ok ? "PASSED" : "FAILED");
  cudaFree(m); cudaFree(f); cudaFree(pp);
  return !ok;
}
