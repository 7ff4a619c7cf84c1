// Launch expressions: dependent names, pointers in arrays and members, template parameters, lambdas, initialiser lists.
// expect: pass
// flags: -std=c++17
#include <cstdio>
#include <functional>
#include <memory>
#include <utility>

struct Pair {
  int a, b;
};
struct Options {
  int n = 1;
  dim3 grid{2}, block{3, 2};
  size_t bytes() const { return 64; }
  cudaStream_t stream() const { return nullptr; }
};

__global__ void add(int *p, int v) { atomicAdd(p, v); }
__global__ void add_pair(int *p, Pair v) { atomicAdd(p, v.a + v.b); }
template <class T, int N = 1> __global__ void addt(T *p, T v) { atomicAdd(p, v * N); }
template <class T> __global__ void two(T *p, Pair a, const T *q) { atomicAdd(p, a.a * *q); }

namespace deep {
namespace er {
template <class T> struct Launcher {
  template <int N> static void run(T *p) { addt<T, N><<<1, 1>>>(p, T(1)); }
  void operator()(T *p) const { ::addt<T><<<dim3(1), dim3(1)>>>(p, 2); }
  void (*member)(T *, T) = addt<T, 3>;
};
} // namespace er
} // namespace deep

template <void (*K)(int *, int)> void by_value_parameter(int *p, int v) { K<<<1, 1>>>(p, v); }
template <auto K, class... A> void by_auto(A... a) { K<<<1, 1>>>(a...); }
template <class F, class... A> auto forwarded(F &&f, A &&...a) {
  return f<<<1, 1>>>(std::forward<A>(a)...);
}

static dim3 grid_for(int n) { return dim3((n + 31) / 32); }
template <class T> constexpr int threads_for() { return sizeof(T); }

class Runner {
  int *p_;
  void (*kernel_)(int *, int);

public:
  Runner(int *p) : p_(p), kernel_(add) {}
  void go() const {
    kernel_<<<1, 1>>>(p_, 1);
    this->kernel_<<<1, 1>>>(p_, 1);
    (*kernel_)<<<1, 1>>>(p_, 1);
  }
};

static int check(int *p, int want, int line) {
  int h;
  cudaMemcpy(&h, p, sizeof h, cudaMemcpyDeviceToHost);
  cudaMemset(p, 0, sizeof(int));
  if (h != want) printf("line %d: %d, not %d\n", line, h, want);
  return h != want;
}
#define CHECK(want) bad += check(p, want, __LINE__)

int main() {
  int *p, bad = 0;
  cudaMalloc(&p, sizeof(int));
  cudaMemset(p, 0, sizeof(int));
  Options o;
  add<<<o.grid, o.block, o.bytes(), o.stream()>>>(p, 1);
  CHECK(12);
  deep::er::Launcher<int>::run<5>(p);
  deep::er::Launcher<int>()(p);
  deep::er::Launcher<int> l;
  l.member<<<1, 1>>>(p, 1);
  CHECK(10);
  by_value_parameter<add>(p, 4);
  by_auto<add>(p, 5);
  forwarded(add, p, 6);
  CHECK(15);
  void (*table[])(int *, int) = {add, addt<int>, addt<int, 2>};
  for (auto *k : table) k<<<1, 1>>>(p, 3);
  table[2]<<<1, 1>>>(p, 1);
  CHECK(14);
  Runner(p).go();
  CHECK(3);
  add_pair<<<1, 1>>>(p, {3, 4});
  add_pair<<<1, 1>>>(p, Pair{1, 2});
  CHECK(10);
  auto fn = [&](int v) { add<<<1, 1>>>(p, v); };
  fn(2);
  std::function<void()> later = [p] { addt<int, 4><<<grid_for(1), threads_for<int>()>>>(p, 1); };
  later();
  CHECK(18);
  auto kernel = add;
  kernel<<<1, [] { return 3; }()>>>(p, [](int v) { return v * 2; }(5));
  CHECK(30);
  const auto &ref = addt<int, 7>;
  ref<<<1, 1>>>(p, 1);
  CHECK(7);
  if (bad == 0)
    add<<<1, 1>>>(p, 1);
  else
    add<<<1, 1>>>(p, 100);
  bad ? (void)0 : add<<<1, 1>>>(p, 1);
  bad || (add<<<1, 1>>>(p, 1), true);
  CHECK(3);
  std::unique_ptr<Pair> u(new Pair{1, 6});
  add<<<u->a, u->b>>>(p, (*u).a);
  add<<<1, 1>>>(p, u ? u->b : 0);
  CHECK(12);
  static_cast<void (*)(int *, int)>(addt<int>)<<<1, 1>>>(p, 9);
  CHECK(9);
  int one = 1, *q;
  cudaMalloc(&q, sizeof(int));
  cudaMemcpy(q, &one, sizeof one, cudaMemcpyHostToDevice);
  two<<<1, 1>>>(p, {5, 0}, q);
  two<int><<<1, 1>>>(p, {6}, (const int *)q);
  CHECK(11);
  puts(bad ? "FAILED" : "PASSED");
  cudaFree(p); cudaFree(q);
  return bad;
}
