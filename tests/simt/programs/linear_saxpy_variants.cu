// SAXPY as everybody's first program: ints and floats, grid-stride, managed memory, one 2^20 run.
// expect: pass
#include <algorithm>
#include <cmath>
#include <iostream>

using namespace std;

__global__ void saxpy(int n, float a, float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

__global__ void add(int n, float *x, float *y) {
  const int all = gridDim.x * blockDim.x;
  for (int k = threadIdx.x + blockIdx.x * blockDim.x; k < n; k += all) y[k] += x[k];
}

int main(void) {
  int N = 1 << 20;
  float *x, *y, *d_x, *d_y;
  x = (float *)malloc(N * sizeof(float));
  y = (float *)malloc(N * sizeof(float));

  cudaMalloc(&d_x, N * sizeof(float));
  cudaMalloc(&d_y, N * sizeof(float));

  for (int i = 0; i < N; i++) {
    x[i] = float(i % 1000);
    y[i] = 2.0f;
  }
  cudaMemcpy(d_x, x, N * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(d_y, y, N * sizeof(float), cudaMemcpyHostToDevice);
  saxpy<<<(N + 255) / 256, 256>>>(N, 2.0f, d_x, d_y);
  cudaMemcpy(y, d_y, N * sizeof(float), cudaMemcpyDeviceToHost);

  float worst = 0.0f;
  for (int i = 0; i < N; i++) worst = max(worst, abs(y[i] - (2.0f * (i % 1000) + 2.0f)));
  cout << "saxpy is off by " << worst << endl;
  cudaFree(d_x);
  cudaFree(d_y);
  free(x);
  free(y);

  float *mx, *my;
  cudaMallocManaged(&mx, N * sizeof(float));
  cudaMallocManaged(&my, N * sizeof(float));
  for (int i = 0; i < N; i++) {
    mx[i] = 1.0f;
    my[i] = (float)i;
  }
  int device = -1;
  cudaGetDevice(&device);
  int blockSize = 256;
  int numBlocks = (N + blockSize - 1) / blockSize;
  add<<<numBlocks, blockSize>>>(N, mx, my);
  cudaDeviceSynchronize();
  float worst2 = 0.0f;
  for (int i = 0; i < N; i++) worst2 = fmax(worst2, fabs(my[i] - (i + 1.0f)));
  cout << "add is off by " << worst2 << endl;
  cudaFree(mx);
  cudaFree(my);
  if (worst == 0 && worst2 == 0 && device == 0) {
    cout << "PASSED" << endl;
    return 0;
  }
  cout << "FAILED" << endl;
  return 1;
}
