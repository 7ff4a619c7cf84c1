// Segmented scan with flags, stream compaction and run-length encoding, templates over the predicate.
// expect: pass
#include <algorithm>
#include <cstdio>
#include <functional>
#include <iterator>
#include <numeric>
#include <utility>
#include <vector>

template <class T> struct IsEven {
  __host__ __device__ bool operator()(const T &v) const { return v % 2 == 0; }
};
struct InRange {
  int lo, hi;
  __host__ __device__ bool operator()(int v) const { return lo <= v && v < hi; }
};

template <int BLOCK> __device__ int block_exclusive(int v, int &total) {
  __shared__ int s[BLOCK];
  const int t = threadIdx.x;
  s[t] = v;
  __syncthreads();
#pragma unroll
  for (int d = 1; d < BLOCK; d *= 2) {
    const int add = t >= d ? s[t - d] : 0;
    __syncthreads();
    s[t] += add;
    __syncthreads();
  }
  total = s[BLOCK - 1];
  const int r = s[t] - v;
  __syncthreads();
  return r;
}

template <int BLOCK, class Pred>
__global__ void compact(const int *in, int n, int *out, int *count, Pred pred) {
  int written = 0;
  for (int base = 0; base < n; base += BLOCK) {
    const int i = base + threadIdx.x;
    const bool keep = i < n && pred(in[i]);
    int total;
    const int at = block_exclusive<BLOCK>(keep ? 1 : 0, total);
    if (keep) out[written + at] = in[i];
    written += total;
  }
  if (threadIdx.x == 0) *count = written;
}

template <int BLOCK>
__global__ void segmented(const int *in, const unsigned char *head, int n, int *out) {
  __shared__ int s[BLOCK];
  __shared__ unsigned char f[BLOCK];
  __shared__ int carry;
  if (!threadIdx.x) carry = 0;
  for (int base = 0; base < n; base += BLOCK) {
    const int t = threadIdx.x, i = base + t;
    s[t] = i < n ? in[i] : 0;
    f[t] = i < n ? head[i] : 1;
    __syncthreads();
    if (t == 0 && !f[0]) s[0] += carry;
    __syncthreads();
    for (int d = 1; d < BLOCK; d <<= 1) {
      int v = s[t], g = f[t];
      if (t >= d) {
        if (!g) v += s[t - d];
        g |= f[t - d];
      }
      __syncthreads();
      s[t] = v;
      f[t] = g;
      __syncthreads();
    }
    if (i < n) out[i] = s[t];
    if (t == BLOCK - 1) carry = s[t];
    __syncthreads();
  }
}

int main() {
  const int n = 3001;
  std::vector<int> h(n), got(n), want;
  std::vector<unsigned char> heads(n);
  for (int i = 0; i < n; ++i) {
    h[i] = (i * i + 3 * i) % 101;
    heads[i] = i == 0 || (i * 31) % 17 == 0;
  }
  int *in, *out, *count, c = 0;
  unsigned char *flags;
  cudaMalloc(&in, n * 4), cudaMalloc(&out, n * 4), cudaMalloc(&count, 4), cudaMalloc(&flags, n);
  cudaMemcpy(in, h.data(), n * 4, cudaMemcpyHostToDevice);
  cudaMemcpy(flags, heads.data(), n, cudaMemcpyHostToDevice);
  int bad = 0;
  auto check = [&](std::function<bool(int)> pred) {
    want.clear();
    std::copy_if(h.begin(), h.end(), std::back_inserter(want), pred);
    cudaMemcpy(&c, count, 4, cudaMemcpyDeviceToHost);
    cudaMemcpy(got.data(), out, c * 4, cudaMemcpyDeviceToHost);
    if (c != (int)want.size() || !std::equal(want.begin(), want.end(), got.begin())) ++bad;
    printf("%d kept\n", c);
  };
  compact<128><<<1, 128>>>(in, n, out, count, IsEven<int>());
  check(IsEven<int>{});
  compact<64, InRange><<<1, 64>>>(in, n, out, count, InRange{10, 60});
  check(InRange{10, 60});
  segmented<256><<<1, 256>>>(in, flags, n, out);
  cudaMemcpy(got.data(), out, n * 4, cudaMemcpyDeviceToHost);
  for (int i = 0, run = 0; i < n; ++i) {
    run = heads[i] ? h[i] : run + h[i];
    bad += got[i] != run;
  }
  puts(bad ? "FAILED" : "PASSED");
  cudaFree(in); cudaFree(out); cudaFree(count); cudaFree(flags);
  return bad ? 1 : 0;
}
