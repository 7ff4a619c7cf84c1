// How many lanes of a warp are active: loops of uneven length, branches, partial warps.
#include <cstdio>

__global__ void triangular(int *out) {
  int sum = 0;
  for (int j = 0; j < threadIdx.x; ++j) {
    sum += j; // line: triangular
  }
  out[threadIdx.x] = sum;
}

__global__ void even_odd(int *out) {
  int x;
  if (threadIdx.x % 2 == 0)
    x = 3 * threadIdx.x; // line: even
  else
    x = 5 * threadIdx.x; // line: odd
  out[threadIdx.x] = x;  // line: together
}

__global__ void half_warps(int *out) {
  if (threadIdx.x % 32 < 16)
    out[threadIdx.x] = 1; // line: lower
  else
    out[threadIdx.x] = 2; // line: upper
}

__global__ void by_warps(int *out) {
  if (threadIdx.x / 32 % 2 == 0)
    out[threadIdx.x] = 1; // line: even warps
  else
    out[threadIdx.x] = 2; // line: odd warps
}

__global__ void one_lane(int *out) {
  if (threadIdx.x % 32 == 0) {
    out[threadIdx.x / 32] = 1; // line: one lane
  }
}

__global__ void guarded(int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    out[i] = i; // line: guarded
  }
}

__global__ void partial_warp(int *out) {
  out[threadIdx.x] = 7; // line: partial
}

__device__ int collatz(int n) {
  int steps = 0;
  while (n != 1) {
    n = n % 2 ? 3 * n + 1 : n / 2;
    ++steps; // line: collatz
  }
  return steps;
}

__global__ void lengths(int *out) {
  int i = threadIdx.x;
  out[i] = collatz(i + 1);
}

__device__ __noinline__ int depth_of(int n) {
  if (n == 0) return 0;
  return 1 + depth_of(n - 1); // line: recursion
}

__global__ void recursion(int *out) { out[threadIdx.x] = depth_of(threadIdx.x % 4); }

__global__ void cases(int *out) {
  int x = 0;
  switch (threadIdx.x % 4) {
  case 0:
    x = threadIdx.x * 3; // line: case 0
    break;
  case 1:
    x = threadIdx.x ^ 5; // line: case 1
    break;
  default: x = threadIdx.x + 9; // line: other cases
  }
  out[threadIdx.x] = x;
}

__global__ void early(int *out) {
  if (threadIdx.x >= 24) return;
  out[threadIdx.x] = 3; // line: early
}

int main() {
  int *out;
  cudaMalloc(&out, 4096 * sizeof *out);
  triangular<<<1, 32>>>(out);
  even_odd<<<2, 64>>>(out);
  half_warps<<<1, 128>>>(out);
  by_warps<<<1, 128>>>(out);
  one_lane<<<1, 256>>>(out);
  guarded<<<4, 256>>>(out, 1000);
  partial_warp<<<3, 40>>>(out);
  lengths<<<1, 32>>>(out);
  recursion<<<1, 32>>>(out);
  cases<<<1, 64>>>(out);
  early<<<1, 32>>>(out);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  puts("PASSED");
}
