// 0/1 knapsack with ping-pong rows, and matrix-chain cost along diagonals; unsigned long long sums.
// expect: pass
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>

typedef unsigned long long ull;
typedef unsigned int uint;

__global__ void knapsack_row(const ull *prev, ull *next, uint weight, uint profit, uint capacity) {
  uint c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c > capacity) return;
  ull keep = prev[c];
  if (c >= weight) keep = max(keep, prev[c - weight] + profit);
  next[c] = keep;
}

__global__ void chain(ull *cost, const int *dims, int n, int len) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = i + len;
  if (j >= n) return;
  ull best = ULLONG_MAX;
  for (int k = i; k < j; ++k) {
    ull c = cost[i * n + k] + cost[(k + 1) * n + j] + (ull)dims[i] * dims[k + 1] * dims[j + 1];
    best = c < best ? c : best;
  }
  cost[i * n + j] = best;
}

int main() {
  const uint capacity = 1000, items = 60;
  uint w[items], p[items];
  ull want[capacity + 1] = {0};
  for (uint i = 0; i < items; ++i) w[i] = 5 + (i * 37) % 83, p[i] = 10 + (i * 101) % 97;
  ull *a, *b;
  cudaMalloc(&a, sizeof(want)), cudaMalloc(&b, sizeof(want));
  cudaMemset(a, 0, sizeof(want));
  for (uint i = 0; i < items; ++i) {
    knapsack_row<<<(capacity + 256) / 256, 256>>>(a, b, w[i], p[i], capacity);
    ull *t = a;
    a = b, b = t;
    for (int c = capacity; c >= (int)w[i]; --c)
      if (want[c - w[i]] + p[i] > want[c]) want[c] = want[c - w[i]] + p[i];
  }
  ull got[capacity + 1];
  cudaMemcpy(got, a, sizeof(got), cudaMemcpyDeviceToHost);
  bool ok = memcmp(got, want, sizeof(got)) == 0;

  const int n = 50;
  int dims[n + 1], *d_dims;
  for (int i = 0; i <= n; ++i) dims[i] = 3 + (i * 29) % 41;
  static ull ref[n][n];
  ull *d_cost, result;
  cudaMalloc(&d_dims, sizeof(dims)), cudaMalloc(&d_cost, sizeof(ref));
  cudaMemcpy(d_dims, dims, sizeof(dims), cudaMemcpyHostToDevice);
  cudaMemset(d_cost, 0, sizeof(ref));
  for (int len = 1; len < n; ++len) {
    chain<<<1, n>>>(d_cost, d_dims, n, len);
    for (int i = 0; i + len < n; ++i) {
      ref[i][i + len] = ULLONG_MAX;
      for (int k = i; k < i + len; ++k) {
        ull c = ref[i][k] + ref[k + 1][i + len] + (ull)dims[i] * dims[k + 1] * dims[i + len + 1];
        if (c < ref[i][i + len]) ref[i][i + len] = c;
      }
    }
  }
  cudaMemcpy(&result, d_cost + n - 1, sizeof(result), cudaMemcpyDeviceToHost);
  printf("knapsack %llu, chain %llu\n", got[capacity], result);
  ok = ok && result == ref[0][n - 1];
  printf(ok ? "PASSED\n" : "FAILED\n");
  cudaFree(a); cudaFree(b); cudaFree(d_dims); cudaFree(d_cost);
  return ok ? 0 : -1;
}
