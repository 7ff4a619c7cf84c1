// find: race shared read/write barrier
// Vectors in shared memory that is declared as bytes: stored and read through casts, in the ways
// that there are.
#include <cstdio>

struct Two {
  unsigned a, b;
};

__device__ Two two(unsigned n) { return Two{n, n}; }
__device__ unsigned sum(uint4 v) { return v.x + v.y + v.z + v.w; }

__global__ void elements(unsigned *out) {
  __shared__ __align__(16) unsigned char bytes[64 * 16];
  const int t = threadIdx.x;
  ((uint4 *)bytes)[t] = make_uint4(t, 1, 2, 3); // BUG
#ifdef FIXED
  __syncthreads();
#endif
  out[t] = sum(((uint4 *)bytes)[63 - t]); // BUG
}

__global__ void dereferenced(unsigned *out) {
  __shared__ __align__(16) unsigned char bytes[64 * 16];
  const int t = threadIdx.x;
  *(uint4 *)(bytes + 16 * t) = make_uint4(t, 1, 2, 3); // BUG
#ifdef FIXED
  __syncthreads();
#endif
  out[t] = sum(*(uint4 *)(bytes + 16 * (63 - t))); // BUG
}

__global__ void addresses(unsigned *out) {
  __shared__ __align__(16) unsigned char bytes[64 * 16];
  const int t = threadIdx.x;
  *(uint4 *)&bytes[16 * t] = make_uint4(t, 1, 2, 3); // BUG
#ifdef FIXED
  __syncthreads();
#endif
  out[t] = sum(*(uint4 *)&bytes[16 * (63 - t)]); // BUG
}

__global__ void casts(unsigned *out) {
  __shared__ __align__(16) unsigned char bytes[64 * 16];
  const int t = threadIdx.x;
  reinterpret_cast<uint4 *>(bytes)[t] = make_uint4(t, 1, 2, 3); // BUG
#ifdef FIXED
  __syncthreads();
#endif
  out[t] = sum(*reinterpret_cast<uint4 *>(bytes + 16 * (63 - t))); // BUG
}

__global__ void rows(unsigned *out) {
  __shared__ __align__(16) unsigned char bytes[64 * 16];
  const int t = threadIdx.x;
  ((Two(*)[2])bytes)[t][0] = two(t); // BUG
  ((Two(*)[2])bytes)[t][1] = two(t); // BUG
#ifdef FIXED
  __syncthreads();
#endif
  out[t] = sum(reinterpret_cast<uint4 *>(bytes)[63 - t]); // BUG
}

int main() {
  unsigned *out;
  cudaMalloc(&out, 64 * sizeof *out);
  elements<<<1, 64>>>(out);
  dereferenced<<<1, 64>>>(out);
  addresses<<<1, 64>>>(out);
  casts<<<1, 64>>>(out);
  rows<<<1, 64>>>(out);
  if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) return 1;
  unsigned host[64], total = 0;
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  for (unsigned n : host) total += n;
  std::printf("%u\n", total);
  cudaFree(out);
  return 0;
}
