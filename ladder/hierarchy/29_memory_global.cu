// Kinds of memory: a table in global memory.
//
//! title: table in global memory
//! expect: right
//
// Idea    cudaMalloc's memory, seen by all threads and by the host, gigabytes of it. The table is
//         128 bytes, so after the first read it sits in the first-level cache.
// Cost    1 step of 32 reads; 32 multiplications and additions an element.
// Shows   the measure for the other four kinds. The index depends on a parameter, so that no
//         compiler can fetch the table once and keep it.
// Source  course topic: kinds of memory.
#include "../common/ladder.h"
#include "memory_task.h"

static unsigned int *table;

__global__ void look_up(unsigned int *out, unsigned int n, unsigned int stride,
                        const unsigned int *table) {
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
