// find: race shared
// Occurrences of a pattern are counted in a shared variable without an atomic.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#define MAX_PATTERN 32

__constant__ char pattern[MAX_PATTERN];
__constant__ int pattern_length;

__device__ bool matches(const char *text) {
  for (int k = 0; k < pattern_length; k++)
    if (text[k] != pattern[k]) return false;
  return true;
}

__global__ void count_matches(const char *text, int n, int *total, int *first) {
  __shared__ int found;
  __shared__ int earliest;
  if (threadIdx.x == 0) {
    found = 0;
    earliest = n;
  }
  __syncthreads();
  int stride = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i + pattern_length <= n; i += stride) {
    if (matches(text + i)) {
#ifdef FIXED
      atomicAdd(&found, 1);
#else
      found++; // BUG
#endif
      atomicMin(&earliest, i);
    }
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    atomicAdd(total, found);
    atomicMin(first, earliest);
  }
}

static int count_on_host(const std::string &text, const std::string &needle) {
  int count = 0;
  for (size_t at = text.find(needle); at != std::string::npos; at = text.find(needle, at + 1))
    count++;
  return count;
}

int main(int argc, char **argv) {
  std::string needle = argc > 1 ? argv[1] : "aba", text;
  unsigned state = 99;
  for (int i = 0; i < 4000; i++) {
    state = state * 1664525u + 1013904223u;
    text += "ab"[state >> 30 & 1];
  }
  int length = (int)needle.size(), n = (int)text.size(), *total, *first, h_total = 0, h_first = n;
  if (length > MAX_PATTERN) return 1;
  char *d_text;
  cudaMalloc(&d_text, n);
  cudaMalloc(&total, sizeof(int));
  cudaMalloc(&first, sizeof(int));
  cudaMemcpy(d_text, text.data(), n, cudaMemcpyHostToDevice);
  cudaMemcpyToSymbol(pattern, needle.data(), length);
  cudaMemcpyToSymbol(pattern_length, &length, sizeof length);
  cudaMemcpy(total, &h_total, sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(first, &h_first, sizeof(int), cudaMemcpyHostToDevice);
  count_matches<<<3, 128>>>(d_text, n, total, first);
  cudaMemcpy(&h_total, total, sizeof(int), cudaMemcpyDeviceToHost);
  cudaMemcpy(&h_first, first, sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d matches (host: %d), first at %d, %s\n", h_total, count_on_host(text, needle), h_first,
         cudaGetErrorString(cudaGetLastError()));
  cudaFree(d_text);
  cudaFree(total);
  cudaFree(first);
  return 0;
}
