// A block has a limit, and a launch beyond it is an error, not a crash.
//
//! title: 33*1024 threads in one block
//! expect: right
//
// Idea    <<<1, N>>> cannot be the whole story: a block is resident on one multiprocessor, whose
//         registers and warp slots are finite. Devices of 2006 took 512 threads a block, all
//         since 2010 take 1,024. A launch returns nothing; its error waits in
//         cudaGetLastError(), and a program that does not ask reads old memory as its result.
// Cost    no kernel runs.
// Shows   512 and 1,024 threads run, 1,025 and 33*1024 do not; the error is of that launch alone
//         and the next one works; nothing was written by a launch that failed.
// Source  course topic: launch limits; CUDA C++ Programming Guide, technical specifications.
#include "../common/ladder.h"

__global__ void mark(unsigned int *out) {
  LADDER_WORK(1);
  LADDER_WROTE(1);
  out[threadIdx.x] = threadIdx.x + 1;
}

static unsigned int got[33 * 1024];

// Launches and tells how many threads left their mark.
static unsigned int try_threads(unsigned int *device, unsigned int threads) {
  unsigned int marks = 0;
  CHECK(cudaMemset(device, 0, sizeof got));
  mark<<<1, threads>>>(device);
  const cudaError_t error = cudaGetLastError();
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(got, device, sizeof got, cudaMemcpyDeviceToHost));
  for (unsigned int i = 0; i < 33 * 1024; ++i) marks += got[i] == i + 1;
  if (error == cudaSuccess)
    printf("<<<1, %u>>>: %u threads ran\n", threads, marks);
  else
    printf("<<<1, %u>>>: %s\n", threads, cudaGetErrorString(error));
  return error == cudaSuccess ? marks : marks ? 99999 : 0;
}

int main(int argc, char **argv) {
  static const unsigned int threads[] = {512, 1024, 1025, 33 * 1024, 1024};
  unsigned int *device, ran[5];
  const unsigned int want[] = {512, 1024, 0, 0, 1024};
  ladder_begin(argc, argv, __FILE__, 33 * 1024, 33 * 1024, 0);
  CHECK(cudaMalloc((void **)&device, sizeof got));
  ladder_start();
  for (int i = 0; i < 5; ++i) ran[i] = try_threads(device, threads[i]);
  CHECK(ladder_stop());
  ladder_same_u32("threads that ran", ran, want, 5);
  CHECK(cudaFree(device));
  return ladder_end();
}
