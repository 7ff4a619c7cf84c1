/* The ceiling: how fast this GPU reads and copies memory at all
 *
 * Idea     a grid-stride loop over 16-byte words that only reads (and adds, so that the reads
 *          stay), and one that copies; medians of 11 runs over --size bytes
 * Shows    what the rungs' GB/s are a share of; the tool runs it with them
 * Source   the copy and the read of McCalpin's STREAM
 */
#include "ladder.h"

__global__ void read_all(const uint4 *in, size_t n, unsigned int *out) {
  const size_t stride = blockDim.x * (size_t)gridDim.x;
  unsigned int sum = 0;
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += stride) {
    const uint4 v = in[i];
    sum += v.x + v.y + v.z + v.w;
  }
  if (sum == 0x9e3779b9u) *out = sum; /* never for zeros, which the compiler does not know */
}

__global__ void copy_all(const uint4 *in, size_t n, uint4 *out) {
  const size_t stride = blockDim.x * (size_t)gridDim.x;
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += stride) out[i] = in[i];
}

static double measure(const uint4 *in, uint4 *out, int copies) {
  const size_t words = ladder.size / sizeof(uint4);
  const unsigned int blocks = 32 * (unsigned int)ladder.processors;
  ladder.kernel.runs = 0;
  for (int run = 0; run < ladder.runs; ++run) {
    ladder_start();
    if (copies)
      copy_all<<<blocks, 256>>>(in, words, out);
    else
      read_all<<<blocks, 256>>>(in, words, (unsigned int *)out);
    CHECK(ladder_stop());
  }
  return (copies ? 2 : 1) * (double)ladder.size / ladder_median(&ladder.kernel) * 1e-6;
}

int main(int argc, char **argv) {
  uint4 *in, *out;
  ladder_begin(argc, argv, __FILE__, 1 << 20, (size_t)1 << 30, 2);
  CHECK(cudaMalloc((void **)&in, ladder.size));
  CHECK(cudaMalloc((void **)&out, ladder.size));
  CHECK(cudaMemset(in, 0, ladder.size));
  const double read_gbs = measure(in, out, 0), copy_gbs = measure(in, out, 1);
  printf("read %.1f GB/s, copy %.1f GB/s\n", read_gbs, copy_gbs);
  ladder_key_number("read_gbs", read_gbs);
  ladder_key_number("copy_gbs", copy_gbs);
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
  return ladder_end();
}
