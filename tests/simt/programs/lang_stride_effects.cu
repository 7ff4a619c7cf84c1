// Loops whose iterations touch what other threads see: atomics in strides, in-place updates, neighbours' old values by two buffers.
// expect: pass
#include <cstdio>
#include <vector>

__global__ void in_place(int *p, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    p[i] = p[i] * 2 + i;
}
__global__ void first_even(const int *p, int n, int *first, int *count) {
  int mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    if (p[i] % 2 == 0) {
      atomicMin(first, i);
      ++mine;
    }
  if (mine) atomicAdd(count, mine);
}
__global__ void two_dimensional(int *p, int w, int h) {
  for (int y = blockIdx.y * blockDim.y + threadIdx.y; y < h; y += blockDim.y * gridDim.y)
    for (int x = blockIdx.x * blockDim.x + threadIdx.x; x < w; x += blockDim.x * gridDim.x)
      p[y * w + x] += 100 * y + x;
}
__global__ void stepping_back(int *p, int n) {
  for (int i = n - 1 - (blockIdx.x * blockDim.x + threadIdx.x); i >= 0; i -= blockDim.x * gridDim.x)
    p[i] = n - i;
}
__global__ void tickets(int *next, int n, int *owner) {
  for (;;) {
    int i = atomicAdd(next, 1);
    if (i >= n) break;
    owner[i] = blockIdx.x * blockDim.x + threadIdx.x + 1;
  }
}
__global__ void local_arrays(const int *in, int n, int *out) {
  int window[4] = {0}, at = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    window[at] = in[i];
    at = (at + 1) & 3;
    out[i] = window[0] + window[1] + window[2] + window[3];
  }
}
__global__ void shared_then_stride(const int *in, int n, int *out) {
  __shared__ int top[64];
  int best = -1;
  for (int i = threadIdx.x; i < n; i += blockDim.x) best = max(best, in[i]);
  top[threadIdx.x] = best;
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = top[(i + 1) % blockDim.x];
}

int main() {
  const int n = 2500;
  int *p, *q, *s, bad = 0;
  cudaMallocManaged(&p, n * sizeof(int)), cudaMallocManaged(&q, n * sizeof(int)),
      cudaMallocManaged(&s, 8 * sizeof(int));
  for (int i = 0; i < n; i++) p[i] = i * 3 + 1;
  in_place<<<4, 100>>>(p, n);
  s[0] = 1 << 30, s[1] = 0, s[2] = 0;
  first_even<<<3, 50>>>(p, n, s, s + 1);
  cudaDeviceSynchronize();
  int first = 1 << 30, count = 0;
  for (int i = 0; i < n; i++) {
    bad += p[i] != (i * 3 + 1) * 2 + i;
    if (p[i] % 2 == 0) count++, first = i < first ? i : first;
  }
  bad += s[0] != first || s[1] != count;
  for (int i = 0; i < n; i++) p[i] = 0;
  two_dimensional<<<dim3(2, 2), dim3(8, 4)>>>(p, 50, 50);
  stepping_back<<<2, 64>>>(q, n);
  cudaDeviceSynchronize();
  for (int i = 0; i < n; i++) bad += p[i] != 100 * (i / 50) + i % 50 || q[i] != n - i;
  tickets<<<4, 32>>>(s + 2, n, q);
  cudaDeviceSynchronize();
  for (int i = 0; i < n; i++) bad += q[i] < 1 || q[i] > 128;
  bad += s[2] != n + 128;
  local_arrays<<<1, 64>>>(p, n, q);
  cudaDeviceSynchronize();
  for (int i = 0; i < n; i++) {
    int want = 0;
    for (int k = 0; k < 4 && i - 64 * k >= 0; k++) want += p[i - 64 * k];
    bad += q[i] != want;
  }
  shared_then_stride<<<1, 64>>>(p, n, q);
  cudaDeviceSynchronize();
  for (int i = 0; i < n; i++) {
    int want = -1;
    for (int k = (i + 1) % 64; k < n; k += 64) want = p[k] > want ? p[k] : want;
    bad += q[i] != want;
  }
  printf("%d wrong\n%s\n", bad, bad ? "FAILED" : "PASSED");
  cudaFree(p); cudaFree(q); cudaFree(s);
  return bad != 0;
}
