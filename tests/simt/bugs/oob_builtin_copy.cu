// find: out-of-bounds global
// find: out-of-bounds global
// find: out-of-bounds global
// Records of 6 bytes are copied and cleared by 12, with the compiler's own functions.
// Fixed: Records of 6 bytes are copied and cleared, with the compiler's own functions.
#include <cstdio>

struct record {
  short x, y, z;
};

__global__ void copy(const record *in, record *out) {
  const int i = threadIdx.x;
#ifdef FIXED
  __builtin_memcpy(&out[i], &in[i], sizeof *out);
#else
  __builtin_memcpy(&out[i], &in[i], i == 2 ? 12 : 6);     // BUG
#endif
}

__global__ void move(record *data) {
  const int i = threadIdx.x;
#ifdef FIXED
  __builtin_memmove(&data[i], &data[i], sizeof *data);
}

__global__ void clear(record *out) { __builtin_memset(&out[threadIdx.x], 0, sizeof *out); }
#else
  __builtin_memmove(&data[i], &data[i], i == 2 ? 12 : 6); // BUG 2
}

__global__ void clear(record *out) {
  __builtin_memset(&out[threadIdx.x], 0, threadIdx.x == 2 ? 12 : 6); // BUG 3
}
#endif

int main() {
  record host[3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}, *in, *out;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof host);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  copy<<<1, 3>>>(in, out);
  move<<<1, 3>>>(in);
  clear<<<1, 3>>>(out);
  if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) return 1;
  cudaMemcpy(host, in, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d\n", host[2].z);
  cudaFree(in);
  cudaFree(out);
  return 0;
}
