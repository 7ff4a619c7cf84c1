// Kinds of memory: a table in shared memory.
//
//! title: table in shared memory
//! expect: right
//
// Idea    __shared__ variables belong to a block and live on the multiprocessor, in 32 banks of
//         4 bytes. Each block fetches the table once; the barrier says that all of it is there.
// Cost    2 steps, the barrier between them; 32 words of global memory a block.
// Shows   one word for all lanes is a broadcast, 32 words in 32 banks come together: both
//         patterns run at the same speed, where constant memory serialises the second.
// Source  course topic: kinds of memory.
#include "../common/ladder.h"
#include "memory_task.h"

static unsigned int *table;

__global__ void look_up(unsigned int *out, unsigned int n, unsigned int stride,
                        const unsigned int *table) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned int sum = 0;
  LADDER_STEP();
  __shared__ unsigned int mine[TABLE];
  if (threadIdx.x < TABLE) mine[threadIdx.x] = table[threadIdx.x];
  if (threadIdx.x < TABLE) LADDER_READ(1);
  __syncthreads(); // the table is complete
  LADDER_STEP();
  if (i >= n) return;
  for (unsigned int k = 0; k < TABLE; ++k) sum += mine[(stride * i + k) % TABLE] * (k + 1);
  LADDER_WORK(TABLE);
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
