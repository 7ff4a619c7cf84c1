// find: out-of-bounds
// The last member of a struct is an array; a function fills one element more, by index and by pointer.
// Fixed: As many as it has.
#include <cstdio>

struct Stack {
  int top = 0;
  int list[8];
  __device__ void push(int x) { list[top++] = x; } // BUG
};

__device__ void fill(int *list, int n) {
  for (int i = 0; i < n; ++i) list[i] = i; // BUG
}

struct Values {
  int list[8];
};

__global__ void both(int *out, int n) {
  Stack stack;
  Values values;
  for (int i = 0; i < n; ++i) stack.push(i);
  fill(values.list, n);
  out[threadIdx.x] = stack.list[1] + values.list[2];
}

int main() {
  int *out;
  cudaMalloc(&out, 32 * sizeof(int));
#ifdef FIXED
  both<<<1, 32>>>(out, 8);
#else
  both<<<1, 32>>>(out, 9);
#endif
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(out);
}
