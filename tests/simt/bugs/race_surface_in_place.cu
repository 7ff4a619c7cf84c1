// find: race read/write blocks|barrier
//
// A blur of a surface in place: neighbours read elements that others have already written.
// Fixed: it reads one surface and writes another.
#include <cstdio>
#include <cstdlib>

static void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(status));
  exit(1);
}

__global__ void blur(cudaSurfaceObject_t from, cudaSurfaceObject_t to, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float right;
  surf2Dread(&right, from, (x + 1) * 4, y, cudaBoundaryModeZero); // BUG
  const float here = surf2Dread<float>(from, x * 4, y);
  surf2Dwrite(0.5f * (here + right), to, x * 4, y); // BUG
}

int main() {
  const int width = 40, height = 12;
  float image[width * height];
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t a, b;
  cudaSurfaceObject_t from, to;
  for (int i = 0; i < width * height; i++) image[i] = i % 7;
  check(cudaMallocArray(&a, &format, width, height, cudaArraySurfaceLoadStore));
  check(cudaMallocArray(&b, &format, width, height, cudaArraySurfaceLoadStore));
  check(cudaMemcpy2DToArray(a, 0, 0, image, width * 4, width * 4, height, cudaMemcpyHostToDevice));
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = a;
  check(cudaCreateSurfaceObject(&from, &resource));
  resource.res.array.array = b;
  check(cudaCreateSurfaceObject(&to, &resource));
#ifdef FIXED
  blur<<<dim3(3, 2), dim3(16, 8)>>>(from, to, width, height);
  check(cudaGetLastError());
  check(
      cudaMemcpy2DFromArray(image, width * 4, b, 0, 0, width * 4, height, cudaMemcpyDeviceToHost));
#else
  blur<<<dim3(3, 2), dim3(16, 8)>>>(from, from, width, height);
  check(cudaGetLastError());
  check(
      cudaMemcpy2DFromArray(image, width * 4, a, 0, 0, width * 4, height, cudaMemcpyDeviceToHost));
#endif
  printf("%g\n", image[3]);
  check(cudaDestroySurfaceObject(from));
  check(cudaDestroySurfaceObject(to));
  check(cudaFreeArray(a));
  check(cudaFreeArray(b));
}
