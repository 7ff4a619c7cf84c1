// Colour to grey and box blur with uchar4 and a template error report that takes __FILE__.
// expect: pass
#include <cmath>
#include <cstdlib>
#include <cuda.h>
#include <cuda_runtime.h>
#include <cuda_runtime_api.h>
#include <iostream>

#define GPU(val) report((val), #val, __FILE__, __LINE__)

template <typename T>
void report(T err, const char *const func, const char *const file, const int line) {
  if (err != cudaSuccess) {
    std::cerr << file << "(" << line << "): " << func << ": " << cudaGetErrorString(err)
              << std::endl;
    exit(1);
  }
}

__global__ void to_grey(const uchar4 *const in, unsigned char *const out, int rows, int cols) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= cols || y >= rows) return;
  const uchar4 rgba = in[y * cols + x];
  out[y * cols + x] = .299f * rgba.x + .587f * rgba.y + .114f * rgba.z;
}

__global__ void split(const uchar4 *const in, int n, unsigned char *const r, unsigned char *const g,
                      unsigned char *const b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  r[i] = in[i].x;
  g[i] = in[i].y;
  b[i] = in[i].z;
}

__global__ void join(const unsigned char *const r, const unsigned char *const g,
                     const unsigned char *const b, uchar4 *const out, int n) {
  const int2 p = make_int2(blockIdx.x * blockDim.x + threadIdx.x, 0);
  if (p.x >= n) return;
  uchar4 o = make_uchar4(r[p.x], g[p.x], b[p.x], 255);
  out[p.x] = o;
}

int main() {
  const int rows = 53, cols = 77, n = rows * cols;
  uchar4 *h = new uchar4[n], *h2 = new uchar4[n];
  unsigned char *grey = new unsigned char[n];
  for (int i = 0; i < n; i++) h[i] = make_uchar4(i & 255, (i * 3) & 255, (i * 7) & 255, 255);
  uchar4 *d, *d2;
  unsigned char *dg, *r, *g, *b;
  GPU(cudaMalloc(&d, n * sizeof(uchar4)));
  GPU(cudaMalloc(&d2, n * sizeof(uchar4)));
  GPU(cudaMalloc(&dg, n));
  GPU(cudaMalloc(&r, n));
  GPU(cudaMalloc(&g, n));
  GPU(cudaMalloc(&b, n));
  GPU(cudaMemcpy(d, h, n * sizeof(uchar4), cudaMemcpyHostToDevice));
  const dim3 threads(32, 8, 1);
  const dim3 blocks(cols / 32 + 1, rows / 8 + 1, 1);
  to_grey<<<blocks, threads>>>(d, dg, rows, cols);
  cudaDeviceSynchronize();
  GPU(cudaGetLastError());
  split<<<(n + 63) / 64, 64>>>(d, n, r, g, b);
  join<<<(n + 63) / 64, 64>>>(r, g, b, d2, n);
  cudaDeviceSynchronize();
  GPU(cudaGetLastError());
  GPU(cudaMemcpy(grey, dg, n, cudaMemcpyDeviceToHost));
  GPU(cudaMemcpy(h2, d2, n * sizeof(uchar4), cudaMemcpyDeviceToHost));
  int bad = 0;
  for (int i = 0; i < n; i++) {
    float v = .299f * h[i].x + .587f * h[i].y + .114f * h[i].z;
    if (std::fabs(v - grey[i]) > 1.01f) bad++;
    if (h2[i].x != h[i].x || h2[i].y != h[i].y || h2[i].z != h[i].z || h2[i].w != h[i].w) bad++;
  }
  std::cout << (bad ? "FAILED" : "PASSED") << std::endl;
  delete[] h;
  delete[] h2;
  delete[] grey;
  cudaFree(d); cudaFree(d2); cudaFree(dg); cudaFree(r); cudaFree(g); cudaFree(b);
  return bad != 0;
}
