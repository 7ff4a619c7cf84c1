// find: nothing
// The rest of a tile, which nobody has loaded, is turned with it in shared memory; bytes of a thread's own
// become any number, one after the other.
#include <cstdio>
#include <cstdlib>

__global__ void turn(const int *in, int *out, int n) {
  __shared__ int tile[128];
  int items[4];
  for (int i = 0; i < 4; ++i)
    if (threadIdx.x + 32 * i < n) items[i] = in[threadIdx.x + 32 * i];
  for (int i = 0; i < 4; ++i) tile[threadIdx.x + 32 * i] = items[i];
  __syncthreads();
  for (int i = 0; i < 4; ++i)
    if (threadIdx.x * 4 + i < n) out[threadIdx.x * 4 + i] = tile[threadIdx.x * 4 + i];
}

__global__ void bytes(const unsigned char *in, unsigned *sums) {
  unsigned sum = 0;
  for (unsigned value = threadIdx.x; value < 256; value += blockDim.x) {
    unsigned char own[4];
    for (int i = 0; i < 4; ++i) own[i] = in[value] + (i == 0 ? 0 : i * 17);
    for (int i = 0; i < 4; ++i) sum += own[i];
    unsigned char one[4];
    one[0] = in[value];
    atomicAdd(sums, one[0]);
  }
  atomicAdd(sums, sum);
}

int main() {
  int host[100], *in, *out;
  unsigned char list[256], *values;
  unsigned *sums, sum = 0;
  for (int i = 0; i < 100; ++i) host[i] = 3 * i;
  for (int i = 0; i < 256; ++i) list[i] = i;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof host);
  cudaMalloc(&values, sizeof list);
  cudaMalloc(&sums, sizeof sum);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemcpy(values, list, sizeof list, cudaMemcpyHostToDevice);
  cudaMemset(sums, 0, sizeof sum);
  turn<<<1, 32>>>(in, out, 100);
  bytes<<<1, 32>>>(values, sums);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  cudaMemcpy(&sum, sums, sizeof sum, cudaMemcpyDeviceToHost);
  cudaFree(in);
  cudaFree(out);
  cudaFree(values);
  cudaFree(sums);
  for (int i = 0; i < 100; ++i)
    if (host[i] != 3 * i) return 1;
  return sum == 5 * 255 * 128 ? 0 : 1;
}
