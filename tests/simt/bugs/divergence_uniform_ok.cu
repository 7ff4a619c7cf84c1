// find: nothing
// Barriers in branches and loops that the whole block takes alike.
#include <cstdio>

template <int N> __device__ int tree(int *s, int i) {
  for (int d = N / 2; d > 0; d /= 2) {
    if (i < d) s[i] += s[i + d];
    __syncthreads();
  }
  return s[0];
}

__global__ void uniform(int *data, int mode) {
  __shared__ int s[64];
  const int i = threadIdx.x;
  s[i] = i;
  __syncthreads();
  int sum = 0;
  switch (mode) {
  case 1: sum = tree<64>(s, i); break;
  case 2: sum = tree<32>(s, i); break;
  default: __syncthreads();
  }
  int k = 0;
  do {
    __syncthreads();
    if (k == 1) continue;
    s[i] = sum + k;
    __syncthreads();
  } while (++k < 4);
  auto last = [&](int v) {
    __syncthreads();
    return v + s[63 - i];
  };
  data[i] = last(k);
}

int main() {
  int *data = nullptr;
  if (cudaMalloc(&data, 1024 * sizeof(int)) != cudaSuccess) return 1;
  cudaMemset(data, 0, 1024 * sizeof(int));
  uniform<<<1, 64>>>(data, 1);
  cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess) error = cudaDeviceSynchronize();
  int first = -1;
  cudaMemcpy(&first, data, sizeof first, cudaMemcpyDeviceToHost);
  std::printf("%d %s\n", first, cudaGetErrorString(error));
  cudaFree(data);
  return error != cudaSuccess;
}
