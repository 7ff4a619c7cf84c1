// Binomial option pricing in shared memory, one block an option, early exercise, old names.
// expect: pass
#include <cmath>
#include <cstdio>
#include <vector>

struct Option {
  float s, x, t, r, v;
  bool call;
};

#define STEPS 96

static __constant__ Option options[32];

__global__ void price(float *out) {
  __shared__ float value[STEPS + 1];
  const Option o = options[blockIdx.x];
  const float dt = o.t / STEPS, u = expf(o.v * sqrtf(dt)), d = 1 / u;
  const float p = (expf(o.r * dt) - d) / (u - d), df = expf(-o.r * dt);
  const int i = threadIdx.x;
  const float sign = o.call ? 1.f : -1.f;
  float s = o.s * powf(u, 2.0f * i - STEPS);
  value[i] = fmaxf(0.f, sign * (s - o.x));
  __syncthreads();
  for (int step = STEPS - 1; step >= 0; --step) {
    float v = 0;
    if (i <= step) {
      v = df * (p * value[i + 1] + (1 - p) * value[i]);
      s = o.s * powf(u, 2.0f * i - step);
      v = fmaxf(v, sign * (s - o.x));
    }
    __syncthreads();
    if (i <= step) value[i] = v;
    __syncthreads();
  }
  if (i == 0) out[blockIdx.x] = value[0];
}

static float host_price(const Option &o) {
  const double dt = o.t / STEPS, u = std::exp(o.v * std::sqrt(dt)), d = 1 / u;
  const double p = (std::exp(o.r * dt) - d) / (u - d), df = std::exp(-o.r * dt),
               sign = o.call ? 1 : -1;
  std::vector<double> v(STEPS + 1);
  for (int i = 0; i <= STEPS; ++i)
    v[i] = std::fmax(0.0, sign * (o.s * std::pow(u, 2 * i - STEPS) - o.x));
  for (int step = STEPS - 1; step >= 0; --step)
    for (int i = 0; i <= step; ++i)
      v[i] = std::fmax(df * (p * v[i + 1] + (1 - p) * v[i]),
                       sign * (o.s * std::pow(u, 2 * i - step) - o.x));
  return (float)v[0];
}

int main() {
  Option o[32];
  for (int i = 0; i < 32; ++i)
    o[i] = {90.f + i, 100.f, 0.25f + 0.05f * i, 0.03f, 0.25f, i % 2 == 0};
  cudaMemcpyToSymbol(options, o, sizeof o);
  float *d, h[32];
  cudaMalloc(&d, sizeof h);
  price<<<32, STEPS + 1>>>(d);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  float worst = 0;
  for (int i = 0; i < 32; ++i) worst = fmaxf(worst, fabsf(h[i] - host_price(o[i])));
  printf("worst %f\n%s\n", worst, worst < 5e-3f ? "PASSED" : "FAILED");
  cudaFree(d);
  return worst < 5e-3f ? 0 : 1;
}
