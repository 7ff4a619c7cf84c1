// Sum in one launch: the last block to finish, found by atomicInc and __threadfence, adds the parts.
// expect: pass
#include <cstdio>
#include <cstdlib>
#include <cmath>

__device__ unsigned int retirementCount = 0;

cudaError_t setRetirementCount(int retCnt) {
  return cudaMemcpyToSymbol(retirementCount, &retCnt, sizeof(unsigned int), 0, cudaMemcpyHostToDevice);
}

template <unsigned int blockSize> __device__ float blockSum(float mine) {
  __shared__ float warp[blockSize / 32];
  for (int o = 16; o; o >>= 1) mine += __shfl_xor_sync(0xffffffffu, mine, o);
  if (threadIdx.x % warpSize == 0) warp[threadIdx.x / warpSize] = mine;
  __syncthreads();
  float total = 0.f;
  for (int w = 0; w < blockSize / 32; w++) total += warp[w];
  __syncthreads();
  return total;
}

template <unsigned int blockSize>
__global__ void reduceSinglePass(const float *g_idata, float *g_odata, unsigned int n) {
  float sum = 0;
  for (unsigned int i = blockIdx.x * blockSize + threadIdx.x; i < n; i += blockSize * gridDim.x) sum += g_idata[i];
  sum = blockSum<blockSize>(sum);
  __shared__ bool amLast;
  if (threadIdx.x == 0) {
    g_odata[blockIdx.x] = sum;
    __threadfence();
    unsigned int ticket = atomicInc(&retirementCount, gridDim.x);
    amLast = (ticket == gridDim.x - 1);
  }
  __syncthreads();
  if (amLast) {
    float all = 0;
    for (unsigned int i = threadIdx.x; i < gridDim.x; i += blockSize) all += ((volatile float *)g_odata)[i];
    all = blockSum<blockSize>(all);
    if (threadIdx.x == 0) {
      g_odata[0] = all;
      retirementCount = 0;
    }
  }
}

int main() {
  const unsigned n = 1 << 16;
  float *h = new float[n], *d, *o, result;
  double exact = 0;
  for (unsigned i = 0; i < n; i++) exact += h[i] = (rand() & 0xFF) / (float)RAND_MAX * 1e6f;
  if (cudaMalloc(&d, n * sizeof(float)) || cudaMalloc(&o, 64 * sizeof(float))) return 2;
  if (cudaMemcpy(d, h, n * sizeof(float), cudaMemcpyHostToDevice)) return 3;
  bool ok = setRetirementCount(0) == cudaSuccess;
  for (int round = 0; round < 5; ++round) {
    reduceSinglePass<128><<<64, 128>>>(d, o, n);
    cudaMemcpy(&result, o, sizeof(float), cudaMemcpyDeviceToHost);
    ok = ok && fabs(result - exact) < 1e-4 * exact;
  }
  printf("%f %f\n%s\n", result, exact, ok ? "PASSED" : "FAILED");
  return ok ? 0 : 1;
}
