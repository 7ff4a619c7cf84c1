// Half precision: half2 dot product, conversions, operators, comparison with float.
// expect: pass
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cuda_fp16.h>

__forceinline__ __device__ void fold_halves(half2 *const v) {
  if (threadIdx.x < 64) v[threadIdx.x] = v[threadIdx.x] + v[threadIdx.x + 64];
  __syncthreads();
  for (int i = 32; i > 0; i /= 2) {
    half2 t;
    if (threadIdx.x < i) t = __hadd2(v[threadIdx.x], v[threadIdx.x + i]);
    __syncthreads();
    if (threadIdx.x < i) v[threadIdx.x] = t;
    __syncthreads();
  }
}

__global__ void dot_products(half2 const *const a, half2 const *const b, float *const results,
                             size_t const size) {
  const int stride = gridDim.x * blockDim.x;
  __shared__ half2 parts[128];
  parts[threadIdx.x] = __float2half2_rn(0.f);
  half2 value = __float2half2_rn(0.f);
  for (int i = threadIdx.x + blockDim.x * blockIdx.x; i < size; i += stride)
    value = __hfma2(a[i], b[i], value);
  parts[threadIdx.x] = value;
  __syncthreads();
  fold_halves(parts);
  if (threadIdx.x == 0) {
    half2 result = parts[0];
    float both = __low2float(result) + __high2float(result);
    results[blockIdx.x] = both;
  }
}

__global__ void basic(__half *out) {
  __half a = __float2half(1.5f), b = 2.25f;
  __half c = __half(3);
  out[0] = a + b;
  out[1] = a * b - c;
  out[2] = __hdiv(a, c);
  out[3] = hsqrt(__float2half(16.0f));
  out[4] = __hgt(b, a) ? __int2half_rn(1) : __int2half_rn(0);
  out[5] = a < b ? b : a;
  c += a;
  out[6] = -c;
}

int main() {
  const int size = 128 * 8, blocks = 4;
  half2 *host_v[2], *dev_v[2];
  for (int i = 0; i < 2; ++i) {
    cudaMallocHost((void **)&host_v[i], size * sizeof(half2));
    cudaMalloc((void **)&dev_v[i], size * sizeof(half2));
    for (int j = 0; j < size; ++j) {
      half2 temp;
      temp.x = static_cast<float>(rand() % 4);
      temp.y = static_cast<float>(rand() % 2);
      host_v[i][j] = temp;
    }
    cudaMemcpy(dev_v[i], host_v[i], size * sizeof(half2), cudaMemcpyHostToDevice);
  }
  float *r, hr[blocks], sum = 0, want = 0;
  cudaMalloc(&r, sizeof hr);
  dot_products<<<blocks, 128>>>(dev_v[0], dev_v[1], r, size);
  cudaMemcpy(hr, r, sizeof hr, cudaMemcpyDeviceToHost);
  for (float v : hr) sum += v;
  for (int j = 0; j < size; ++j)
    want += __half2float(host_v[0][j].x) * __half2float(host_v[1][j].x) +
            __half2float(host_v[0][j].y) * __half2float(host_v[1][j].y);
  int bad = fabs(sum - want) > 4.0f;
  __half *o, ho[7];
  cudaMalloc(&o, sizeof ho);
  basic<<<1, 1>>>(o);
  cudaMemcpy(ho, o, sizeof ho, cudaMemcpyDeviceToHost);
  const float expect[7] = {3.75f, 0.375f, 0.5f, 4, 1, 2.25f, -4.5f};
  for (int i = 0; i < 7; i++)
    if (__half2float(ho[i]) != expect[i])
      printf("%d: %f, not %f\n", i, (float)ho[i], expect[i]), bad++;
  printf("%f %f\n%s\n", sum, want, bad ? "FAILED" : "PASSED");
  for (int i = 0; i < 2; i++) cudaFreeHost(host_v[i]), cudaFree(dev_v[i]);
  cudaFree(r); cudaFree(o);
  return bad;
}
