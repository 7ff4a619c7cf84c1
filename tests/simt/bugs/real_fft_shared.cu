// find: race shared barrier|syncwarp
// A fast Fourier transform of one block: the butterflies of a stage write before all of the stage
// before have read.
#include <cmath>
#include <complex>
#include <cstdio>
#include <vector>

#define N 128

__device__ float2 multiply(float2 a, float2 b) {
  return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

__device__ void butterfly(float2 *a, float2 *b, float2 twiddle) {
  float2 u = *a;                    // BUG
  float2 t = multiply(twiddle, *b); // BUG
  a->x = u.x + t.x;                 // BUG
  a->y = u.y + t.y;                 // BUG
  b->x = u.x - t.x;                 // BUG
  b->y = u.y - t.y;                 // BUG
}

__global__ void fft(float2 *data) {
  __shared__ float2 s[N];
  float2 *signal = data + blockIdx.x * N;
  for (int i = threadIdx.x; i < N; i += blockDim.x) {
    int from = __brev((unsigned)i) >> (32 - 7);
    s[i] = signal[from];
  }
  __syncthreads();
  for (int half = 1; half < N; half *= 2) {
    int k = threadIdx.x % half;
    int low = threadIdx.x / half * 2 * half + k;
    float angle = -3.14159265358979f * k / half;
    float2 twiddle = make_float2(cosf(angle), sinf(angle));
    butterfly(&s[low], &s[low + half], twiddle);
#ifdef FIXED
    __syncthreads();
  }
#else
  }
  __syncthreads();
#endif
  for (int i = threadIdx.x; i < N; i += blockDim.x) signal[i] = s[i];
}

static std::vector<std::complex<double>> dft(const std::vector<float2> &x) {
  std::vector<std::complex<double>> y(N);
  for (int k = 0; k < N; k++)
    for (int i = 0; i < N; i++)
      y[k] += std::complex<double>(x[i].x, x[i].y) * std::polar(1.0, -2 * M_PI * i * k / N);
  return y;
}

int main() {
  const int batch = 2;
  std::vector<float2> h(N * batch), result(N * batch);
  for (int i = 0; i < N * batch; i++) h[i] = make_float2(cosf(0.1f * i), i % 3);
  float2 *data;
  if (cudaMalloc(&data, N * batch * sizeof(float2)) != cudaSuccess) return 1;
  cudaMemcpy(data, h.data(), N * batch * sizeof(float2), cudaMemcpyHostToDevice);
  fft<<<batch, N / 2>>>(data);
  cudaMemcpy(result.data(), data, N * batch * sizeof(float2), cudaMemcpyDeviceToHost);
  double worst = 0;
  std::vector<std::complex<double>> expected = dft(h);
  for (int k = 0; k < N; k++)
    worst = std::max(worst, std::abs(expected[k] - std::complex<double>(result[k].x, result[k].y)));
  printf("largest difference %.2g, %s\n", worst, cudaGetErrorString(cudaGetLastError()));
  cudaFree(data);
  return 0;
}
