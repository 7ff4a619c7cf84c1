// Merge sort by binary search ranks, odd-even transposition and rank sort, behind one table of kernels.
// expect: pass
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N 1000

typedef void (*sorter)(int *host, int n);

/* ---- merge sort: each element finds its place in the neighbouring run ---- */
__device__ int lower(const int *a, int n, int v) {
  int lo = 0, hi = n;
  while (lo < hi) {
    int mid = (lo + hi) >> 1;
    if (a[mid] < v)
      lo = mid + 1;
    else
      hi = mid;
  }
  return lo;
}

__device__ int upper(const int *a, int n, int v) {
  int lo = 0, hi = n;
  while (lo < hi) {
    int mid = (lo + hi) >> 1;
    if (a[mid] <= v)
      lo = mid + 1;
    else
      hi = mid;
  }
  return lo;
}

__global__ void merge_pass(const int *src, int *dst, int n, int width) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int pair = i / (2 * width) * (2 * width);
  int left = pair, right = min(pair + width, n), end = min(pair + 2 * width, n);
  int to;
  if (i < right)
    to = i + lower(src + right, end - right, src[i]);
  else
    to = pair + (i - right) + upper(src + left, right - left, src[i]);
  dst[to] = src[i];
}

static void merge_sort(int *host, int n) {
  int *a, *b, *t;
  cudaMalloc((void **)&a, n * sizeof(int));
  cudaMalloc((void **)&b, n * sizeof(int));
  cudaMemcpy(a, host, n * sizeof(int), cudaMemcpyHostToDevice);
  for (int width = 1; width < n; width *= 2) {
    merge_pass<<<(n + 255) / 256, 256>>>(a, b, n, width);
    t = a, a = b, b = t;
  }
  cudaMemcpy(host, a, n * sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(a);
  cudaFree(b);
}

/* ---- odd-even transposition in one block ---- */
__global__ void odd_even(int *data, int n) {
  for (int phase = 0; phase < n; phase++) {
    int i = 2 * threadIdx.x + (phase & 1);
    if (i + 1 < n && data[i] > data[i + 1]) {
      int t = data[i];
      data[i] = data[i + 1];
      data[i + 1] = t;
    }
    __syncthreads();
  }
}

static void odd_even_sort(int *host, int n) {
  int *a;
  cudaMalloc((void **)&a, n * sizeof(int));
  cudaMemcpy(a, host, n * sizeof(int), cudaMemcpyHostToDevice);
  odd_even<<<1, (n + 1) / 2>>>(a, n);
  cudaMemcpy(host, a, n * sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(a);
}

/* ---- rank sort: count the smaller ones ---- */
__global__ void rank_kernel(const int *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, rank = 0;
  if (i >= n) return;
  for (int j = 0; j < n; j++) rank += in[j] < in[i] || (in[j] == in[i] && j < i);
  out[rank] = in[i];
}

static void rank_sort(int *host, int n) {
  int *a, *b;
  cudaMalloc((void **)&a, n * sizeof(int));
  cudaMalloc((void **)&b, n * sizeof(int));
  cudaMemcpy(a, host, n * sizeof(int), cudaMemcpyHostToDevice);
  rank_kernel<<<(n + 63) / 64, 64>>>(a, b, n);
  cudaMemcpy(host, b, n * sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(a);
  cudaFree(b);
}

static int compare(const void *a, const void *b) {
  int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}

int main(void) {
  static const struct {
    const char *name;
    sorter sort;
  } sorters[] = {{"merge", merge_sort}, {"odd-even", odd_even_sort}, {"rank", rank_sort}};
  static int data[N], work[N], want[N];
  int failures = 0;
  for (int i = 0; i < N; i++) data[i] = rand() % 500 - 250;
  memcpy(want, data, sizeof(data));
  qsort(want, N, sizeof(int), compare);
  for (size_t s = 0; s < sizeof(sorters) / sizeof(sorters[0]); s++) {
    memcpy(work, data, sizeof(data));
    sorters[s].sort(work, N);
    int same = !memcmp(work, want, sizeof(want));
    printf("%-10s%s\n", sorters[s].name, same ? "sorted" : "NOT sorted");
    failures += !same;
  }
  printf("%s\n", failures ? "FAILED" : "PASSED");
  return failures;
}
