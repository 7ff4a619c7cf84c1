// Kinds of memory: a table in registers, one word a lane.
//
//! title: table in registers, read by shuffle
//! expect: right
//
// Idea    registers are the nearest memory and each belongs to one thread; there is no address of
//         a register. But 32 lanes hold 32 words together, and a shuffle reads any lane's.
// Cost    1 step of 32 shuffles; 32 words of global memory a warp.
// Shows   a table without any memory behind it. All lanes must take part in a shuffle, those
//         beyond the end of the array too, so the bounds check comes after the loop.
// Source  course topic: kinds of memory; warp/03 for the shuffle.
#include "../common/ladder.h"
#include "memory_task.h"

static unsigned int *table;

__global__ void look_up(unsigned int *out, unsigned int n, unsigned int stride,
                        const unsigned int *table) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned int sum = 0;
  LADDER_STEP();
  const unsigned int mine = table[threadIdx.x % TABLE];
  LADDER_READ(1);
  for (unsigned int k = 0; k < TABLE; ++k)
    sum += __shfl_sync(0xffffffffu, mine, (int)((stride * i + k) % TABLE)) * (k + 1);
  LADDER_WORK(TABLE);
  if (i >= n) return;
  out[i] = sum + i;
  LADDER_WROTE(1);
}

static void launch(const void *memory) {
  const struct memory_task *t = (const struct memory_task *)memory;
  look_up<<<memory_blocks(t), MEMORY_THREADS>>>(t->out, t->n, t->stride, table);
}

int main(int argc, char **argv) {
  ladder_begin(argc, argv, __FILE__, 1 << 16, 1 << 26, sizeof(unsigned int));
  unsigned int host[TABLE];
  memory_table(host);
  CHECK(cudaMalloc((void **)&table, sizeof host));
  CHECK(cudaMemcpy(table, host, sizeof host, cudaMemcpyHostToDevice));
  memory_run(launch);
  CHECK(cudaFree(table));
  return ladder_end();
}
