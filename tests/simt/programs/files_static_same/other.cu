// The second file with the same names.
static __device__ int helper(int v) { return v - 1; }
__device__ int state = 20;
__constant__ int factor = 5;
static __global__ void run(int *p) { *p = helper(*p) * factor + state; }

void other(int *p) {
  run<<<1, 1>>>(p);
  cudaDeviceSynchronize();
}
