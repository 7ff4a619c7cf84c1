// Old warp-synchronous code: volatile shared memory, steps with and without __syncwarp as authors mix them.
// expect: pass
#include <cuda.h>
#include <stdio.h>

#define NT 128
typedef volatile float vfloat;

__device__ void warp_tail(vfloat *s, int t) {
  if (t < 32) {
    s[t] = s[t] + s[t + 32];
    __syncwarp();
    float v;
    v = s[t] + (t < 16 ? s[t + 16] : 0.f);
    __syncwarp();
    s[t] = v;
    __syncwarp();
    v = s[t] + (t < 8 ? s[t + 8] : 0.f);
    __syncwarp();
    s[t] = v;
    __syncwarp();
    v = s[t] + (t < 4 ? s[t + 4] : 0.f);
    __syncwarp();
    s[t] = v;
    __syncwarp();
    v = s[t] + (t < 2 ? s[t + 2] : 0.f);
    __syncwarp();
    s[t] = v;
    __syncwarp();
    v = s[t] + (t < 1 ? s[t + 1] : 0.f);
    __syncwarp();
    s[t] = v;
  }
}

__global__ void rowsum(const float *in, float *out, int cols) {
  volatile __shared__ float s[NT];
  int t = threadIdx.x;
  float mine = 0.f;
  for (int c = t; c < cols; c += NT) mine += in[blockIdx.x * cols + c];
  s[t] = mine;
  __syncthreads();
  if (t < 64) s[t] += s[t + 64];
  __syncthreads();
  warp_tail(s, t);
  if (t == 0) out[blockIdx.x] = s[0];
}

int main() {
  enum { ROWS = 20, COLS = 333 };
  static float h[ROWS * COLS], r[ROWS];
  float *d, *o;
  int i, bad = 0;
  for (i = 0; i < ROWS * COLS; i++) h[i] = (float)(i % 8);
  cudaMalloc((void **)&d, sizeof h);
  cudaMalloc((void **)&o, sizeof r);
  cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
  rowsum<<<ROWS, NT>>>(d, o, COLS);
  cudaMemcpy(r, o, sizeof r, cudaMemcpyDeviceToHost);
  for (i = 0; i < ROWS; i++) {
    float want = 0;
    for (int c = 0; c < COLS; c++) want += h[i * COLS + c];
    bad += want != r[i];
  }
  printf("%s\n", bad ? "FAILED" : "PASSED");
  cudaFree(d); cudaFree(o);
  return bad;
}
