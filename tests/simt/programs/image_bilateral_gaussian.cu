// Bilateral filter with float4 pixels and operators, weights by __expf, against the host.
// expect: pass
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

inline __host__ __device__ float4 operator+(float4 a, float4 b) {
  return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}
inline __host__ __device__ float4 operator*(float s, float4 a) {
  return make_float4(s * a.x, s * a.y, s * a.z, s * a.w);
}
inline __host__ __device__ void operator+=(float4 &a, const float4 &b) { a = a + b; }

__constant__ float spatial[64];

__host__ __device__ float closeness(float4 a, float4 b, float d) {
  float m = (b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y) + (b.z - a.z) * (b.z - a.z);
#ifdef __CUDA_ARCH__
  return __expf(-m / (2 * d * d));
#else
  return expf(-m / (2 * d * d));
#endif
}

__global__ void bilateral(const float4 *in, float4 *out, int w, int h, float range_sigma, int r) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  float sum = 0.0f;
  float4 t = {0.f, 0.f, 0.f, 0.f};
  float4 here = in[y * w + x];
  for (int i = -r; i <= r; i++)
    for (int j = -r; j <= r; j++) {
      int xx = min(max(x + j, 0), w - 1), yy = min(max(y + i, 0), h - 1);
      float4 cur = in[yy * w + xx];
      float weight = spatial[i + r] * spatial[j + r] * closeness(cur, here, range_sigma);
      t += weight * cur;
      sum += weight;
    }
  out[y * w + x] = (1.0f / sum) * t;
}

int main() {
  const int w = 50, h = 40, r = 3;
  std::vector<float4> in(w * h), out(w * h);
  for (auto &p : in)
    p = make_float4(rand() / (float)RAND_MAX, rand() / (float)RAND_MAX, rand() / (float)RAND_MAX,
                    1.0f);
  float g[64];
  for (int i = 0; i < 2 * r + 1; i++) g[i] = expf(-(float)((i - r) * (i - r)) / (2 * 2.0f * 2.0f));
  cudaMemcpyToSymbol(spatial, g, sizeof(float) * (2 * r + 1));
  float4 *a, *b;
  cudaMalloc(&a, sizeof(float4) * in.size());
  cudaMalloc(&b, sizeof(float4) * in.size());
  cudaMemcpy(a, in.data(), sizeof(float4) * in.size(), cudaMemcpyHostToDevice);
  bilateral<<<dim3((w + 15) / 16, (h + 15) / 16), dim3(16, 16)>>>(a, b, w, h, 0.3f, r);
  cudaMemcpy(out.data(), b, sizeof(float4) * in.size(), cudaMemcpyDeviceToHost);
  float worst = 0;
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      float4 t = make_float4(0, 0, 0, 0);
      float sum = 0;
      for (int i = -r; i <= r; i++)
        for (int j = -r; j <= r; j++) {
          int xx = std::min(std::max(x + j, 0), w - 1), yy = std::min(std::max(y + i, 0), h - 1);
          float f = g[i + r] * g[j + r] * closeness(in[yy * w + xx], in[y * w + x], 0.3f);
          t += f * in[yy * w + xx];
          sum += f;
        }
      worst = fmaxf(worst, fabsf(t.x / sum - out[y * w + x].x));
      worst = fmaxf(worst, fabsf(t.w / sum - out[y * w + x].w));
    }
  printf("worst %g: %s\n", worst, worst < 1e-4f ? "PASSED" : "FAILED");
  cudaFree(a); cudaFree(b);
  return worst < 1e-4f ? 0 : 1;
}
