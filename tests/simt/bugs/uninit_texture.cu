// find: uninitialised global
//
// The array behind a texture: its lower half has never been copied.
// Fixed: all of it is.
#include <cstdio>
#include <cstdlib>

static void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(status));
  exit(1);
}

__global__ void halve(cudaTextureObject_t from, float *to, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  to[y * width + x] = tex2D<float>(from, 2 * x + 1.0f, 2 * y + 1.0f); // BUG
}

int main() {
  const int width = 32, height = 16;
  float image[width * height], *small;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  cudaTextureObject_t texture;
  for (int i = 0; i < width * height; i++) image[i] = i % 7;
  check(cudaMalloc(&small, sizeof image / 4));
  check(cudaMallocArray(&array, &format, width, height));
#ifdef FIXED
  const int rows = height;
#else
  const int rows = height / 2;
#endif
  check(
      cudaMemcpy2DToArray(array, 0, 0, image, width * 4, width * 4, rows, cudaMemcpyHostToDevice));
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc description = {};
  description.filterMode = cudaFilterModeLinear;
  description.addressMode[0] = description.addressMode[1] = cudaAddressModeClamp;
  check(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
  halve<<<dim3(1, 1), dim3(16, 8)>>>(texture, small, width / 2, height / 2);
  check(cudaGetLastError());
  check(cudaMemcpy(image, small, sizeof image / 4, cudaMemcpyDeviceToHost));
  printf("%g\n", image[0]);
  check(cudaDestroyTextureObject(texture));
  check(cudaFreeArray(array));
  check(cudaFree(small));
}
