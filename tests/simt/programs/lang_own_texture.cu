// A program's own class by the name that CUDA's texture references once had.
// expect: pass
#include <cstdio>

struct color {
  float r, g, b;
};
class texture {
public:
  __device__ virtual color value(float u, float v) const = 0;
};
class checker : public texture {
public:
  __device__ checker(color a, color b) : odd(a), even(b) {}
  __device__ color value(float u, float v) const override {
    return ((int)(u * 8) + (int)(v * 8)) % 2 ? odd : even;
  }
  color odd, even;
};

__global__ void shade(float *out) {
  checker c(color{1, 0, 0}, color{0, 1, 0});
  const texture *t = &c;
  const int texture = threadIdx.x;
  out[texture] = texture < 4 ? t->value(texture / 8.0f, 0).r : 0;
}

int main() {
  float h[8], *d;
  cudaMalloc(&d, sizeof h);
  shade<<<1, 8>>>(d);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  int bad = cudaGetLastError() != cudaSuccess;
  for (int i = 0; i < 8; ++i) bad += h[i] != (i < 4 && i % 2 ? 1.0f : 0.0f);
  puts(bad ? "FAILED" : "PASSED");
  cudaFree(d);
  return bad;
}
