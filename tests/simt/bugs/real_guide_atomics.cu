// find: nothing
// Atomic operations made of compare and swap as the programming guide and many programs have them:
// the first value is read plainly, and the swap tells whether it still holds.
#include <cfloat>
#include <cstdio>
#include <vector>

__device__ double add_double(double *address, double val) {
  unsigned long long int *address_as_ull = (unsigned long long int *)address;
  unsigned long long int old = *address_as_ull, assumed;
  do {
    assumed = old;
    old = atomicCAS(address_as_ull, assumed,
                    __double_as_longlong(val + __longlong_as_double(assumed)));
  } while (assumed != old);
  return __longlong_as_double(old);
}

__device__ __forceinline__ float max_float(float *address, float val) {
  int ret = __float_as_int(*address);
  while (val > __int_as_float(ret)) {
    int old = ret;
    if ((ret = atomicCAS((int *)address, old, __float_as_int(val))) == old) break;
  }
  return __int_as_float(ret);
}

__device__ void min_float(float *const address, const float value) {
  if (*address <= value) return;
  int *const address_as_i = (int *)address;
  int old = *address_as_i, assumed;
  do {
    assumed = old;
    if (__int_as_float(assumed) <= value) break;
    old = atomicCAS(address_as_i, assumed, __float_as_int(value));
  } while (assumed != old);
}

__device__ unsigned short add_short(unsigned short *address, unsigned short val) {
  unsigned int *base = (unsigned int *)((size_t)address & ~2);
  bool high = (size_t)address & 2;
  unsigned int old = *base, assumed;
  do {
    assumed = old;
    unsigned int sum = (high ? assumed >> 16 : assumed & 0xffff) + val;
    unsigned int now =
        high ? (assumed & 0xffff) | sum << 16 : (assumed & 0xffff0000) | (sum & 0xffff);
    old = atomicCAS(base, assumed, now);
  } while (assumed != old);
  return high ? old >> 16 : old & 0xffff;
}

struct Totals {
  double sum;
  float largest, smallest;
  unsigned short odd, even;
};

__global__ void collect(const float *in, int n, Totals *t) {
  __shared__ double s_sum;
  if (threadIdx.x == 0) s_sum = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    add_double(&s_sum, in[i]);
    max_float(&t->largest, in[i]);
    min_float(&t->smallest, in[i]);
    add_short(i % 2 ? &t->odd : &t->even, 1);
  }
  __syncthreads();
  if (threadIdx.x == 0) add_double(&t->sum, s_sum);
}

int main() {
  const int n = 500;
  std::vector<float> h(n);
  double expected = 0;
  for (int i = 0; i < n; i++) {
    h[i] = i * 37 % 211 - 50;
    expected += h[i];
  }
  float *in;
  Totals *d, t = {0, -FLT_MAX, FLT_MAX, 0, 0};
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&d, sizeof t);
  cudaMemcpy(in, h.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(d, &t, sizeof t, cudaMemcpyHostToDevice);
  collect<<<4, 64>>>(in, n, d);
  cudaMemcpy(&t, d, sizeof t, cudaMemcpyDeviceToHost);
  printf("sum %g (%g), %g to %g, %d odd, %d even, %s\n", t.sum, expected, t.smallest, t.largest,
         t.odd, t.even, cudaGetErrorString(cudaGetLastError()));
  cudaFree(in);
  cudaFree(d);
  return t.sum != expected;
}
