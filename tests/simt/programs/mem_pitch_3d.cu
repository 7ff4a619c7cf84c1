// Pitched and three-dimensional memory: cudaMallocPitch, cudaMemcpy2D, cudaMalloc3D, cudaMemcpy3D, memset.
// expect: pass
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CUDA_CALL(x)                                  \
  do {                                                \
    if ((x) != cudaSuccess) {                         \
      printf("Error at %s:%d\n", __FILE__, __LINE__); \
      return EXIT_FAILURE;                            \
    }                                                 \
  } while (0)

__global__ void MyKernel(float *devPtr, size_t pitch, int width, int height) {
  for (int r = 0; r < height; ++r) {
    float *row = (float *)((char *)devPtr + r * pitch);
    for (int c = 0; c < width; ++c) row[c] = row[c] * 2 + r;
  }
}

__global__ void Kernel3D(cudaPitchedPtr devPitchedPtr, int width, int height, int depth) {
  char *devPtr = (char *)devPitchedPtr.ptr;
  size_t pitch = devPitchedPtr.pitch;
  size_t slicePitch = pitch * height;
  int z = blockIdx.z * blockDim.z + threadIdx.z;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= width || y >= height || z >= depth) return;
  char *slice = devPtr + z * slicePitch;
  int *row = (int *)(slice + y * pitch);
  row[x] += 100 * z + 10 * y + x;
}

int main() {
  int width = 37, height = 19, bad = 0;
  float *devPtr, *h = (float *)malloc(width * height * sizeof(float));
  size_t pitch;
  for (int i = 0; i < width * height; i++) h[i] = (float)i;
  CUDA_CALL(cudaMallocPitch((void **)&devPtr, &pitch, width * sizeof(float), height));
  if (pitch < width * sizeof(float) || pitch % 16) bad++;
  CUDA_CALL(cudaMemcpy2D(devPtr, pitch, h, width * sizeof(float), width * sizeof(float), height,
                         cudaMemcpyHostToDevice));
  MyKernel<<<1, 1>>>(devPtr, pitch, width, height);
  memset(h, 0, width * height * sizeof(float));
  CUDA_CALL(cudaMemcpy2D(h, width * sizeof(float), devPtr, pitch, width * sizeof(float), height,
                         cudaMemcpyDeviceToHost));
  for (int i = 0; i < width * height; i++) bad += h[i] != 2.0f * i + i / width;
  CUDA_CALL(cudaMemset2D(devPtr, pitch, 0, 4 * sizeof(float), height));
  CUDA_CALL(cudaMemcpy2D(h, 5 * sizeof(float), devPtr, pitch, 5 * sizeof(float), 2,
                         cudaMemcpyDeviceToHost));
  bad += h[0] != 0 || h[3] != 0 || h[4] != 8.0f || h[9] != 2.0f * (width + 4) + 1;

  const int w = 10, hgt = 7, dep = 5;
  int volume[dep][hgt][w], back[dep][hgt][w];
  for (int z = 0; z < dep; z++)
    for (int y = 0; y < hgt; y++)
      for (int x = 0; x < w; x++) volume[z][y][x] = 1000 * (x + y + z);
  cudaExtent extent = make_cudaExtent(w * sizeof(int), hgt, dep);
  cudaPitchedPtr p;
  CUDA_CALL(cudaMalloc3D(&p, extent));
  cudaMemcpy3DParms parms = {0};
  parms.srcPtr = make_cudaPitchedPtr(volume, w * sizeof(int), w, hgt);
  parms.dstPtr = p;
  parms.extent = extent;
  parms.kind = cudaMemcpyHostToDevice;
  CUDA_CALL(cudaMemcpy3D(&parms));
  dim3 block(4, 4, 2), grid((w + 3) / 4, (hgt + 3) / 4, (dep + 1) / 2);
  Kernel3D<<<grid, block>>>(p, w, hgt, dep);
  CUDA_CALL(cudaGetLastError());
  cudaMemcpy3DParms back3 = {0};
  back3.srcPtr = p;
  back3.dstPtr = make_cudaPitchedPtr(back, w * sizeof(int), w, hgt);
  back3.extent = extent;
  back3.kind = cudaMemcpyDeviceToHost;
  CUDA_CALL(cudaMemcpy3D(&back3));
  for (int z = 0; z < dep; z++)
    for (int y = 0; y < hgt; y++)
      for (int x = 0; x < w; x++) bad += back[z][y][x] != 1000 * (x + y + z) + 100 * z + 10 * y + x;
  CUDA_CALL(cudaMemset3D(p, 0, extent));
  CUDA_CALL(cudaMemcpy3D(&back3));
  bad += back[4][6][9] != 0;
  CUDA_CALL(cudaFree(p.ptr));
  CUDA_CALL(cudaFree(devPtr));
  free(h);
  printf("%d wrong\n%s\n", bad, bad ? "FAILED" : "PASSED");
  return bad != 0;
}
