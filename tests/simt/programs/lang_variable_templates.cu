// Variables of the device that are templates, or inline, are symbols like others.
// expect: pass
#include <cstdio>

template <class T> __constant__ T mask[4];
template <class T, int N> __device__ T table[N];
template <int N> __constant__ int limits = N;
template <> __constant__ int limits<5> = 50;
inline __device__ int counter = 7;

namespace inner {
template <class T> __device__ T scale = T(2);
}

template <class T> __global__ void apply(T *p) {
  p[threadIdx.x] = mask<T>[threadIdx.x] * inner::scale<T> + table<T, 4>[threadIdx.x];
  atomicAdd(&counter, 1);
}
__global__ void both(int *p) { *p = 100 * limits<3> + limits<5>; }

static int wrong(const char *what, cudaError_t e) {
  if (e != cudaSuccess) printf("%s: %s\n", what, cudaGetErrorString(e));
  return e != cudaSuccess;
}

// The type is known in the instance only.
template <class T> static int run(T first) {
  T h[4] = {first, T(first + 2), T(first * 3), 4}, t[4] = {10, 20, 30, 40}, back[4], factor = 3, *d, *where;
  size_t size = 0;
  int bad = wrong("to", cudaMemcpyToSymbol(mask<T>, h, sizeof h));
  bad += wrong("part", cudaMemcpyToSymbol(mask<T>, h + 1, sizeof(T), 3 * sizeof(T)));
  bad += wrong("table", cudaMemcpyToSymbol((table<T, 4>), t, sizeof t));
  bad += wrong("scale", cudaMemcpyToSymbol(::inner::scale<T>, &factor, sizeof factor));
  bad += wrong("address", cudaGetSymbolAddress((void **)&where, inner::scale<T>));
  bad += wrong("size", cudaGetSymbolSize(&size, mask<T>));
  bad += size != sizeof h;
  cudaMalloc(&d, sizeof h);
  apply<<<1, 4>>>(d);
  bad += wrong("run", cudaMemcpy(back, d, sizeof back, cudaMemcpyDeviceToHost));
  h[3] = h[1];
  for (int i = 0; i < 4; i++) bad += back[i] != h[i] * 3 + t[i];
  bad += wrong("through", cudaMemcpy(back, where, sizeof(T), cudaMemcpyDeviceToHost)) || back[0] != 3;
  bad += wrong("from", cudaMemcpyFromSymbol(back, mask<T>, sizeof(T), sizeof(T))) || back[0] != h[1];
  cudaFree(d);
  return bad;
}

int main() {
  int bad = run<float>(1.5f) + run<int>(5) + run<double>(0.25), n = 0, *p;
  bad += wrong("inline", cudaMemcpyFromSymbol(&n, counter, sizeof n)) || n != 7 + 12;
  n = 9;
  bad += wrong("limit", cudaMemcpyToSymbol(limits<3>, &n, sizeof n));
  cudaMallocManaged(&p, sizeof *p);
  both<<<1, 1>>>(p);
  bad += wrong("both", cudaDeviceSynchronize()) || *p != 950;
  cudaFree(p);
  int host = 1;
  bad += cudaMemcpyToSymbol(host, &n, sizeof n) != cudaErrorInvalidSymbol;
  printf("%s\n", bad ? "FAILED" : "PASSED");
  return bad != 0;
}
