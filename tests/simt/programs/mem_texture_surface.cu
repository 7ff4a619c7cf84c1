// Rotating an image by a normalised, linearly filtered texture, and writing a surface.
// expect: pass
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

static const int W = 64, H = 64;

__global__ void turn(float *out, int width, int height, float angle, cudaTextureObject_t tex) {
  unsigned int x = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned int y = blockIdx.y * blockDim.y + threadIdx.y;
  float u = (float)x - (float)width / 2;
  float v = (float)y - (float)height / 2;
  float ru = u * cosf(angle) - v * sinf(angle);
  float rv = v * cosf(angle) + u * sinf(angle);
  ru /= (float)width;
  rv /= (float)height;
  out[y * width + x] = tex2D<float>(tex, ru + 0.5f, rv + 0.5f);
}

__global__ void paint(cudaSurfaceObject_t surface, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height)
    surf2Dwrite((float)(x * 100 + y), surface, x * 4, y, cudaBoundaryModeTrap);
}

__global__ void readback(cudaSurfaceObject_t surface, cudaTextureObject_t tex, float *out,
                         int width) {
  int x = threadIdx.x, y = blockIdx.x;
  float v;
  surf2Dread(&v, surface, x * sizeof(float), y);
  out[y * width + x] = v + tex2D<float>(tex, x, y);
}

__global__ void linear1D(cudaTextureObject_t t, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = tex1Dfetch<float>(t, n - 1 - i);
}

int main() {
  std::vector<float> img(W * H), got(W * H);
  for (int i = 0; i < W * H; ++i) img[i] = (i % W) * 0.01f + (i / W) * 0.02f;
  cudaChannelFormatDesc desc = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
  cudaArray *arr;
  cudaMallocArray(&arr, &desc, W, H, cudaArraySurfaceLoadStore);
  cudaMemcpyToArray(arr, 0, 0, img.data(), W * H * sizeof(float), cudaMemcpyHostToDevice);
  cudaResourceDesc rd = {};
  rd.resType = cudaResourceTypeArray;
  rd.res.array.array = arr;
  cudaTextureDesc td = {};
  td.normalizedCoords = true;
  td.filterMode = cudaFilterModeLinear;
  td.addressMode[0] = td.addressMode[1] = cudaAddressModeWrap;
  td.readMode = cudaReadModeElementType;
  cudaTextureObject_t tex;
  cudaCreateTextureObject(&tex, &rd, &td, nullptr);
  float *out;
  cudaMalloc(&out, W * H * sizeof(float));
  turn<<<dim3(W / 8, H / 8), dim3(8, 8)>>>(out, W, H, 0.0f, tex);
  cudaMemcpy(got.data(), out, W * H * sizeof(float), cudaMemcpyDeviceToHost);
  int bad = 0;
  // No rotation: samples lie between four texels, so the mean of them.
  for (int y = 1; y < H; ++y)
    for (int x = 1; x < W; ++x) {
      float want =
          (img[y * W + x] + img[y * W + x - 1] + img[(y - 1) * W + x] + img[(y - 1) * W + x - 1]) /
          4;
      bad += fabsf(want - got[y * W + x]) > 1e-3f;
    }
  cudaDestroyTextureObject(tex);

  cudaSurfaceObject_t surf;
  cudaCreateSurfaceObject(&surf, &rd);
  paint<<<dim3(W / 16, H / 16), dim3(16, 16)>>>(surf, W, H);
  td.normalizedCoords = 0;
  td.filterMode = cudaFilterModePoint;
  td.addressMode[0] = td.addressMode[1] = cudaAddressModeClamp;
  cudaCreateTextureObject(&tex, &rd, &td, nullptr);
  readback<<<H, W>>>(surf, tex, out, W);
  cudaMemcpy(got.data(), out, W * H * sizeof(float), cudaMemcpyDeviceToHost);
  for (int y = 0; y < H; ++y)
    for (int x = 0; x < W; ++x) bad += got[y * W + x] != 2 * (x * 100 + y);
  cudaDestroyTextureObject(tex);
  cudaDestroySurfaceObject(surf);

  memset(&rd, 0, sizeof rd);
  rd.resType = cudaResourceTypeLinear;
  rd.res.linear.devPtr = out;
  rd.res.linear.desc = cudaCreateChannelDesc<float>();
  rd.res.linear.sizeInBytes = W * H * sizeof(float);
  memset(&td, 0, sizeof td);
  td.readMode = cudaReadModeElementType;
  cudaCreateTextureObject(&tex, &rd, &td, NULL);
  float *rev;
  cudaMalloc(&rev, W * H * sizeof(float));
  linear1D<<<W * H / 128, 128>>>(tex, rev, W * H);
  std::vector<float> r(W * H);
  cudaMemcpy(r.data(), rev, W * H * sizeof(float), cudaMemcpyDeviceToHost);
  for (int i = 0; i < W * H; ++i) bad += r[i] != got[W * H - 1 - i];
  printf("%d wrong, %s\n%s\n", bad, cudaGetErrorString(cudaGetLastError()),
         bad ? "FAILED" : "PASSED");
  cudaFreeArray(arr);
  cudaFree(out); cudaFree(rev);
  return bad != 0;
}
