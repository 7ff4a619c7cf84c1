// __device__ and __constant__ variables from the host: copies with offsets, addresses, sizes.
// expect: pass
#include <cstdio>

static int wrong;
#define EXPECT(condition) \
  if (!(condition)) ++wrong, printf("line %d: %s\n", __LINE__, #condition)
#define OK(call) EXPECT((call) == cudaSuccess)

struct pair {
  int a;
  double b;
};
__constant__ float weights[16];
__constant__ pair one;
__device__ int table[10] = {1, 2, 3};
__device__ int *pointer;
int plain[10];

__global__ void use(float *out) {
  const int i = threadIdx.x;
  out[i] = weights[i] + (float)one.b + table[i % 10] + (pointer ? pointer[0] : 0);
}

int main() {
  float w[16], out[16], *d;
  int t[10], *p;
  size_t bytes = 0;
  for (int i = 0; i < 16; ++i) w[i] = i * 0.5f;
  const pair value = {3, 100.0};
  OK(cudaMemcpyToSymbol(weights, w, sizeof w));
  OK(cudaMemcpyToSymbol(one, &value, sizeof value));
  const int nine = 9;
  OK(cudaMemcpyToSymbol(table, &nine, sizeof nine, 9 * sizeof(int)));
  OK(cudaMalloc(&p, sizeof(int)));
  OK(cudaMemcpy(p, &nine, sizeof nine, cudaMemcpyHostToDevice));
  OK(cudaMemcpyToSymbol(pointer, &p, sizeof p));
  OK(cudaMalloc(&d, sizeof out));
  use<<<1, 16>>>(d);
  OK(cudaMemcpy(out, d, sizeof out, cudaMemcpyDeviceToHost));
  const int expected[10] = {1, 2, 3, 0, 0, 0, 0, 0, 0, 9};
  for (int i = 0; i < 16; ++i) EXPECT(out[i] == w[i] + 100.0f + expected[i % 10] + 9);

  OK(cudaMemcpyFromSymbol(t, table, sizeof t));
  for (int i = 0; i < 10; ++i) EXPECT(t[i] == expected[i]);
  void *address;
  OK(cudaGetSymbolAddress(&address, table));
  OK(cudaMemset(address, 0, sizeof t));
  OK(cudaMemcpyFromSymbolAsync(t, table, 8, 4, cudaMemcpyDeviceToHost, 0));
  OK(cudaDeviceSynchronize());
  EXPECT(t[0] == 0 && t[1] == 0);
  OK(cudaGetSymbolSize(&bytes, table));
  EXPECT(bytes == sizeof table);

  EXPECT(cudaMemcpyToSymbol(table, t, sizeof t + 4) == cudaErrorInvalidValue);
  EXPECT(cudaMemcpyToSymbol(table, t, 8, 36) == cudaErrorInvalidValue);
  EXPECT(cudaMemcpyToSymbol(table, t, 4, 0, cudaMemcpyDeviceToHost) ==
         cudaErrorInvalidMemcpyDirection);
  EXPECT(cudaMemcpyToSymbol(plain, t, 4) == cudaErrorInvalidSymbol);
  EXPECT(cudaGetSymbolAddress(&address, plain) == cudaErrorInvalidSymbol);
  puts(wrong ? "FAILED" : "PASSED");
  cudaFree(p); cudaFree(d);
  return wrong != 0;
}
