// A barrier for a warp, or for part of it.
//
//! title: __syncwarp(fffffffe)
//! expect: right
//
// Idea    __syncwarp(mask) waits for the lanes of the mask and orders their memory: what they
//         wrote before, the others of them read behind it. Mask fffffffe is every lane but 0;
//         lane 0 must not call, and may be anywhere.
// Cost    2 steps with the barrier between them.
// Shows   lanes 1 to 31 turn their values round through shared memory while lane 0 takes another
//         branch. Since 2017 lanes may drift apart, so the barrier is needed although they share
//         a warp.
// Source  course topic: __syncwarp; Lin and Grover, Using CUDA warp-level primitives, NVIDIA 2018.
#include "../common/ladder.h"

enum { THREADS = 128 };

__global__ void turn(const unsigned int *in, unsigned int *out) {
  __shared__ unsigned int tile[THREADS];
  const unsigned int t = threadIdx.x, lane = t % 32, i = blockIdx.x * blockDim.x + t;
  const unsigned int value = in[i];
  unsigned int result = ~value;
  LADDER_READ(1);
  LADDER_STEP();
  if (lane != 0) {
    tile[t] = value;
    __syncwarp(0xfffffffeu); // the 31 words of this warp are written
    result = tile[t - lane + 32 - lane];
    LADDER_WORK(1);
  }
  out[i] = result;
  LADDER_WROTE(1);
}

int main(int argc, char **argv) {
  unsigned int *in, *out;
  ladder_begin(argc, argv, __FILE__, 1 << 12, 1 << 22, 2 * sizeof(unsigned int));
  const unsigned int blocks = (unsigned int)((ladder.size + THREADS - 1) / THREADS);
  const size_t n = (size_t)blocks * THREADS, bytes = n * sizeof *in;
  unsigned int *host = (unsigned int *)ladder_host_memory(bytes);
  unsigned int *got = (unsigned int *)ladder_host_memory(bytes);
  unsigned int *want = (unsigned int *)ladder_host_memory(bytes);
  for (size_t i = 0; i < n; ++i) host[i] = (unsigned int)ladder_random(1, i);
  for (size_t i = 0; i < n; ++i) want[i] = i % 32 ? host[i - i % 32 + 32 - i % 32] : ~host[i];
  CHECK(cudaMalloc((void **)&in, bytes));
  CHECK(cudaMalloc((void **)&out, bytes));
  CHECK(cudaMemcpy(in, host, bytes, cudaMemcpyHostToDevice));
  for (int run = 0; run < ladder.runs; ++run) {
    CHECK(cudaMemset(out, 0, bytes));
    ladder_start();
    turn<<<blocks, THREADS>>>(in, out);
    CHECK(ladder_stop());
  }
  CHECK(cudaMemcpy(got, out, bytes, cudaMemcpyDeviceToHost));
  if (ladder_same_u32("out", got, want, n))
    printf("%zu warps: lanes 1 to 31 turned round, lane 0 went its own way\n", n / 32);
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
  free(host);
  free(got);
  free(want);
  return ladder_end();
}
