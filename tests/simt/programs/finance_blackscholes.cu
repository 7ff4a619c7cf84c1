// Black-Scholes prices for calls and puts, float2 loads, compared with the host in double.
// expect: pass
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

const int kOptions = 40000;
const float kRate = 0.02f;
const float kSigma = 0.30f;
#define CEIL_DIV(a, b) (((a) + (b)-1) / (b))

__device__ inline float normal_cdf(float d) {
  const float A1 = 0.31938153f, A2 = -0.356563782f, A3 = 1.781477937f, A4 = -1.821255978f,
              A5 = 1.330274429f;
  const float RSQRT2PI = 0.39894228040143267793994605993438f;
  float K = __fdividef(1.0f, (1.0f + 0.2316419f * fabsf(d)));
  float cnd =
      RSQRT2PI * __expf(-0.5f * d * d) * (K * (A1 + K * (A2 + K * (A3 + K * (A4 + K * A5)))));
  if (d > 0) cnd = 1.0f - cnd;
  return cnd;
}

__device__ inline void price_one(float &call_out, float &put_out, float S, float X, float T,
                                 float R, float V) {
  float root = __fdividef(1.0F, rsqrtf(T));
  float d1 = __fdividef(__logf(S / X) + (R + 0.5f * V * V) * T, V * root);
  float d2 = d1 - V * root;
  float n1 = normal_cdf(d1), n2 = normal_cdf(d2);
  float discount = __expf(-R * T);
  call_out = S * n1 - X * discount * n2;
  put_out = X * discount * (1.0f - n2) - S * (1.0f - n1);
}

__launch_bounds__(128) __global__
    void price_all(float2 *__restrict calls, float2 *__restrict puts_, float2 *__restrict spot,
                   float2 *__restrict strike, float2 *__restrict years, float rate, float sigma,
                   int count) {
  const int opt = blockDim.x * blockIdx.x + threadIdx.x;
  if (opt < (count / 2)) {
    float c0, c1, p0, p1;
    price_one(c0, p0, spot[opt].x, strike[opt].x, years[opt].x, rate, sigma);
    price_one(c1, p1, spot[opt].y, strike[opt].y, years[opt].y, rate, sigma);
    calls[opt] = make_float2(c0, c1);
    puts_[opt] = make_float2(p0, p1);
  }
}

static double host_cdf(double d) { return 0.5 * erfc(-d / sqrt(2.0)); }

float between(float low, float high) { return low + (high - low) * (rand() / (float)RAND_MAX); }

int main(int argc, char **argv) {
  float *h[5], *d[5];
  for (int i = 0; i < 5; i++) {
    h[i] = (float *)malloc(kOptions * sizeof(float));
    cudaMalloc((void **)&d[i], kOptions * sizeof(float));
  }
  srand(99);
  for (int i = 0; i < kOptions; i++) {
    h[2][i] = between(5.0f, 30.0f);
    h[3][i] = between(1.0f, 100.0f);
    h[4][i] = between(0.25f, 10.0f);
  }
  for (int i = 2; i < 5; i++)
    cudaMemcpy(d[i], h[i], kOptions * sizeof(float), cudaMemcpyHostToDevice);
  price_all<<<CEIL_DIV((kOptions / 2), 128), 128>>>((float2 *)d[0], (float2 *)d[1], (float2 *)d[2],
                                                    (float2 *)d[3], (float2 *)d[4], kRate, kSigma,
                                                    kOptions);
  cudaMemcpy(h[0], d[0], kOptions * sizeof(float), cudaMemcpyDeviceToHost);
  cudaMemcpy(h[1], d[1], kOptions * sizeof(float), cudaMemcpyDeviceToHost);
  double off = 0, size = 0;
  for (int i = 0; i < kOptions; i++) {
    double S = h[2][i], X = h[3][i], T = h[4][i], V = kSigma, R = kRate;
    double d1 = (log(S / X) + (R + 0.5 * V * V) * T) / (V * sqrt(T)), d2 = d1 - V * sqrt(T);
    double call = S * host_cdf(d1) - X * exp(-R * T) * host_cdf(d2);
    double put = X * exp(-R * T) * (1 - host_cdf(d2)) - S * (1 - host_cdf(d1));
    off += fabs(call - h[0][i]) + fabs(put - h[1][i]);
    size += fabs(call) + fabs(put);
  }
  double relative = off / size;
  printf("relative deviation %g\n%s\n", relative, relative > 1e-5 ? "Test failed!" : "Test PASSED");
  for (auto p : d) cudaFree(p);
  return relative > 1e-5 ? EXIT_FAILURE : EXIT_SUCCESS;
}
