// Who am I: the twelve coordinates that a thread can read, in one, two and three dimensions.
//
//! title: the twelve built-in coordinates
//! expect: right
//
// Idea    threadIdx, blockIdx, blockDim and gridDim have x, y and z each. What a launch does not
//         name is one thread or one block deep: its index is 0, its extent 1. warpSize is the
//         number of threads that take their steps together, 32 on every GPU so far.
// Cost    1 step.
// Shows   x runs fastest, then y, then z: that is the order in which a block's threads are cut
//         into warps. The lines of one block come in this order; blocks may come in any.
// Source  course topic: built-in variables; CUDA C++ Programming Guide, Built-in Variables.
#include "../common/ladder.h"

enum { WORDS = 13, MOST = 64 };

// Blocks take their turn to print, one launch each, so that the table can be compared.
__global__ void tell(unsigned int *seen, unsigned int turn, int print) {
  const unsigned int block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  const unsigned int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  unsigned int *row = seen + WORDS * (block * blockDim.x * blockDim.y * blockDim.z + thread);
  if (block != turn) return;
  LADDER_STEP();
  LADDER_WORK(1);
  row[0] = threadIdx.x, row[1] = threadIdx.y, row[2] = threadIdx.z;
  row[3] = blockIdx.x, row[4] = blockIdx.y, row[5] = blockIdx.z;
  row[6] = blockDim.x, row[7] = blockDim.y, row[8] = blockDim.z;
  row[9] = gridDim.x, row[10] = gridDim.y, row[11] = gridDim.z;
  row[12] = (unsigned int)warpSize;
  LADDER_WROTE(WORDS);
  if (print)
    printf("thread %u %u %u of %u %u %u, block %u %u %u of %u %u %u\n", threadIdx.x, threadIdx.y,
           threadIdx.z, blockDim.x, blockDim.y, blockDim.z, blockIdx.x, blockIdx.y, blockIdx.z,
           gridDim.x, gridDim.y, gridDim.z);
}

static void expect(unsigned int *row, dim3 g, dim3 b, unsigned int block, unsigned int thread) {
  const unsigned int want[WORDS] = {thread % b.x,
                                    thread / b.x % b.y,
                                    thread / b.x / b.y,
                                    block % g.x,
                                    block / g.x % g.y,
                                    block / g.x / g.y,
                                    b.x,
                                    b.y,
                                    b.z,
                                    g.x,
                                    g.y,
                                    g.z,
                                    32};
  memcpy(row, want, sizeof want);
}

static void show(const char *name, dim3 blocks, dim3 threads, unsigned int *device) {
  const unsigned int count = blocks.x * blocks.y * blocks.z;
  const unsigned int a_block = threads.x * threads.y * threads.z;
  unsigned int got[MOST * WORDS], want[MOST * WORDS];
  printf("%s\n", name);
  fflush(stdout);
  for (int run = 0; run < ladder.runs; ++run) {
    CHECK(cudaMemset(device, 0xff, sizeof got));
    ladder_start();
    for (unsigned int turn = 0; turn < count; ++turn) {
      tell<<<blocks, threads>>>(device, turn, run == 0);
      CHECK(cudaDeviceSynchronize());
    }
    CHECK(ladder_stop());
  }
  CHECK(cudaMemcpy(got, device, sizeof got, cudaMemcpyDeviceToHost));
  for (unsigned int i = 0; i < count * a_block; ++i)
    expect(want + WORDS * i, blocks, threads, i / a_block, i % a_block);
  ladder_same_u32(name, got, want, (size_t)WORDS * count * a_block);
}

int main(int argc, char **argv) {
  unsigned int *device, warp_size;
  ladder_begin(argc, argv, __FILE__, 24, 24, 0);
  CHECK(cudaMalloc((void **)&device, MOST * WORDS * sizeof *device));
  show("one dimension: <<<2, 4>>>", dim3(2, 1, 1), dim3(4, 1, 1), device);
  show("two dimensions: <<<(2,2), (2,2)>>>", dim3(2, 2, 1), dim3(2, 2, 1), device);
  show("three dimensions: <<<(1,2,2), (3,1,2)>>>", dim3(1, 2, 2), dim3(3, 1, 2), device);
  CHECK(cudaMemcpy(&warp_size, device + 12, sizeof warp_size, cudaMemcpyDeviceToHost));
  printf("warpSize %u\n", warp_size);
  CHECK(cudaFree(device));
  return ladder_end();
}
