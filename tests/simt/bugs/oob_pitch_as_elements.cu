// find: out-of-bounds
// A pitch in bytes is used as a number of elements.
#include <cstdio>

__global__ void clear_rows(float *image, size_t pitch, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) {
#ifdef FIXED
    float *row = (float *)((char *)image + y * pitch);
    row[x] = 0;
#else
    image[y * pitch + x] = 0; // BUG
#endif
  }
}

int main() {
  const int width = 100, height = 40;
  float *image;
  size_t pitch;
  cudaMallocPitch(&image, &pitch, width * sizeof(float), height);
  dim3 block(16, 16), grid((width + 15) / 16, (height + 15) / 16);
  clear_rows<<<grid, block>>>(image, pitch, width, height);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(image);
}
