// Coordinates read out of sight: constructors, default arguments, member initialisers, static members, functors, pointers, virtual calls.
// expect: pass
// flags: -std=c++17
#include <cstdio>

__device__ int tid() { return threadIdx.x; }
__device__ int gid(int offset = blockIdx.x * blockDim.x) { return offset + tid(); }
struct Id {
  int value = threadIdx.x + 0;
  int block;
  __device__ Id() : block(blockIdx.x) {}
  __device__ operator int() const { return block * (int)blockDim.x + value; }
};
struct Statics {
  __device__ static int id() { return blockIdx.x * blockDim.x + threadIdx.x; }
  template <int D> __device__ static int scaled() { return id() * D; }
};
struct Functor {
  __device__ int operator()() const { return Statics::id(); }
};
struct Base {
  __device__ virtual int id() const { return -1; }
};
struct Derived : Base {
  __device__ int id() const override { return gid(); }
};
typedef int (*Fn)();
__device__ Fn pointer = [] { return (int)(blockIdx.x * blockDim.x + threadIdx.x); };
template <class F> __device__ int apply(F f) { return f(); }
template <class... A> __device__ int sum(A... a) { return (a + ... + 0); }
class Iterator {
  int i, n, step;

public:
  __device__ explicit Iterator(int n) : i(gid()), n(n), step(gridDim.x * blockDim.x) {}
  __device__ bool operator!=(int) const { return i < n; }
  __device__ void operator++() { i += step; }
  __device__ int operator*() const { return i; }
};
struct Range {
  int n;
  __device__ Iterator begin() const { return Iterator(n); }
  __device__ int end() const { return 0; }
};
extern __device__ int from_below();

#define TEST(name, expression)                            \
  __global__ void name(int *out) {                        \
    const int at = blockIdx.x * blockDim.x + threadIdx.x; \
    out[at] = (expression);                               \
  }
TEST(t0, gid())
TEST(t1, Id())
TEST(t2, Statics::id())
TEST(t3, Statics::scaled<2>() - Statics::id())
TEST(t4, Functor()())
TEST(t5, ([] { return gid(); })())
TEST(t6, pointer())
TEST(t7, apply(Functor{}))
TEST(t8, sum(tid(), (int)(blockIdx.x *blockDim.x)))
TEST(t9, apply([] { return from_below(); }))
__global__ void t10(int *out) {
  Derived d;
  const Base &b = d;
  out[b.id()] = b.id();
}
__global__ void t11(int *out) {
  for (int i : Range{100}) out[i] = i;
}
__global__ void t12(int *out) {
  struct Local {
    __device__ int get() { return gid(); }
  };
  out[Local().get()] = Local().get();
}
// Only functions that are called know where they are.
__device__ void store(int *out) { out[Statics::id()] = Statics::id(); }
__global__ void t13(int *out) { store(out); }
__device__ int from_below() { return Id(); }

int main() {
  void (*tests[])(int *) = {t0, t1, t2, t3, t4, t5, t6, t7, t8, t9, t10, t11, t12, t13};
  int *out, bad = 0, number = 0;
  cudaMallocManaged(&out, 128 * sizeof(int));
  for (auto t : tests) {
    for (int i = 0; i < 128; i++) out[i] = -9;
    t<<<5, 20>>>(out);
    cudaDeviceSynchronize();
    int wrong = 0;
    for (int i = 0; i < 100; i++) wrong += out[i] != i;
    if (wrong) printf("t%d: %d wrong\n", number, wrong);
    bad += wrong;
    ++number;
  }
  puts(bad ? "FAILED" : "PASSED");
  cudaFree(out);
  return bad;
}
