// Old warp-synchronous code without __syncwarp: sums, scans and tagged counts on volatile shared memory.
// expect: pass
#include <cstdio>
typedef unsigned int uint;
__device__ int scanwarp(int val, volatile int *s) {
  int lane = threadIdx.x & 31;
  int idx = 2 * threadIdx.x - lane;
  s[idx] = 0;
  idx += 32;
  s[idx] = val;
  s[idx] += s[idx - 1];
  s[idx] += s[idx - 2];
  s[idx] += s[idx - 4];
  s[idx] += s[idx - 8];
  s[idx] += s[idx - 16];
  return s[idx] - val;
}
extern __shared__ volatile int filesh[];
__global__ void k0(int *p) {
  int t = threadIdx.x;
  filesh[t] = 1;
  for (int o = 1; o < 32; o *= 2)
    if (t >= o) filesh[t] += filesh[t - o];
  p[t] = filesh[31];
}
__global__ void k1(int *p) {
  __shared__ int s[512];
  p[threadIdx.x] = scanwarp(p[threadIdx.x], s);
}
__device__ int scan2(volatile int *ptr, const uint idx) {
  const uint lane = idx & 31;
  if (lane >= 1) ptr[idx] = ptr[idx - 1] + ptr[idx];
  if (lane >= 2) ptr[idx] = ptr[idx - 2] + ptr[idx];
  if (lane >= 4) ptr[idx] = ptr[idx - 4] + ptr[idx];
  if (lane >= 8) ptr[idx] = ptr[idx - 8] + ptr[idx];
  if (lane >= 16) {
    ptr[idx] = ptr[idx - 16] + ptr[idx];
  }
  return ptr[(idx & ~31) + 31];
}
__global__ void k2(int *p, int *tot) {
  __shared__ int s[256];
  s[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  tot[threadIdx.x] = scan2(s, threadIdx.x);
  p[threadIdx.x] = s[threadIdx.x];
}
__device__ inline void addByte(volatile uint *h, uint data, uint tag) {
  uint count;
  do {
    count = h[data] & 0x07FFFFFFU;
    count = tag | (count + 1);
    h[data] = count;
  } while (h[data] != count);
}
__global__ void k3(const uint *d, uint *out) {
  __shared__ uint h[8 * 16];
  for (int i = threadIdx.x; i < 128; i += blockDim.x) h[i] = 0;
  __syncthreads();
  addByte(h + (threadIdx.x / 32) * 16, d[threadIdx.x], threadIdx.x << 27);
  __syncthreads();
  if (threadIdx.x < 16) {
    uint s = 0;
    for (int w = 0; w < 8; w++) s += h[w * 16 + threadIdx.x] & 0x07ffffff;
    out[threadIdx.x] = s;
  }
}
template <class T, int N> __global__ void k4(T *g) {
  __shared__ T sh[N];
  int t = threadIdx.x;
  sh[t] = g[t];
  __syncthreads();
  for (int s = N / 2; s > 32; s >>= 1) {
    if (t < s) sh[t] += sh[t + s];
    __syncthreads();
  }
  if (t < 32) {
    volatile T *v = sh;
    T my = v[t];
    v[t] = my = my + v[t + 32];
    v[t] = my = my + v[t + 16];
    v[t] = my = my + v[t + 8];
    v[t] = my = my + v[t + 4];
    v[t] = my = my + v[t + 2];
    v[t] = my = my + v[t + 1];
  }
  if (t == 0) g[0] = sh[0];
}
int main() {
  int bad = 0, *p, *q;
  cudaMallocManaged(&p, 1024);
  k0<<<1, 32, 128>>>(p);
  cudaDeviceSynchronize();
  for (int i = 0; i < 32; i++)
    if (p[i] != 32) bad++;
  cudaMallocManaged(&q, 1024);
  for (int i = 0; i < 256; i++) p[i] = 1;
  k1<<<1, 256>>>(p);
  cudaDeviceSynchronize();
  for (int i = 0; i < 256; i++)
    if (p[i] != i % 32) bad++;
  for (int i = 0; i < 256; i++) p[i] = 1;
  k2<<<1, 256>>>(p, q);
  cudaDeviceSynchronize();
  for (int i = 0; i < 256; i++)
    if (p[i] != i % 32 + 1 || q[i] != 32) bad++;
  printf("%d\n", bad);
  for (int i = 0; i < 256; i++) p[i] = i % 3;
  k3<<<1, 256>>>((uint *)p, (uint *)q);
  cudaDeviceSynchronize();
  if (q[0] != 86 || q[1] != 85 || q[2] != 85) bad++, printf("%d %d\n", q[0], q[1]);
  for (int i = 0; i < 256; i++) p[i] = i;
  k4<int, 256><<<1, 256>>>(p);
  cudaDeviceSynchronize();
  if (p[0] != 255 * 128) bad++, printf("%d\n", p[0]);
  puts(bad ? "FAILED" : "PASSED");
  cudaFree(p), cudaFree(q);
  return bad;
}
