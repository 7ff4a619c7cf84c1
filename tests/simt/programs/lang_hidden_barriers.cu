// Barriers, shuffles and votes that a reader does not see in the kernel: functors, lambdas, virtual calls, pointers, constructors, macros.
// expect: pass
// flags: -std=c++17 --extended-lambda
#include <cstdio>

#define SYNC __syncthreads()
#define EXCHANGE(v)                      \
  {                                      \
    s[threadIdx.x] = v;                  \
    SYNC;                                \
    v = s[blockDim.x - 1 - threadIdx.x]; \
    SYNC;                                \
  }

template <class T> struct Reverse {
  T *s;
  __device__ T operator()(T v) const {
    s[threadIdx.x] = v;
    __syncthreads();
    T r = s[blockDim.x - 1 - threadIdx.x];
    __syncthreads();
    return r;
  }
};
struct Guard {
  __device__ Guard() { __syncthreads(); }
  __device__ ~Guard() { __syncthreads(); }
};
struct Base {
  int *s;
  __device__ Base(int *p) : s(p) {}
  __device__ virtual int run(int v) = 0;
};
struct Derived : Base {
  __device__ Derived(int *p) : Base(p) {}
  __device__ int run(int v) override { return Reverse<int>{s}(v); }
};
struct Sum {
  __device__ friend int operator+(Sum, int v) {
    for (int d = 16; d; d >>= 1) v += __shfl_xor_sync(0xffffffff, v, d);
    return v;
  }
};
template <class D> struct Crtp {
  __device__ int go(int v) { return static_cast<D *>(this)->inner(v); }
};
struct Leaf : Crtp<Leaf> {
  int *s;
  __device__ int inner(int v) {
    EXCHANGE(v);
    return v;
  }
};
typedef int (*Fn)(int *, int);
__device__ int by_function(int *s, int v) {
  EXCHANGE(v);
  return v;
}
__device__ int level1(int *s, int v, int depth) {
  return depth ? level1(s, v, depth - 1) : by_function(s, v);
}
__device__ Fn table[2] = {by_function, by_function};
template <Fn F> __device__ int through(int *s, int v) { return F(s, v); }
__device__ int any_of(bool p) { return __any_sync(0xffffffff, p); }

template <class F> __global__ void call(int *out, F f) {
  __shared__ int s[64];
  out[threadIdx.x] = f(s, (int)threadIdx.x);
}
__global__ void functor(int *out) {
  __shared__ int s[64];
  Reverse<int> r{s};
  out[threadIdx.x] = r(threadIdx.x);
}
__global__ void guard(int *out) {
  __shared__ int s[64];
  s[threadIdx.x] = threadIdx.x;
  {
    Guard g;
    out[threadIdx.x] = s[63 - threadIdx.x];
  }
  s[threadIdx.x] = -1;
}
__global__ void virtual_call(int *out) {
  __shared__ int s[64];
  Derived d(s);
  Base *b = &d;
  out[threadIdx.x] = b->run(threadIdx.x);
}
__global__ void operators(int *out) {
  out[threadIdx.x] = Sum() + 1 + (any_of(threadIdx.x == 3) ? 0 : 0);
}
__global__ void crtp(int *out) {
  __shared__ int s[64];
  Leaf l;
  l.s = s;
  out[threadIdx.x] = l.go(threadIdx.x);
}
__global__ void pointer(int *out) {
  __shared__ int s[64];
  out[threadIdx.x] = table[blockIdx.x](s, threadIdx.x);
}
__global__ void pointer_parameter(int *out, Fn f) {
  __shared__ int s[64];
  out[threadIdx.x] = f(s, threadIdx.x);
}
__global__ void deep(int *out) {
  __shared__ int s[64];
  out[threadIdx.x] = level1(s, threadIdx.x, 3) + through<by_function>(s, 0);
}
__global__ void local_lambda(int *out) {
  __shared__ int s[64];
  auto put = [&](int v) { s[threadIdx.x] = v; };
  auto wait = [] { __syncthreads(); };
  put(threadIdx.x);
  wait();
  out[threadIdx.x] = s[63 - threadIdx.x];
}

static int bad = 0, *out;
static void check(const char *what, bool sum = false) {
  if (cudaDeviceSynchronize() != cudaSuccess) ++bad;
  int wrong = 0;
  for (int t = 0; t < 64; t++) {
    wrong += out[t] != (sum ? 32 + (t < 32 ? 0 : 0) : 63 - t);
    out[t] = -5;
  }
  if (wrong) printf("%s: %d wrong\n", what, wrong);
  bad += wrong;
}

int main() {
  cudaMallocManaged(&out, 64 * sizeof(int));
  functor<<<1, 64>>>(out), check("functor");
  guard<<<1, 64>>>(out), check("guard");
  virtual_call<<<1, 64>>>(out), check("virtual");
  operators<<<1, 64>>>(out), check("operators", true);
  crtp<<<1, 64>>>(out), check("crtp");
  pointer<<<1, 64>>>(out), check("pointer");
  Fn f;
  cudaMemcpyFromSymbol(&f, table, sizeof f);
  pointer_parameter<<<1, 64>>>(out, f), check("pointer parameter");
  deep<<<1, 64>>>(out), check("deep");
  local_lambda<<<1, 64>>>(out), check("local lambda");
  call<<<1, 64>>>(out, [] __device__(int *s, int v) {
    s[threadIdx.x] = v;
    __syncthreads();
    return s[63 - threadIdx.x];
  });
  check("lambda parameter");
  puts(bad ? "FAILED" : "PASSED");
  cudaFree(out);
  return bad;
}
