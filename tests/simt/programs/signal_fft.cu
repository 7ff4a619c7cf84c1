// Radix-2 FFT in shared memory with cuComplex, inverse as check, and a plain DFT kernel.
// expect: pass
#include <cmath>
#include <complex>
#include <cstdio>
#include <cuComplex.h>
#include <vector>

#define LOG_N 8
#define FFT_N (1 << LOG_N)

__device__ __forceinline__ cuFloatComplex twiddle(float k, float n, int sign) {
  float s, c;
  sincosf(sign * 2.0f * 3.14159265358979323846f * k / n, &s, &c);
  return make_cuFloatComplex(c, s);
}

__global__ void fft(cuFloatComplex *data, int sign) {
  __shared__ cuFloatComplex s[FFT_N];
  cuFloatComplex *signal = data + blockIdx.x * FFT_N;
  for (int i = threadIdx.x; i < FFT_N; i += blockDim.x) s[__brev(i) >> (32 - LOG_N)] = signal[i];
  __syncthreads();
  for (int half = 1; half < FFT_N; half <<= 1) {
    const int k = threadIdx.x % half, i = threadIdx.x / half * 2 * half + k;
    cuFloatComplex a = s[i], b = cuCmulf(s[i + half], twiddle(k, 2 * half, sign));
    s[i] = cuCaddf(a, b);
    s[i + half] = cuCsubf(a, b);
    __syncthreads();
  }
  for (int i = threadIdx.x; i < FFT_N; i += blockDim.x) signal[i] = s[i];
}

__global__ void dft(const cuDoubleComplex *in, cuDoubleComplex *out, int n) {
  int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k >= n) return;
  cuDoubleComplex sum = make_cuDoubleComplex(0, 0);
  for (int i = 0; i < n; ++i) {
    double s, c;
    sincospi(-2.0 * ((k * i) % n) / n, &s, &c);
    sum = cuCfma(in[i], make_cuDoubleComplex(c, s), sum);
  }
  out[k] = sum;
}

int main() {
  const int batch = 5, n = FFT_N;
  std::vector<std::complex<float>> in(batch * n), freq(batch * n), back(batch * n);
  for (int i = 0; i < batch * n; ++i)
    in[i] = {std::sin(0.05f * i) + (i % 7) * 0.1f, (i % 5) * 0.2f};
  cuFloatComplex *d;
  cudaMalloc(&d, sizeof(cuFloatComplex) * in.size());
  cudaMemcpy(d, in.data(), sizeof(cuFloatComplex) * in.size(), cudaMemcpyHostToDevice);
  fft<<<batch, n / 2>>>(d, -1);
  cudaMemcpy(freq.data(), d, sizeof(cuFloatComplex) * in.size(), cudaMemcpyDeviceToHost);
  fft<<<batch, n / 2>>>(d, 1);
  cudaMemcpy(back.data(), d, sizeof(cuFloatComplex) * in.size(), cudaMemcpyDeviceToHost);
  double worst = 0;
  for (int i = 0; i < batch * n; ++i)
    worst = std::max(worst, (double)std::abs(back[i] / float(n) - in[i]));

  std::vector<std::complex<double>> wide(n), spectrum(n);
  for (int i = 0; i < n; ++i) wide[i] = std::complex<double>(in[n + i]);
  cuDoubleComplex *a, *b;
  cudaMalloc(&a, n * sizeof *a);
  cudaMalloc(&b, n * sizeof *b);
  cudaMemcpy(a, wide.data(), n * sizeof *a, cudaMemcpyHostToDevice);
  dft<<<n / 64, 64>>>(a, b, n);
  cudaMemcpy(spectrum.data(), b, n * sizeof *a, cudaMemcpyDeviceToHost);
  for (int k = 0; k < n; ++k)
    worst = std::max(worst, std::abs(spectrum[k] - std::complex<double>(freq[n + k])) / n);
  printf("largest error %g\n%s\n", worst, worst < 1e-4 ? "PASSED" : "FAILED");
  cudaFree(d); cudaFree(a); cudaFree(b);
  return worst < 1e-4 ? 0 : 1;
}
