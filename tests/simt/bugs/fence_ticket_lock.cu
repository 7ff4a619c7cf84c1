// find: race global fence
// A ticket lock whose owner goes on to the next ticket before its fence.
// Fixed: A ticket lock: its owner fences, then serves the next ticket.
#include <cstdio>

__device__ unsigned next_ticket, now_serving;

__global__ void append(char *text, int *length) {
  if (threadIdx.x) return;
  const unsigned mine = atomicAdd(&next_ticket, 1u);
  while (atomicAdd(&now_serving, 0u) != mine) {
  }
  __threadfence();
  const int at = *length; // BUG
  text[at] = static_cast<char>('a' + blockIdx.x);
  *length = at + 1; // BUG
#ifdef FIXED
  __threadfence();
#endif
  atomicAdd(&now_serving, 1u);
#ifndef FIXED
  __threadfence();
#endif
}

int main() {
  char *text;
  int *length;
  cudaMallocManaged(&text, 16);
  cudaMallocManaged(&length, sizeof *length);
  for (int i = 0; i < 16; ++i) text[i] = 0;
  *length = 0;
  append<<<10, 32>>>(text, length);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  std::printf("%d %s\n", *length, text);
  cudaFree(text);
  cudaFree(length);
}
