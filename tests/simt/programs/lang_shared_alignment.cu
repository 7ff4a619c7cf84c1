// Shared variables of any type hold vectors of 16 bytes, wherever they are declared.
// expect: pass
#include <cstdint>
#include <cstdio>

struct Odd {
  char first;
  char rest[68];
};

struct alignas(64) Wide {
  float x[16];
};

template <class T, int N> __device__ unsigned misaligned() {
  __shared__ T before[3];
  __shared__ T values[N];
  before[0] = T();
  return (reinterpret_cast<uintptr_t>(values) | reinterpret_cast<uintptr_t>(before)) % 16;
}

__shared__ unsigned char at_file_scope[67];

__global__ void addresses(unsigned *out) {
  __shared__ char c;
  __shared__ uint8_t bytes[37], more[5];
  __shared__ short pair[2][3];
  __shared__ Odd odd;
  __shared__ __align__(8) char eight[9];
  alignas(32) __shared__ char thirty_two[9];
  __shared__ Wide wide;
  c = 0;
  unsigned bad = 0;
  bad |= (uintptr_t)&c % 16 | (uintptr_t)bytes % 16 | (uintptr_t)more % 16 | (uintptr_t)pair % 16;
  bad |= (uintptr_t)&odd % 16 | (uintptr_t)eight % 16 | (uintptr_t)thirty_two % 32 | (uintptr_t)&wide % 64;
  bad |= (uintptr_t)at_file_scope % 16;
  bad |= misaligned<char, 5>() | misaligned<uint16_t, 7>() | misaligned<Odd, 2>();
  *out = bad;
}

// As an author of kernels writes it: bytes, used as vectors.
__global__ void reverse(float4 *out, int shift) {
  __shared__ uint8_t flags[5];
  __shared__ uint8_t buffer[32 * sizeof(float4) + 4];
  if (threadIdx.x < 5) flags[threadIdx.x] = shift;
  float4 *s = reinterpret_cast<float4 *>(buffer);
  s[threadIdx.x] = make_float4(threadIdx.x, 1 + shift, 2, 3);
  __syncthreads();
  out[threadIdx.x] = s[31 - threadIdx.x];
  out[threadIdx.x].w += flags[4];
}

__global__ void dynamic(double2 *out) {
  extern __shared__ char raw[];
  double2 *s = reinterpret_cast<double2 *>(raw);
  s[threadIdx.x] = make_double2(threadIdx.x, -1.0 * threadIdx.x);
  __syncthreads();
  out[threadIdx.x] = s[31 - threadIdx.x];
}

int main() {
  unsigned *bad, wrong = 0;
  float4 *d, h[32];
  double2 *e, g[32];
  cudaMallocManaged(&bad, sizeof *bad);
  cudaMalloc(&d, sizeof h);
  cudaMalloc(&e, sizeof g);
  addresses<<<1, 1>>>(bad);
  wrong += cudaDeviceSynchronize() != cudaSuccess || *bad;
  reverse<<<1, 32>>>(d, 4);
  wrong += cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost) != cudaSuccess;
  dynamic<<<1, 32, 32 * sizeof(double2) + 3>>>(e);
  wrong += cudaMemcpy(g, e, sizeof g, cudaMemcpyDeviceToHost) != cudaSuccess;
  for (int i = 0; i < 32; i++) {
    wrong += h[i].x != 31 - i || h[i].y != 5 || h[i].w != 7;
    wrong += g[i].x != 31 - i || g[i].y != i - 31;
  }
  cudaFree(bad), cudaFree(d), cudaFree(e);
  printf("%s\n", wrong ? "FAILED" : "PASSED");
  return wrong != 0;
}
