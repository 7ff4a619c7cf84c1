// What vector_ops.cu offers.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define CUDA_CHECK(call)                                                           \
  do {                                                                             \
    const cudaError_t error = call;                                                \
    if (error != cudaSuccess) {                                                    \
      fprintf(stderr, "Error: %s:%d, ", __FILE__, __LINE__);                       \
      fprintf(stderr, "code: %d, reason: %s\n", error, cudaGetErrorString(error)); \
      exit(1);                                                                     \
    }                                                                              \
  } while (0)

constexpr int kThreads = 128;
inline int blocks_for(int n) { return (n + kThreads - 1) / kThreads; }

extern int launches;
__global__ void axpy(int n, float a, const float *x, float *y);
void add(const float *a, const float *b, float *c, int n);
float *upload(const float *host, int n);
