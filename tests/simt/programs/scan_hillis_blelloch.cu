// Hillis-Steele and Blelloch scans of one block, conflict-free indices, then scan-then-add for any length.
// expect: pass
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NUM_BANKS 32
#define LOG_NUM_BANKS 5
#define CONFLICT_FREE_OFFSET(n) ((n) >> NUM_BANKS + (n) >> (2 * LOG_NUM_BANKS))
#define BLOCK 128

__global__ void hillis(int *g_odata, const int *g_idata, int n) {
  extern __shared__ int temp[];
  int thid = threadIdx.x, pout = 0, pin = 1;
  temp[pout * n + thid] = (thid > 0) ? g_idata[thid - 1] : 0;
  __syncthreads();
  for (int offset = 1; offset < n; offset *= 2) {
    pout = 1 - pout;
    pin = 1 - pout;
    if (thid >= offset) temp[pout * n + thid] = temp[pin * n + thid] + temp[pin * n + thid - offset];
    else temp[pout * n + thid] = temp[pin * n + thid];
    __syncthreads();
  }
  g_odata[thid] = temp[pout * n + thid];
}

__global__ void prescan(int *out, const int *in, int *sums, int n) {
  __shared__ int temp[2 * BLOCK + 2 * BLOCK / 32];
  int thid = threadIdx.x, base = blockIdx.x * 2 * BLOCK, offset = 1;
  int ai = thid, bi = thid + BLOCK;
  int pa = ai + ai / 32, pb = bi + bi / 32;
  temp[pa] = base + ai < n ? in[base + ai] : 0;
  temp[pb] = base + bi < n ? in[base + bi] : 0;
  for (int d = BLOCK; d > 0; d >>= 1) {
    __syncthreads();
    if (thid < d) {
      int a = offset * (2 * thid + 1) - 1, b = offset * (2 * thid + 2) - 1;
      a += a / 32, b += b / 32;
      temp[b] += temp[a];
    }
    offset *= 2;
  }
  if (thid == 0) {
    int last = 2 * BLOCK - 1;
    last += last / 32;
    if (sums) sums[blockIdx.x] = temp[last];
    temp[last] = 0;
  }
  for (int d = 1; d < 2 * BLOCK; d *= 2) {
    offset >>= 1;
    __syncthreads();
    if (thid < d) {
      int a = offset * (2 * thid + 1) - 1, b = offset * (2 * thid + 2) - 1;
      a += a / 32, b += b / 32;
      int t = temp[a];
      temp[a] = temp[b];
      temp[b] += t;
    }
  }
  __syncthreads();
  if (base + ai < n) out[base + ai] = temp[pa];
  if (base + bi < n) out[base + bi] = temp[pb];
}

__global__ void uniformAdd(int *data, const int *sums, int n) {
  __shared__ int uni;
  if (threadIdx.x == 0) uni = sums[blockIdx.x];
  unsigned int address = blockIdx.x * (2 * BLOCK) + threadIdx.x;
  __syncthreads();
  if (address < n) data[address] += uni;
  if (address + BLOCK < n) data[address + BLOCK] += uni;
}

static void scan(int *d_out, const int *d_in, int n) {
  int blocks = (n + 2 * BLOCK - 1) / (2 * BLOCK);
  if (blocks == 1) {
    prescan<<<1, BLOCK>>>(d_out, d_in, NULL, n);
    return;
  }
  int *sums, *offsets;
  cudaMalloc(&sums, blocks * sizeof(int));
  cudaMalloc(&offsets, blocks * sizeof(int));
  prescan<<<blocks, BLOCK>>>(d_out, d_in, sums, n);
  scan(offsets, sums, blocks);
  uniformAdd<<<blocks, BLOCK>>>(d_out, offsets, n);
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
