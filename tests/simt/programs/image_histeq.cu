// Histogram equalisation: shared-memory histogram, scan of the 256 bins, lookup table.
// expect: pass
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <random>
#include <vector>

typedef unsigned char Pixel;

__global__ void histogram(const Pixel *img, int n, unsigned int *bins) {
  __shared__ unsigned int local[256];
  local[threadIdx.x] = 0;
  __syncthreads();
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  const int stride = blockDim.x * gridDim.x;
  while (i < n) {
    atomicAdd(&local[img[i]], 1);
    i += stride;
  }
  __syncthreads();
  atomicAdd(&(bins[threadIdx.x]), local[threadIdx.x]);
}

__global__ void make_table(const unsigned int *bins, int n, Pixel *table) {
  __shared__ unsigned int s[2][256];
  int t = threadIdx.x, in = 0;
  s[0][t] = bins[t];
  __syncthreads();
  for (int d = 1; d < 256; d <<= 1) {
    s[1 - in][t] = t >= d ? s[in][t] + s[in][t - d] : s[in][t];
    in = 1 - in;
    __syncthreads();
  }
  unsigned int first = 0;
  for (int k = 0; k < 256; ++k)
    if (s[in][k]) {
      first = s[in][k];
      break;
    }
  table[t] =
      s[in][t] < first ? 0 : (Pixel)((unsigned long long)(s[in][t] - first) * 255 / (n - first));
}

__global__ void apply(const Pixel *in, Pixel *out, int n, const Pixel *__restrict__ table) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    out[i] = __ldg(&table[in[i]]);
}

int main() {
  const int n = 320 * 200;
  std::mt19937 gen(42);
  std::normal_distribution<float> dist(100.0f, 12.0f);
  std::vector<Pixel> img(n), out(n), want(n);
  std::generate(img.begin(), img.end(),
                [&] { return static_cast<Pixel>(std::min(255.0f, std::max(0.0f, dist(gen)))); });
  Pixel *d_in, *d_out, *d_table;
  unsigned int *d_bins;
  cudaMalloc((void **)&d_in, n);
  cudaMalloc((void **)&d_out, n);
  cudaMalloc((void **)&d_table, 256);
  cudaMalloc((void **)&d_bins, 256 * sizeof(unsigned int));
  cudaMemset(d_bins, 0, 256 * sizeof(unsigned int));
  cudaMemcpy(d_in, img.data(), n, cudaMemcpyHostToDevice);
  cudaDeviceProp prop;
  cudaGetDeviceProperties(&prop, 0);
  histogram<<<prop.multiProcessorCount * 2, 256>>>(d_in, n, d_bins);
  make_table<<<1, 256>>>(d_bins, n, d_table);
  apply<<<64, 128>>>(d_in, d_out, n, d_table);
  cudaMemcpy(out.data(), d_out, n, cudaMemcpyDeviceToHost);

  unsigned bins[256] = {}, cdf[256], run = 0;
  for (Pixel p : img) bins[p]++;
  for (int i = 0; i < 256; ++i) cdf[i] = run += bins[i];
  const unsigned first = *std::find_if(cdf, cdf + 256, [](unsigned v) { return v > 0; });
  for (int i = 0; i < n; ++i)
    want[i] = (Pixel)((unsigned long long)(cdf[img[i]] - first) * 255 / (n - first));
  const bool ok = std::equal(out.begin(), out.end(), want.begin());
  printf("%s\n", ok ? "PASSED" : "FAILED");
  cudaFree(d_in); cudaFree(d_out); cudaFree(d_table); cudaFree(d_bins);
  return ok ? 0 : 1;
}
