// Sum in one launch: the last block to finish, found by atomicInc and __threadfence, adds the parts.
// expect: pass
#include <cmath>
#include <cstdio>
#include <cstdlib>

__device__ unsigned int done_blocks = 0;

cudaError_t set_done(int value) {
  return cudaMemcpyToSymbol(done_blocks, &value, sizeof(unsigned int), 0, cudaMemcpyHostToDevice);
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
__global__ void one_launch(const float *in, float *out, unsigned int n) {
  float sum = 0;
  for (unsigned int i = blockIdx.x * blockSize + threadIdx.x; i < n; i += blockSize * gridDim.x)
    sum += in[i];
  sum = blockSum<blockSize>(sum);
  __shared__ bool last;
  if (threadIdx.x == 0) {
    out[blockIdx.x] = sum;
    __threadfence();
    unsigned int ticket = atomicInc(&done_blocks, gridDim.x);
    last = (ticket == gridDim.x - 1);
  }
  __syncthreads();
  if (last) {
    float all = 0;
    for (unsigned int i = threadIdx.x; i < gridDim.x; i += blockSize)
      all += ((volatile float *)out)[i];
    all = blockSum<blockSize>(all);
    if (threadIdx.x == 0) {
      out[0] = all;
      done_blocks = 0;
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
  bool ok = set_done(0) == cudaSuccess;
  for (int round = 0; round < 5; ++round) {
    one_launch<128><<<64, 128>>>(d, o, n);
    cudaMemcpy(&result, o, sizeof(float), cudaMemcpyDeviceToHost);
    ok = ok && fabs(result - exact) < 1e-4 * exact;
  }
  printf("%f %f\n%s\n", result, exact, ok ? "PASSED" : "FAILED");
  cudaFree(d); cudaFree(o);
  return ok ? 0 : 1;
}
