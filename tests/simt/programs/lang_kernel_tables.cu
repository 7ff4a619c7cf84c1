// Kernels as function pointers: tables, parameters of host functions, std::function, cudaLaunchKernel, attributes.
// expect: pass
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

__global__ void k_add(int *p, int v) { p[threadIdx.x] += v; }
__global__ void k_mul(int *p, int v) { p[threadIdx.x] *= v; }
__global__ void k_set(int *p, int v) { p[threadIdx.x] = v; }
template <typename T> __global__ void k_tmpl(T *p, T v) { p[threadIdx.x] -= v; }

typedef void (*Kernel)(int *, int);
using Kernel2 = void(int *, int);

struct Entry {
  const char *name;
  Kernel kernel;
};
static const Entry table[] = {
    {"set", k_set}, {"add", &k_add}, {"mul", k_mul}, {"sub", k_tmpl<int>}};

void launch(Kernel k, int *p, int v) { k<<<1, 32>>>(p, v); }
void launch2(Kernel2 *k, int *p, int v) { (*k)<<<dim3(1), dim3(32), 0, 0>>>(p, v); }
template <typename F, typename... A> void generic(F f, dim3 g, dim3 b, A... a) {
  f<<<g, b>>>(a...);
}
template <typename... A> cudaError_t by_api(void (*f)(A...), dim3 g, dim3 b, A... a) {
  void *args[] = {&a...};
  return cudaLaunchKernel((const void *)f, g, b, args, 0, nullptr);
}

struct Mixed {
  double d;
  char c;
};
__global__ void k_mixed(char a, Mixed m, short s, long long *out) {
  *out = a + (long long)m.d + m.c + s;
}

int main() {
  int *p, bad = 0;
  cudaMallocManaged(&p, 32 * sizeof(int));
  for (const Entry &e : table) {
    e.kernel<<<1, 32>>>(p, 3);
    printf("%s ", e.name);
  }
  cudaDeviceSynchronize();
  bad += p[31] != (3 + 3) * 3 - 3; // 15
  launch(k_add, p, 5), launch2(k_mul, p, 2);
  cudaDeviceSynchronize();
  bad += p[7] != 40;
  generic(k_set, 1, 32, p, 9);
  generic(k_tmpl<int>, dim3(1), dim3(32), p, 4);
  cudaDeviceSynchronize();
  bad += p[0] != 5;
  bad += by_api(k_add, dim3(1), dim3(32), p, 6) != cudaSuccess;
  cudaDeviceSynchronize();
  bad += p[1] != 11;
  std::vector<std::function<void(int)>> calls;
  calls.push_back([=](int v) { k_mul<<<1, 32>>>(p, v); });
  calls.emplace_back([p](int v) { k_add<<<1, 32>>>(p, v); });
  for (auto &c : calls) c(2);
  cudaDeviceSynchronize();
  bad += p[2] != 24;
  int v = 8;
  void *args[2] = {&p, &v};
  bad += cudaLaunchKernel(k_set, dim3(1), dim3(16), args, 0, 0) != cudaSuccess;
  cudaDeviceSynchronize();
  bad += p[15] != 8 || p[16] != 24;
  char a = 'A';
  Mixed m = {1000.5, 'B'};
  short s = -3;
  long long *out;
  cudaMallocManaged(&out, sizeof *out);
  void *margs[] = {&a, &m, &s, &out};
  cudaLaunchKernel((void *)k_mixed, 1, 1, margs);
  cudaDeviceSynchronize();
  bad += *out != 65 + 1000 + 66 - 3;
  cudaFuncAttributes attr;
  bad += cudaFuncGetAttributes(&attr, k_add) != cudaSuccess || attr.maxThreadsPerBlock < 32;
  printf("\n%s\n", bad ? "FAILED" : "PASSED");
  cudaFree(p); cudaFree(out);
  return bad;
}
