// Kinds of memory: a table in constant memory.
//
//! title: table in constant memory
//! expect: right
//
// Idea    __constant__ variables, 64 KiB in all, written by the host with cudaMemcpyToSymbol.
//         Their cache hands one word to all lanes of a warp at a time.
// Cost    1 step of 32 reads; 32 multiplications and additions an element.
// Shows   as fast as a register when all lanes read the same word; when they read 32 different
//         words the reads are taken one after the other.
// Source  course topic: kinds of memory; Sanders and Kandrot, CUDA by Example, 2010, ch. 6.
#include "../common/ladder.h"
#include "memory_task.h"

__constant__ unsigned int table[TABLE];

__global__ void look_up(unsigned int *out, unsigned int n, unsigned int stride) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned int sum = 0;
  LADDER_STEP();
  if (i >= n) return;
  for (unsigned int k = 0; k < TABLE; ++k) sum += table[(stride * i + k) % TABLE] * (k + 1);
  LADDER_WORK(TABLE);
  out[i] = sum + i;
  LADDER_WROTE(1);
}

static void launch(const void *memory) {
  const struct memory_task *t = (const struct memory_task *)memory;
  look_up<<<memory_blocks(t), MEMORY_THREADS>>>(t->out, t->n, t->stride);
}

int main(int argc, char **argv) {
  ladder_begin(argc, argv, __FILE__, 1 << 16, 1 << 26, sizeof(unsigned int));
  unsigned int host[TABLE];
  memory_table(host);
  CHECK(cudaMemcpyToSymbol(table, host, sizeof host));
  memory_run(launch);
  return ladder_end();
}
