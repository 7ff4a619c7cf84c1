// find: race shared barrier|syncwarp
// A bitonic sort in shared memory; the barrier stands behind the inner loop instead of in it.
#include <algorithm>
#include <cstdio>
#include <vector>

typedef unsigned int uint;
#define SHARED_SIZE 512

__device__ inline void comparator(uint &key_a, uint &value_a, uint &key_b, uint &value_b,
                                  uint direction) {
  if ((key_a > key_b) == direction) { // BUG
    uint t = key_a;                   // BUG?
    key_a = key_b;                    // BUG
    key_b = t;                        // BUG
    t = value_a;                      // BUG?
    value_a = value_b;                // BUG?
    value_b = t;                      // BUG?
  }
}

__global__ void sort_shared(uint *keys, uint *values, uint length, uint direction) {
  __shared__ uint s_key[SHARED_SIZE];
  __shared__ uint s_value[SHARED_SIZE];
  uint base = blockIdx.x * length;
  for (uint i = threadIdx.x; i < length; i += blockDim.x) {
    s_key[i] = keys[base + i];
    s_value[i] = values[base + i];
  }
  __syncthreads();
  for (uint size = 2; size <= length; size <<= 1) {
    uint ddd = direction ^ ((threadIdx.x & (size / 2)) != 0);
    if (size == length) ddd = direction;
    for (uint stride = size / 2; stride > 0; stride >>= 1) {
      uint pos = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
      comparator(s_key[pos], s_value[pos], s_key[pos + stride], s_value[pos + stride], ddd);
#ifdef FIXED
      __syncthreads();
    }
#else
    }
    __syncthreads();
#endif
  }
  for (uint i = threadIdx.x; i < length; i += blockDim.x) {
    keys[base + i] = s_key[i];
    values[base + i] = s_value[i];
  }
}

int main() {
  const uint length = SHARED_SIZE, batches = 3, n = length * batches;
  std::vector<uint> keys(n), values(n), result(n);
  uint state = 1;
  for (uint i = 0; i < n; i++) {
    state = state * 1103515245u + 12345u;
    keys[i] = state >> 8;
    values[i] = i;
  }
  uint *d_keys, *d_values;
  cudaMalloc(&d_keys, n * sizeof(uint));
  cudaMalloc(&d_values, n * sizeof(uint));
  cudaMemcpy(d_keys, keys.data(), n * sizeof(uint), cudaMemcpyHostToDevice);
  cudaMemcpy(d_values, values.data(), n * sizeof(uint), cudaMemcpyHostToDevice);
  sort_shared<<<batches, length / 2>>>(d_keys, d_values, length, 1);
  cudaError_t e = cudaDeviceSynchronize();
  if (e != cudaSuccess) {
    printf("%s\n", cudaGetErrorString(e));
    return 1;
  }
  cudaMemcpy(result.data(), d_keys, n * sizeof(uint), cudaMemcpyDeviceToHost);
  uint wrong = 0;
  for (uint b = 0; b < batches; b++) {
    std::sort(keys.begin() + b * length, keys.begin() + (b + 1) * length);
    for (uint i = b * length; i < (b + 1) * length; i++) wrong += keys[i] != result[i];
  }
  printf("%u of %u wrong\n", wrong, n);
  cudaFree(d_keys);
  cudaFree(d_values);
  return 0;
}
