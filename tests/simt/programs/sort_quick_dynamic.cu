// Quicksort by dynamic parallelism: kernels launch kernels, selection sort below 32 elements.
// expect: pass
// flags: -rdc=true
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <iostream>

#define DEEPEST 8
#define SMALL 32

__device__ void selection_sort(unsigned int *data, int left, int right) {
  for (int i = left; i <= right; ++i) {
    unsigned least = data[i];
    int at = i;
    for (int j = i + 1; j <= right; ++j)
      if (data[j] < least) {
        at = j;
        least = data[j];
      }
    if (i != at) {
      data[at] = data[i];
      data[i] = least;
    }
  }
}

__global__ void sort_range(unsigned int *data, int left, int right, int depth) {
  if (depth >= DEEPEST || right - left <= SMALL) {
    selection_sort(data, left, right);
    return;
  }
  unsigned int *lo = data + left, *hi = data + right;
  unsigned int pivot = data[(left + right) / 2];
  while (lo <= hi) {
    unsigned int lv = *lo, rv = *hi;
    while (lv < pivot) lv = *++lo;
    while (rv > pivot) rv = *--hi;
    if (lo <= hi) {
      *lo++ = rv;
      *hi-- = lv;
    }
  }
  int right_end = hi - data, left_begin = lo - data;
  if (left < (hi - data)) {
    cudaStream_t s;
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    sort_range<<<1, 1, 0, s>>>(data, left, right_end, depth + 1);
    cudaStreamDestroy(s);
  }
  if ((lo - data) < right) {
    cudaStream_t s1;
    cudaStreamCreateWithFlags(&s1, cudaStreamNonBlocking);
    sort_range<<<1, 1, 0, s1>>>(data, left_begin, right, depth + 1);
    cudaStreamDestroy(s1);
  }
}

int main() {
  const int n = 700;
  unsigned *h = new unsigned[n], *d = 0;
  srand(5);
  for (int i = 0; i < n; i++) h[i] = rand() % n;
  cudaMalloc((void **)&d, n * sizeof(unsigned));
  cudaMemcpy(d, h, n * sizeof(unsigned), cudaMemcpyHostToDevice);
  sort_range<<<1, 1>>>(d, 0, n - 1, 0);
  cudaError_t e = cudaDeviceSynchronize();
  cudaMemcpy(h, d, n * sizeof(unsigned), cudaMemcpyDeviceToHost);
  for (int i = 1; i < n; ++i)
    if (h[i - 1] > h[i]) {
      std::cerr << h[i - 1] << " stands before " << h[i] << std::endl;
      return EXIT_FAILURE;
    }
  std::cout << (e == cudaSuccess ? "PASSED" : "FAILED") << std::endl;
  cudaFree(d);
  delete[] h;
  return e;
}
