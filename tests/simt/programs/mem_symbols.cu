// __device__ and __constant__ variables of all kinds: scalars, arrays, structs, pointers, offsets, addresses.
// expect: pass
#include <cassert>
#include <cstdio>
#include <cstring>

struct Config {
  int rows, cols;
  float scale;
  char tag[8];
};

__device__ int counter;
__device__ int preset = 42;
__device__ float table[3][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}};
__constant__ Config config = {3, 4, 2.0f, "abc"};
__constant__ float *pointer_in_constant;
static __device__ double accumulator;
__device__ const int primes[] = {2, 3, 5, 7, 11};
__constant__ unsigned char lookup[256];
namespace deep {
__device__ int inside;
}
template <typename T> __device__ T zero_of = T(0);

__global__ void use(float *out) {
  int i = threadIdx.x;
  if (i < config.rows * config.cols)
    out[i] = table[i / config.cols][i % config.cols] * config.scale;
  atomicAdd(&counter, primes[i % 5]);
  if (i == 0) {
    preset += lookup[10];
    accumulator = preset / 4.0;
    deep::inside = config.tag[1];
    pointer_in_constant[0] = 7.5f;
  }
}

int main() {
  float *out, *target, h[12], one;
  int c = 0, sum = 0;
  cudaMalloc(&out, sizeof h);
  cudaMalloc(&target, sizeof(float));
  unsigned char lut[256];
  for (int i = 0; i < 256; i++) lut[i] = 255 - i;
  assert(cudaMemcpyToSymbol(lookup, lut, sizeof lut) == cudaSuccess);
  assert(cudaMemcpyToSymbol(pointer_in_constant, &target, sizeof(float *)) == cudaSuccess);
  assert(cudaMemcpyToSymbol(counter, &c, sizeof c) == cudaSuccess);
  // only a part, at an offset
  float row[2] = {70, 80};
  assert(cudaMemcpyToSymbol(table, row, sizeof row, 6 * sizeof(float)) == cudaSuccess);
  use<<<1, 12>>>(out);
  assert(cudaDeviceSynchronize() == cudaSuccess);
  cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 12; i++) {
    float want = 2.0f * (i == 6 ? 70 : i == 7 ? 80 : i + 1);
    if (h[i] != want) return printf("FAILED at %d: %f\n", i, h[i]), 1;
  }
  const int primes_host[] = {2, 3, 5, 7, 11};
  for (int i = 0; i < 12; i++) sum += primes_host[i % 5];
  cudaMemcpyFromSymbol(&c, counter, sizeof c);
  if (c != sum) return printf("FAILED: counter %d, not %d\n", c, sum), 1;
  int p, in;
  double acc;
  cudaMemcpyFromSymbol(&p, preset, sizeof p);
  cudaMemcpyFromSymbol(&acc, accumulator, sizeof acc);
  cudaMemcpyFromSymbol(&in, deep::inside, sizeof in);
  cudaMemcpy(&one, target, sizeof one, cudaMemcpyDeviceToHost);
  if (p != 42 + 245 || acc != p / 4.0 || in != 'b' || one != 7.5f)
    return puts("FAILED: scalars"), 1;
  void *address;
  size_t size;
  cudaGetSymbolAddress(&address, table);
  cudaGetSymbolSize(&size, table);
  if (size != sizeof(float) * 12) return puts("FAILED: size"), 1;
  cudaMemset(address, 0, size);
  float t[3][4];
  cudaMemcpyFromSymbol(t, table, sizeof t);
  for (auto &r : t)
    for (float v : r)
      if (v) return puts("FAILED: memset"), 1;
  puts("PASSED");
  cudaFree(out); cudaFree(target);
  return 0;
}
