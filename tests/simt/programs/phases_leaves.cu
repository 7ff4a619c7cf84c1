// expect: pass
// What g++ must take, too, of kernels of phases: blocks that leave early, while objects are carried from phase
// to phase; types, constants and pointers that helpers and regions have to do with.
#include <cstdio>

struct Pair {
  int a, b;
  Pair() = default;
  __device__ Pair(int x, int y) : a(x), b(y) {}
};
template <class T> struct Three {
  T v[3];
};
struct Noisy {
  int a;
  __device__ Noisy(int x) : a(x) {}
  __device__ ~Noisy() { a = -1; }
};

template <class T> __device__ T block_sum(T v) {
  __shared__ T s[64];
  s[threadIdx.x] = v;
  __syncthreads();
  for (int o = 32; o > 0; o /= 2) {
    if (threadIdx.x < o) s[threadIdx.x] += s[threadIdx.x + o];
    __syncthreads();
  }
  T r = s[0];
  __syncthreads();
  return r;
}
__device__ int twice_read(int *q, int k) {
  int a = *q;
  __syncthreads();
  int b = *q * k;
  __syncthreads();
  return a + b;
}
__device__ int warp_sum(int v) {
  for (int o = 16; o; o /= 2) v += __shfl_xor_sync(~0u, v, o);
  return v;
}

__global__ void early(int *out, int n) {
  const int i = threadIdx.x;
  Pair p(i, n);
  __shared__ int s[64];
  if (blockIdx.x > 1) return;
  s[i] = p.a * 3;
  __syncthreads();
  p.b += s[63 - i];
  __syncthreads();
  out[blockIdx.x * 64 + i] = p.a + p.b + warp_sum(i);
}

__global__ void behind(int *out, int n) {
  const int i = threadIdx.x;
  if (n > 100) return;
  typedef Three<int> V;
  V v = {{i, n, 3}};
  __syncthreads();
  v.v[0] += block_sum(v.v[1]);
  __syncthreads();
  out[blockIdx.x * 64 + i] = v.v[0] + v.v[2];
}

__global__ void inner(int *out, int n) {
  const int i = threadIdx.x;
  if (n > 0) {
    const int N = 3;
    Three<int> v = {{i, N, n}};
    __syncthreads();
    out[blockIdx.x * 64 + i] = v.v[0] + block_sum(v.v[1] + N);
    __syncthreads();
  }
}

__global__ void noisy(int *out, int n) {
  const int i = threadIdx.x;
  Noisy x(i + n);
  __syncthreads();
  out[blockIdx.x * 64 + i] = x.a;
}

__global__ void own(int *out, int n) {
  const int i = threadIdx.x;
  int x = i + n;
  out[blockIdx.x * 64 + i] = twice_read(&x, 3) + x;
}

__global__ void kept(int *out, int n) {
  const int i = threadIdx.x;
  int x[2] = {i, n};
  int *q = x;
  out[blockIdx.x * 64 + i] = twice_read(q, 3);
}

__global__ void global(int *out, int n) {
  const int i = threadIdx.x;
  out[blockIdx.x * 64 + i] = i + n;
  out[blockIdx.x * 64 + i] = twice_read(out + blockIdx.x * 64 + i, 3);
}

template <int K> __global__ void lanes(int *out, int n) {
  enum { W = 32 };
  const int i = threadIdx.x;
  if (i >= n) return;
  Pair p(i, K);
  p.a += __shfl_down_sync(~0u, p.b + p.a, 3);
  p.b += warp_sum(p.a) + W;
  out[blockIdx.x * 64 + i] = p.a * p.b;
}

// Made of coordinates, beside others in one statement that are not.
__global__ void beside(int *out, int n) {
  const int i = threadIdx.x;
  const unsigned two = 2;
  Three<unsigned> t = {two, 1, unsigned(two)};
  n += __shfl_xor_sync(~0u, n + i, 1);
  int b = __shfl_xor_sync(~0u, n, 2), a = threadIdx.x;
  short c = a / 32, d = 3;
  d++;
  if (a / 32 == 1) n += __shfl_down_sync(~0u, n + b, 4);
  if (c == 1) n += __shfl_down_sync(~0u, n + d, 4);
  for (int k = 0; k < 3; k++) {
    short e = (int)threadIdx.x, f = 2;
    f += 3 + warp_sum(n);
    short g = e, h = f;
    n += g + h;
  }
  out[blockIdx.x * 64 + i] = n + b + t.v[1];
}

template <class F> int differs(const char *name, unsigned want, F launch) {
  int *out, got[256];
  cudaMalloc(&out, sizeof got);
  cudaMemset(out, 0, sizeof got);
  launch(out);
  cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
  cudaFree(out);
  unsigned sum = 7;
  for (int x : got) sum = sum * 1000003 ^ unsigned(x);
  if (sum != want) printf("%s: %08x, not %08x\n", name, sum, want);
  return sum != want;
}

int main() {
  int failures = differs("early", 0xf58e8d07, [](int *p) { early<<<4, 64>>>(p, 5); });
  failures += differs("behind", 0xa2cb7807, [](int *p) { behind<<<4, 64>>>(p, 5); });
  failures += differs("inner", 0x2e3c1507, [](int *p) { inner<<<4, 64>>>(p, 5); });
  failures += differs("noisy", 0xef298407, [](int *p) { noisy<<<4, 64>>>(p, 5); });
  failures += differs("own", 0x79b1cc07, [](int *p) { own<<<4, 64>>>(p, 5); });
  failures += differs("kept", 0x2262d007, [](int *p) { kept<<<4, 64>>>(p, 5); });
  failures += differs("global", 0x3a515807, [](int *p) { global<<<4, 64>>>(p, 5); });
  failures += differs("lanes", 0xfa3697d7, [](int *p) { lanes<2><<<4, 64>>>(p, 45); });
  failures += differs("beside", 0xdc281827, [](int *p) { beside<<<4, 64>>>(p, 5); });
  if (cudaDeviceSynchronize() != cudaSuccess) failures++;
  puts(failures ? "FAILED" : "PASSED");
  return failures;
}
