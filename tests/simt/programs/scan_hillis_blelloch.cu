// Hillis-Steele and Blelloch scans of one block, conflict-free indices, then scan-then-add for any length.
// expect: pass
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK 128

__global__ void hillis(int *out, const int *in, int n) {
  extern __shared__ int cells[];
  int tid = threadIdx.x, cur = 0, old = 1;
  cells[cur * n + tid] = (tid > 0) ? in[tid - 1] : 0;
  __syncthreads();
  for (int offset = 1; offset < n; offset *= 2) {
    cur = 1 - cur;
    old = 1 - cur;
    if (tid >= offset)
      cells[cur * n + tid] = cells[old * n + tid] + cells[old * n + tid - offset];
    else
      cells[cur * n + tid] = cells[old * n + tid];
    __syncthreads();
  }
  out[tid] = cells[cur * n + tid];
}

__global__ void blelloch(int *out, const int *in, int *sums, int n) {
  __shared__ int cells[2 * BLOCK + 2 * BLOCK / 32];
  int tid = threadIdx.x, base = blockIdx.x * 2 * BLOCK, offset = 1;
  int ai = tid, bi = tid + BLOCK;
  int pa = ai + ai / 32, pb = bi + bi / 32;
  cells[pa] = base + ai < n ? in[base + ai] : 0;
  cells[pb] = base + bi < n ? in[base + bi] : 0;
  for (int d = BLOCK; d > 0; d >>= 1) {
    __syncthreads();
    if (tid < d) {
      int a = offset * (2 * tid + 1) - 1, b = offset * (2 * tid + 2) - 1;
      a += a / 32, b += b / 32;
      cells[b] += cells[a];
    }
    offset *= 2;
  }
  if (tid == 0) {
    int last = 2 * BLOCK - 1;
    last += last / 32;
    if (sums) sums[blockIdx.x] = cells[last];
    cells[last] = 0;
  }
  for (int d = 1; d < 2 * BLOCK; d *= 2) {
    offset >>= 1;
    __syncthreads();
    if (tid < d) {
      int a = offset * (2 * tid + 1) - 1, b = offset * (2 * tid + 2) - 1;
      a += a / 32, b += b / 32;
      int t = cells[a];
      cells[a] = cells[b];
      cells[b] += t;
    }
  }
  __syncthreads();
  if (base + ai < n) out[base + ai] = cells[pa];
  if (base + bi < n) out[base + bi] = cells[pb];
}

__global__ void add_offsets(int *data, const int *sums, int n) {
  __shared__ int offset0;
  if (threadIdx.x == 0) offset0 = sums[blockIdx.x];
  unsigned int at = blockIdx.x * (2 * BLOCK) + threadIdx.x;
  __syncthreads();
  if (at < n) data[at] += offset0;
  if (at + BLOCK < n) data[at + BLOCK] += offset0;
}

static void scan(int *d_out, const int *d_in, int n) {
  int blocks = (n + 2 * BLOCK - 1) / (2 * BLOCK);
  if (blocks == 1) {
    blelloch<<<1, BLOCK>>>(d_out, d_in, NULL, n);
    return;
  }
  int *sums, *offsets;
  cudaMalloc(&sums, blocks * sizeof(int));
  cudaMalloc(&offsets, blocks * sizeof(int));
  blelloch<<<blocks, BLOCK>>>(d_out, d_in, sums, n);
  scan(offsets, sums, blocks);
  add_offsets<<<blocks, BLOCK>>>(d_out, offsets, n);
  cudaFree(sums);
  cudaFree(offsets);
}

int main() {
  int bad = 0;
  const int sizes[] = {1, 2, 255, 256, 257, 1000, 70001};
  for (int k = 0; k < 7; k++) {
    int n = sizes[k], run = 0;
    int *h = (int *)malloc(n * sizeof(int)), *o = (int *)malloc(n * sizeof(int)), *a, *b;
    for (int i = 0; i < n; i++) h[i] = i % 13 - 4;
    cudaMalloc(&a, n * sizeof(int));
    cudaMalloc(&b, n * sizeof(int));
    cudaMemcpy(a, h, n * sizeof(int), cudaMemcpyHostToDevice);
    scan(b, a, n);
    cudaMemcpy(o, b, n * sizeof(int), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++) {
      bad += o[i] != run;
      run += h[i];
    }
    if (n >= 256) {
      hillis<<<1, 256, 2 * 256 * sizeof(int)>>>(b, a, 256);
      cudaMemcpy(o, b, 256 * sizeof(int), cudaMemcpyDeviceToHost);
      run = 0;
      for (int i = 0; i < 256; i++) {
        bad += o[i] != run;
        run += h[i];
      }
    }
    free(h), free(o), cudaFree(a), cudaFree(b);
  }
  printf("%d wrong\n%s\n", bad, bad ? "FAILED" : "PASSED");
  return !!bad;
}
