// find: device-pointer
// text: cudaGetSymbolAddress
// cudaMemcpy and cudaMemset are given the names of variables of the device.
// Fixed: Addresses from cudaGetSymbolAddress.
#include <cstdio>

__device__ int table[16];
__device__ int counter;

__global__ void look(int *out) { out[threadIdx.x] = table[threadIdx.x] + counter; }

int main() {
  int host[16] = {1, 2, 3}, *out;
  cudaMalloc(&out, sizeof host);
#ifdef FIXED
  int *address;
  cudaGetSymbolAddress((void **)&address, table);
  cudaMemcpy(address, host, sizeof host, cudaMemcpyHostToDevice);
  cudaGetSymbolAddress((void **)&address, counter);
  cudaMemset(address, 0, sizeof(int));
#else
  cudaMemcpy(table, host, sizeof host, cudaMemcpyHostToDevice); // BUG
  cudaMemset(&counter, 0, sizeof(int));                         // BUG
#endif
  look<<<1, 16>>>(out);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(out);
}
