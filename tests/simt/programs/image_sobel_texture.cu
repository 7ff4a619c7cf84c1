// Sobel edges through a texture object with clamped addresses, against the same in global memory.
// expect: pass
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <vector>

#define cudaCheck(expr)                                                   \
  {                                                                       \
    cudaError_t e = (expr);                                               \
    if (e) {                                                              \
      printf("%s failed: %s (%d)\n", #expr, cudaGetErrorName(e), (int)e); \
      return 1;                                                           \
    }                                                                     \
  }

__device__ unsigned char magnitude(int gx, int gy) {
  int m = abs(gx) + abs(gy);
  return m > 255 ? 255 : (unsigned char)m;
}

__global__ void sobelTexture(cudaTextureObject_t tex, unsigned char *out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  int p[3][3];
  for (int j = -1; j <= 1; j++)
    for (int i = -1; i <= 1; i++)
      p[j + 1][i + 1] = tex2D<unsigned char>(tex, x + i + 0.5f, y + j + 0.5f);
  int gx = p[0][2] + 2 * p[1][2] + p[2][2] - p[0][0] - 2 * p[1][0] - p[2][0];
  int gy = p[2][0] + 2 * p[2][1] + p[2][2] - p[0][0] - 2 * p[0][1] - p[0][2];
  out[y * w + x] = magnitude(gx, gy);
}

__global__ void sobelGlobal(const unsigned char *in, unsigned char *out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
#define PIX(i, j) ((int)in[min(max(y + (j), 0), h - 1) * w + min(max(x + (i), 0), w - 1)])
  int gx = PIX(1, -1) + 2 * PIX(1, 0) + PIX(1, 1) - PIX(-1, -1) - 2 * PIX(-1, 0) - PIX(-1, 1);
  int gy = PIX(-1, 1) + 2 * PIX(0, 1) + PIX(1, 1) - PIX(-1, -1) - 2 * PIX(0, -1) - PIX(1, -1);
#undef PIX
  out[y * w + x] = magnitude(gx, gy);
}

int main() {
  const int w = 100, h = 61;
  std::vector<unsigned char> img(w * h), a(w * h), b(w * h);
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x)
      img[y * w + x] = (unsigned char)((x / 9 % 2 ? 180 : 20) + (y * 3) % 40);

  cudaArray_t array;
  cudaChannelFormatDesc desc = cudaCreateChannelDesc<unsigned char>();
  cudaCheck(cudaMallocArray(&array, &desc, w, h));
  cudaCheck(cudaMemcpy2DToArray(array, 0, 0, img.data(), w, w, h, cudaMemcpyHostToDevice));
  cudaResourceDesc res;
  memset(&res, 0, sizeof(res));
  res.resType = cudaResourceTypeArray;
  res.res.array.array = array;
  cudaTextureDesc td;
  memset(&td, 0, sizeof(td));
  td.addressMode[0] = td.addressMode[1] = cudaAddressModeClamp;
  td.filterMode = cudaFilterModePoint;
  td.readMode = cudaReadModeElementType;
  td.normalizedCoords = 0;
  cudaTextureObject_t tex = 0;
  cudaCheck(cudaCreateTextureObject(&tex, &res, &td, NULL));

  unsigned char *d_in, *d_out;
  cudaCheck(cudaMalloc(&d_in, w * h));
  cudaCheck(cudaMalloc(&d_out, w * h));
  cudaCheck(cudaMemcpy(d_in, img.data(), w * h, cudaMemcpyHostToDevice));
  dim3 block(16, 8), grid((w + 15) / 16, (h + 7) / 8);
  sobelTexture<<<grid, block>>>(tex, d_out, w, h);
  cudaCheck(cudaGetLastError());
  cudaCheck(cudaMemcpy(a.data(), d_out, w * h, cudaMemcpyDeviceToHost));
  sobelGlobal<<<grid, block>>>(d_in, d_out, w, h);
  cudaCheck(cudaMemcpy(b.data(), d_out, w * h, cudaMemcpyDeviceToHost));
  cudaCheck(cudaDestroyTextureObject(tex));
  cudaCheck(cudaFreeArray(array));
  long edges = 0;
  for (unsigned char v : a) edges += v > 100;
  printf("%ld edge pixels\n", edges);
  bool ok = a == b && edges > 100;
  puts(ok ? "PASSED" : "FAILED");
  cudaFree(d_in); cudaFree(d_out);
  return !ok;
}
