// One function, compiled twice: for the host and for the device.
//
//! title: a __host__ __device__ function
//! expect: right
//
// Idea    __global__ is called by the host and runs on the device, __device__ is called there
//         and runs there, __host__ (or nothing) is the host's. __host__ __device__ is both: the
//         reference and the kernel then share one text, and cannot differ by a slip of the pen.
// Cost    1 step, n calls of the function: some 20 multiplications each.
// Shows   same bits on both sides, for unsigned arithmetic. (For floats that holds only if both
//         compilers fuse, or do not fuse, the same multiplications and additions.)
// Source  course topic: function qualifiers. The function: Murmur3's 64-bit finaliser,
//         Appleby 2011, used here as a value that no other element has.
#include "../common/ladder.h"

enum { THREADS = 128 };

__host__ __device__ unsigned long long scramble(unsigned long long x) {
  x ^= x >> 33;
  x *= 0xff51afd7ed558ccdull;
  x ^= x >> 33;
  x *= 0xc4ceb9fe1a85ec53ull;
  return x ^ (x >> 33);
}

__global__ void scramble_all(unsigned long long *out, size_t n) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  LADDER_STEP();
  if (i >= n) return;
  out[i] = scramble(i);
  LADDER_WORK(1);
  LADDER_WROTE(2);
}

int main(int argc, char **argv) {
  ladder_begin(argc, argv, __FILE__, 1 << 16, 1 << 28, sizeof(unsigned long long));
  const size_t n = ladder.size, bytes = n * sizeof(unsigned long long);
  unsigned long long *got = (unsigned long long *)ladder_host_memory(bytes), *device;
  size_t wrong = 0;
  CHECK(cudaMalloc((void **)&device, bytes));
  for (int run = 0; run < ladder.runs; ++run) {
    CHECK(cudaMemset(device, 0xff, bytes));
    ladder_start();
    scramble_all<<<(unsigned int)((n + THREADS - 1) / THREADS), THREADS>>>(device, n);
    CHECK(ladder_stop());
  }
  ladder_moves((double)bytes);
  CHECK(cudaMemcpy(got, device, bytes, cudaMemcpyDeviceToHost));
  for (size_t i = 0; i < n; ++i)
    if (got[i] != scramble(i) && wrong++ == 0)
      ladder_wrong("out[%zu] is %llx, the host has %llx", i, got[i], scramble(i));
  printf("%zu calls on the device, %zu differ from the host's\n", n, wrong);
  CHECK(cudaFree(device));
  free(got);
  return ladder_end();
}
