// find: host-pointer
// The struct was copied to the device, the array that it points to was not.
#include <cstdio>
#include <cstdlib>

struct Image {
  int width, height;
  unsigned char *pixels;
};

__global__ void invert(Image *image) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < image->width * image->height) {
    image->pixels[i] = 255 - image->pixels[i]; // BUG
  }
}

int main() {
  const int w = 40, h = 30;
  Image host = {w, h, nullptr}, *device;
#ifdef FIXED
  cudaMalloc(&host.pixels, w * h);
  cudaMemset(host.pixels, 0, w * h);
#else
  host.pixels = (unsigned char *)calloc(w * h, 1);
#endif
  cudaMalloc(&device, sizeof(Image));
  cudaMemcpy(device, &host, sizeof host, cudaMemcpyHostToDevice);
  invert<<<(w * h + 127) / 128, 128>>>(device);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
#ifdef FIXED
  cudaFree(host.pixels);
#else
  free(host.pixels);
#endif
  cudaFree(device);
}
