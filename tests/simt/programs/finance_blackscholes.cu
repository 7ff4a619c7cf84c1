// Black-Scholes prices for calls and puts, float2 loads, compared with the host in double.
// expect: pass
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

const int OPT_N = 40000;
const float RISKFREE = 0.02f;
const float VOLATILITY = 0.30f;
#define DIV_UP(a, b) (((a) + (b)-1) / (b))

__device__ inline float cndGPU(float d) {
  const float A1 = 0.31938153f, A2 = -0.356563782f, A3 = 1.781477937f, A4 = -1.821255978f, A5 = 1.330274429f;
  const float RSQRT2PI = 0.39894228040143267793994605993438f;
  float K = __fdividef(1.0f, (1.0f + 0.2316419f * fabsf(d)));
  float cnd = RSQRT2PI * __expf(-0.5f * d * d) * (K * (A1 + K * (A2 + K * (A3 + K * (A4 + K * A5)))));
  if (d > 0) cnd = 1.0f - cnd;
  return cnd;
}

__device__ inline void BlackScholesBodyGPU(float &CallResult, float &PutResult, float S, float X, float T,
                                           float R, float V) {
  float sqrtT = __fdividef(1.0F, rsqrtf(T));
  float d1 = __fdividef(__logf(S / X) + (R + 0.5f * V * V) * T, V * sqrtT);
  float d2 = d1 - V * sqrtT;
  float CNDD1 = cndGPU(d1), CNDD2 = cndGPU(d2);
  float expRT = __expf(-R * T);
  CallResult = S * CNDD1 - X * expRT * CNDD2;
  PutResult = X * expRT * (1.0f - CNDD2) - S * (1.0f - CNDD1);
}

__launch_bounds__(128) __global__
    void BlackScholesGPU(float2 *__restrict d_CallResult, float2 *__restrict d_PutResult,
                         float2 *__restrict d_StockPrice, float2 *__restrict d_OptionStrike,
                         float2 *__restrict d_OptionYears, float Riskfree, float Volatility, int optN) {
  const int opt = blockDim.x * blockIdx.x + threadIdx.x;
  if (opt < (optN / 2)) {
    float callResult1, callResult2, putResult1, putResult2;
    BlackScholesBodyGPU(callResult1, putResult1, d_StockPrice[opt].x, d_OptionStrike[opt].x,
                        d_OptionYears[opt].x, Riskfree, Volatility);
    BlackScholesBodyGPU(callResult2, putResult2, d_StockPrice[opt].y, d_OptionStrike[opt].y,
                        d_OptionYears[opt].y, Riskfree, Volatility);
    d_CallResult[opt] = make_float2(callResult1, callResult2);
    d_PutResult[opt] = make_float2(putResult1, putResult2);
  }
}

static double CND(double d) { return 0.5 * erfc(-d / sqrt(2.0)); }

float RandFloat(float low, float high) {
  float t = (float)rand() / (float)RAND_MAX;
  return (1.0f - t) * low + t * high;
}

int main(int argc, char **argv) {
  float *h[5], *d[5];
  for (int i = 0; i < 5; i++) {
    h[i] = (float *)malloc(OPT_N * sizeof(float));
    cudaMalloc((void **)&d[i], OPT_N * sizeof(float));
  }
  srand(5347);
  for (int i = 0; i < OPT_N; i++) {
    h[2][i] = RandFloat(5.0f, 30.0f);
    h[3][i] = RandFloat(1.0f, 100.0f);
    h[4][i] = RandFloat(0.25f, 10.0f);
  }
  for (int i = 2; i < 5; i++) cudaMemcpy(d[i], h[i], OPT_N * sizeof(float), cudaMemcpyHostToDevice);
  BlackScholesGPU<<<DIV_UP((OPT_N / 2), 128), 128>>>((float2 *)d[0], (float2 *)d[1], (float2 *)d[2],
                                                     (float2 *)d[3], (float2 *)d[4], RISKFREE, VOLATILITY, OPT_N);
  cudaMemcpy(h[0], d[0], OPT_N * sizeof(float), cudaMemcpyDeviceToHost);
  cudaMemcpy(h[1], d[1], OPT_N * sizeof(float), cudaMemcpyDeviceToHost);
  double sum_delta = 0, sum_ref = 0;
  for (int i = 0; i < OPT_N; i++) {
    double S = h[2][i], X = h[3][i], T = h[4][i], V = VOLATILITY, R = RISKFREE;
    double d1 = (log(S / X) + (R + 0.5 * V * V) * T) / (V * sqrt(T)), d2 = d1 - V * sqrt(T);
    double call = S * CND(d1) - X * exp(-R * T) * CND(d2);
    double put = X * exp(-R * T) * (1 - CND(d2)) - S * (1 - CND(d1));
    sum_delta += fabs(call - h[0][i]) + fabs(put - h[1][i]);
    sum_ref += fabs(call) + fabs(put);
  }
  double L1norm = sum_delta / sum_ref;
  printf("L1 norm: %E\n%s\n", L1norm, L1norm > 1e-5 ? "Test failed!" : "Test PASSED");
  return L1norm > 1e-5 ? EXIT_FAILURE : EXIT_SUCCESS;
}
