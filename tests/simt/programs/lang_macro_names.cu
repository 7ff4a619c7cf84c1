// Macros of one letter and of common words, defined before anything is included.
// expect: pass
// nvcc: no
#define A 1
#define B 2
#define C 3
#define D 4
#define E 5
#define F 6
#define G 7
#define H 8
#define I 9
#define J 10
#define K 11
#define L 12
#define M 13
#define N 14
#define O 15
#define P 16
#define Q 17
#define R 18
#define S 19
#define T 20
#define U 21
#define V 22
#define W 23
#define X 24
#define Y 25
#define Z 26
#define BLOCK_SIZE 256
#define SIZE 12
#define MAX 12
#define MIN 1
#define TILE 16
#define WIDTH 5
#define HEIGHT 5
#define MASK 3
#define ROWS 3
#define COLS 3
#define THREADS 3
#define BLOCKS 3
#define NUM 3
#define COUNT 3
#define DIM 3
#define EPS 1e-5
#define PI 3.14
#define LEN 5
#define TYPE float
#define REAL float
#define DEBUG 1
#define SEED 5
#define SCALE 4
#define RANGE 5
#define STEP 5
#define TRUE 1
#define FALSE 0
#define SQR(x) ((x) * (x))
#define BLOCK 5
#define GRID 5
#define WARP 32
#define LANES 32
#define INDEX 1
#define OFFSET 1
#define STRIDE 1
#define VERBOSE 1
#define LIMIT 1
#define PLAIN 1
#define IS_SHARED 1
#define CHECK(x) x
#define ASSERT(x) x
#define ERROR(x) x
#define KB 1024
#define NONE 0
#define OK 0
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuComplex.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/pipeline>
#include <cuda/semaphore>
#include <cuda/std/atomic>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_pipeline.h>
#include <cuda_profiler_api.h>
#include <cuda_runtime.h>
#include <curand.h>
#include <curand_kernel.h>
#include <mma.h>
#include <nvtx3/nvToolsExt.h>
__global__ void k(int *a) { a[0] = N + Z; }
int main() {
  int *a;
  cudaMallocManaged(&a, 4);
  k<<<1, 1>>>(a);
  cudaDeviceSynchronize();
  printf(*a == 40 ? "PASSED\n" : "FAILED\n");
  cudaFree(a);
  return 0;
}
