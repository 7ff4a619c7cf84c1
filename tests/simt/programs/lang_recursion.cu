// Recursion on the device: factorial, Fibonacci, Ackermann, Hanoi, tree walk, template recursion.
// expect: pass
#include <cstdio>

__device__ unsigned long long factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }
__device__ int fib(int n) {
  if (n < 2) return n;
  return fib(n - 1) + fib(n - 2);
}
__device__ int ackermann(int m, int n) {
  if (m == 0) return n + 1;
  if (n == 0) return ackermann(m - 1, 1);
  return ackermann(m - 1, ackermann(m, n - 1));
}
__device__ void hanoi(int n, int from, int to, int via, int &moves) {
  if (n == 0) return;
  hanoi(n - 1, from, via, to, moves);
  ++moves;
  hanoi(n - 1, via, to, from, moves);
}
__device__ bool is_even(unsigned n);
__device__ bool is_odd(unsigned n) { return n == 0 ? false : is_even(n - 1); }
__device__ bool is_even(unsigned n) { return n == 0 ? true : is_odd(n - 1); }

template <int N> struct Power {
  static __device__ __host__ long long of(long long b) { return b * Power<N - 1>::of(b); }
};
template <> struct Power<0> {
  static __device__ __host__ long long of(long long) { return 1; }
};

struct Tree {
  int key, left, right;
};

__device__ int depth(const Tree *t, int i) {
  if (i < 0) return 0;
  int l = depth(t, t[i].left), r = depth(t, t[i].right);
  return 1 + (l > r ? l : r);
}

__global__ void run(long long *out, const Tree *t) {
  int i = threadIdx.x, moves = 0;
  switch (i) {
  case 0: out[i] = factorial(15); break;
  case 1: out[i] = fib(18); break;
  case 2: out[i] = ackermann(2, 3); break;
  case 3:
    hanoi(8, 0, 2, 1, moves);
    out[i] = moves;
    break;
  case 4: out[i] = is_even(100) * 10 + is_odd(100); break;
  case 5: out[i] = Power<13>::of(3); break;
  case 6: out[i] = depth(t, 0); break;
  }
}

int main() {
  Tree tree[63];
  for (int i = 0; i < 63; i++)
    tree[i] = Tree{i, 2 * i + 1 < 63 ? 2 * i + 1 : -1, 2 * i + 2 < 63 ? 2 * i + 2 : -1};
  Tree *t;
  long long *d, h[7];
  size_t stack;
  cudaDeviceGetLimit(&stack, cudaLimitStackSize);
  cudaDeviceSetLimit(cudaLimitStackSize, 16 * 1024);
  cudaMalloc(&t, sizeof tree), cudaMalloc(&d, sizeof h);
  cudaMemcpy(t, tree, sizeof tree, cudaMemcpyHostToDevice);
  run<<<1, 32>>>(d, t);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  const long long want[7] = {1307674368000LL, 2584, 9, 255, 10, 1594323, 6};
  int bad = 0;
  for (int i = 0; i < 7; i++) {
    printf("%lld ", h[i]);
    bad += h[i] != want[i];
  }
  printf("\n%s\n", bad ? "FAILED" : "PASSED");
  cudaFree(t); cudaFree(d);
  return bad;
}
