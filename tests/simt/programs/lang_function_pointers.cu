// Device function pointers: tables, symbols read by the host, kernel parameters, templates on functions.
// expect: pass
#include <cstdio>
#include <cstdlib>

typedef float (*binary_op)(float, float);

__device__ float add(float a, float b) { return a + b; }
__device__ float mul(float a, float b) { return a * b; }
__device__ float sub(float a, float b) { return a - b; }

__device__ binary_op d_table[3] = {add, mul, sub};
__device__ binary_op p_mul = mul;
__device__ binary_op p_sub = &sub;

template <float (*F)(float, float)> __global__ void by_template(const float *a, float *out) {
  out[threadIdx.x] = F(a[threadIdx.x], 3.0f);
}

__global__ void by_pointer(binary_op f, const float *a, float *out) {
  out[threadIdx.x] = f(a[threadIdx.x], 3.0f);
}

__global__ void by_table(const int *which, const float *a, float *out) {
  int i = threadIdx.x;
  out[i] = (*d_table[which[i]])(a[i], 3.0f);
}

__global__ void local_choice(const float *a, float *out) {
  float (*f)(float, float) = threadIdx.x % 2 ? add : mul;
  out[threadIdx.x] = f(a[threadIdx.x], 3.0f);
}

int main() {
  enum { N = 64 };
  float h[N], r[N], *a, *o;
  int w[N], *dw, bad = 0;
  for (int i = 0; i < N; i++) h[i] = i, w[i] = i % 3;
  cudaMalloc(&a, sizeof h), cudaMalloc(&o, sizeof r), cudaMalloc(&dw, sizeof w);
  cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
  cudaMemcpy(dw, w, sizeof w, cudaMemcpyHostToDevice);

  binary_op host_mul, host_sub;
  cudaMemcpyFromSymbol(&host_mul, p_mul, sizeof(binary_op));
  cudaMemcpyFromSymbol(&host_sub, p_sub, sizeof(binary_op));
  by_pointer<<<1, N>>>(host_mul, a, o);
  cudaMemcpy(r, o, sizeof r, cudaMemcpyDeviceToHost);
  for (int i = 0; i < N; i++) bad += r[i] != 3.0f * i;
  by_pointer<<<1, N>>>(host_sub, a, o);
  cudaMemcpy(r, o, sizeof r, cudaMemcpyDeviceToHost);
  for (int i = 0; i < N; i++) bad += r[i] != i - 3.0f;
  by_template<add><<<1, N>>>(a, o);
  cudaMemcpy(r, o, sizeof r, cudaMemcpyDeviceToHost);
  for (int i = 0; i < N; i++) bad += r[i] != i + 3.0f;
  by_table<<<1, N>>>(dw, a, o);
  cudaMemcpy(r, o, sizeof r, cudaMemcpyDeviceToHost);
  for (int i = 0; i < N; i++)
    bad += r[i] != (i % 3 == 0 ? i + 3.0f : i % 3 == 1 ? i * 3.0f : i - 3.0f);
  local_choice<<<1, N>>>(a, o);
  cudaMemcpy(r, o, sizeof r, cudaMemcpyDeviceToHost);
  for (int i = 0; i < N; i++) bad += r[i] != (i % 2 ? i + 3.0f : i * 3.0f);
  printf("%d wrong: %s\n", bad, bad ? "FAILED" : "PASSED");
  cudaFree(a); cudaFree(o); cudaFree(dw);
  return bad ? EXIT_FAILURE : EXIT_SUCCESS;
}
