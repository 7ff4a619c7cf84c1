// Quicksort by dynamic parallelism: kernels launch kernels, selection sort below 32 elements.
// expect: pass
// flags: -rdc=true
#include <iostream>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define MAX_DEPTH 8
#define INSERTION_SORT 32

__device__ void selection_sort(unsigned int *data, int left, int right) {
  for (int i = left; i <= right; ++i) {
    unsigned min_val = data[i];
    int min_idx = i;
    for (int j = i + 1; j <= right; ++j)
      if (data[j] < min_val) {
        min_idx = j;
        min_val = data[j];
      }
    if (i != min_idx) {
      data[min_idx] = data[i];
      data[i] = min_val;
    }
  }
}

__global__ void simple_quicksort(unsigned int *data, int left, int right, int depth) {
  if (depth >= MAX_DEPTH || right - left <= INSERTION_SORT) {
    selection_sort(data, left, right);
    return;
  }
  unsigned int *lptr = data + left, *rptr = data + right;
  unsigned int pivot = data[(left + right) / 2];
  while (lptr <= rptr) {
    unsigned int lval = *lptr, rval = *rptr;
    while (lval < pivot) lval = *++lptr;
    while (rval > pivot) rval = *--rptr;
    if (lptr <= rptr) {
      *lptr++ = rval;
      *rptr-- = lval;
    }
  }
  int nright = rptr - data, nleft = lptr - data;
  if (left < (rptr - data)) {
    cudaStream_t s;
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    simple_quicksort<<<1, 1, 0, s>>>(data, left, nright, depth + 1);
    cudaStreamDestroy(s);
  }
  if ((lptr - data) < right) {
    cudaStream_t s1;
    cudaStreamCreateWithFlags(&s1, cudaStreamNonBlocking);
    simple_quicksort<<<1, 1, 0, s1>>>(data, nleft, right, depth + 1);
    cudaStreamDestroy(s1);
  }
}

int main() {
  const int n = 700;
  unsigned *h = new unsigned[n], *d = 0;
  srand(2047);
  for (int i = 0; i < n; i++) h[i] = rand() % n;
  cudaMalloc((void **)&d, n * sizeof(unsigned));
  cudaMemcpy(d, h, n * sizeof(unsigned), cudaMemcpyHostToDevice);
  simple_quicksort<<<1, 1>>>(d, 0, n - 1, 0);
  cudaError_t e = cudaDeviceSynchronize();
  cudaMemcpy(h, d, n * sizeof(unsigned), cudaMemcpyDeviceToHost);
  for (int i = 1; i < n; ++i)
    if (h[i - 1] > h[i]) {
      std::cerr << "Invalid item[" << i - 1 << "]: " << h[i - 1] << " greater than " << h[i] << std::endl;
      return EXIT_FAILURE;
    }
  std::cout << (e == cudaSuccess ? "PASSED" : "FAILED") << std::endl;
  cudaFree(d);
  delete[] h;
  return e;
}
