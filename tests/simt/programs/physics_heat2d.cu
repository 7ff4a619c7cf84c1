// 2-D heat equation, shared-memory halo tiles, double buffering with std::swap, chrono timing.
// expect: pass
#include <chrono>
#include <cmath>
#include <cstring>
#include <iomanip>
#include <iostream>
#include <memory>

constexpr int NX = 130, NY = 71, STEPS = 25;
constexpr int BX = 16, BY = 8;
constexpr float ALPHA = 0.2f;

__global__ void step_shared(const float *in, float *out) {
  __shared__ float tile[BY + 2][BX + 2];
  const int x = blockIdx.x * BX + threadIdx.x, y = blockIdx.y * BY + threadIdx.y;
  const int lx = threadIdx.x + 1, ly = threadIdx.y + 1;
  auto at = [&](int xx, int yy) {
    xx = xx < 0 ? 0 : (xx >= NX ? NX - 1 : xx);
    yy = yy < 0 ? 0 : (yy >= NY ? NY - 1 : yy);
    return in[yy * NX + xx];
  };
  tile[ly][lx] = at(x, y);
  if (threadIdx.x == 0) tile[ly][0] = at(x - 1, y);
  if (threadIdx.x == BX - 1) tile[ly][BX + 1] = at(x + 1, y);
  if (threadIdx.y == 0) tile[0][lx] = at(x, y - 1);
  if (threadIdx.y == BY - 1) tile[BY + 1][lx] = at(x, y + 1);
  __syncthreads();
  if (x < NX && y < NY) {
    const float c = tile[ly][lx];
    out[y * NX + x] = c + ALPHA * (tile[ly][lx - 1] + tile[ly][lx + 1] + tile[ly - 1][lx] +
                                   tile[ly + 1][lx] - 4 * c);
  }
}

static void step_host(const float *in, float *out) {
  for (int y = 0; y < NY; ++y)
    for (int x = 0; x < NX; ++x) {
      const float c = in[y * NX + x];
      const float l = in[y * NX + (x ? x - 1 : 0)], r = in[y * NX + (x < NX - 1 ? x + 1 : x)];
      const float u = in[(y ? y - 1 : 0) * NX + x], d = in[(y < NY - 1 ? y + 1 : y) * NX + x];
      out[y * NX + x] = c + ALPHA * (l + r + u + d - 4 * c);
    }
}

int main() {
  using Clock = std::chrono::high_resolution_clock;
  const size_t bytes = sizeof(float) * NX * NY;
  std::unique_ptr<float[]> a(new float[NX * NY]), b(new float[NX * NY]), got(new float[NX * NY]);
  for (int y = 0; y < NY; ++y)
    for (int x = 0; x < NX; ++x)
      a[y * NX + x] = (x - 60) * (x - 60) + (y - 30) * (y - 30) < 200 ? 100.f : 0.f;

  float *u = nullptr, *v = nullptr;
  cudaMalloc((void **)&u, bytes);
  cudaMalloc((void **)&v, bytes);
  cudaMemcpy(u, a.get(), bytes, cudaMemcpyHostToDevice);
  const dim3 threads{BX, BY};
  const dim3 blocks{(NX + BX - 1) / BX, (NY + BY - 1) / BY};
  const auto t0 = Clock::now();
  for (int s = 0; s < STEPS; ++s) {
    step_shared<<<blocks, threads>>>(u, v);
    std::swap(u, v);
  }
  cudaDeviceSynchronize();
  const std::chrono::duration<double, std::milli> dt = Clock::now() - t0;
  cudaMemcpy(got.get(), u, bytes, cudaMemcpyDeviceToHost);
  for (int s = 0; s < STEPS; ++s) {
    step_host(a.get(), b.get());
    a.swap(b);
  }
  float worst = 0;
  for (int i = 0; i < NX * NY; ++i) worst = std::max(worst, std::fabs(got[i] - a[i]));
  std::cout << std::fixed << std::setprecision(3) << dt.count() << " ms, worst " << worst << "\n";
  std::cout << (worst < 1e-3f ? "PASSED" : "FAILED") << "\n";
  cudaFree(u);
  cudaFree(v);
  return worst < 1e-3f ? 0 : 1;
}
