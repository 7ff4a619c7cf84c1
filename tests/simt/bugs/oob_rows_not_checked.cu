// find: out-of-bounds
// A 2-D grid whose rows are rounded up; only the columns are checked.
#include <cstdio>

__global__ void grey(const uchar3 *rgb, unsigned char *out, int width, int height) {
  int x = threadIdx.x + blockIdx.x * blockDim.x;
  int y = threadIdx.y + blockIdx.y * blockDim.y;
#ifdef FIXED
  if (x >= width || y >= height) return;
#else
  if (x >= width) return;
#endif
  uchar3 p = rgb[y * width + x];                               // BUG
  out[y * width + x] = (p.x * 77 + p.y * 151 + p.z * 28) >> 8; // BUG?
}

int main() {
  const int width = 50, height = 37;
  uchar3 *rgb;
  unsigned char *out;
  cudaMalloc(&rgb, width * height * sizeof(uchar3));
  cudaMalloc(&out, width * height);
  cudaMemset(rgb, 100, width * height * sizeof(uchar3));
  grey<<<dim3(4, 3), dim3(16, 16)>>>(rgb, out, width, height);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(rgb);
  cudaFree(out);
}
