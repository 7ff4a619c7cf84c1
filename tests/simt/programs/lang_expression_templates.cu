// Expression templates: vector arithmetic that becomes one kernel; auto return types and perfect forwarding.
// expect: pass
// flags: -std=c++17
#include <cmath>
#include <cstdio>
#include <vector>

template <class E> struct Expr {
  __host__ __device__ const E &self() const { return static_cast<const E &>(*this); }
};
struct Leaf : Expr<Leaf> {
  const double *p;
  __host__ __device__ explicit Leaf(const double *q) : p(q) {}
  __host__ __device__ double operator[](int i) const { return p[i]; }
};
struct Constant : Expr<Constant> {
  double v;
  __host__ __device__ explicit Constant(double x) : v(x) {}
  __host__ __device__ double operator[](int) const { return v; }
};
struct AddOp {
  __host__ __device__ static double apply(double a, double b) { return a + b; }
};
struct MulOp {
  __host__ __device__ static double apply(double a, double b) { return a * b; }
};
template <class Op, class L, class R> struct Binary : Expr<Binary<Op, L, R>> {
  L l;
  R r;
  __host__ __device__ Binary(L a, R b) : l(a), r(b) {}
  __host__ __device__ double operator[](int i) const { return Op::apply(l[i], r[i]); }
};
template <class L, class R> auto operator+(const Expr<L> &l, const Expr<R> &r) {
  return Binary<AddOp, L, R>(l.self(), r.self());
}
template <class L, class R> auto operator*(const Expr<L> &l, const Expr<R> &r) {
  return Binary<MulOp, L, R>(l.self(), r.self());
}
template <class R> auto operator*(double s, const Expr<R> &r) { return Constant(s) * r; }

template <class E> __global__ void evaluate(double *out, int n, E e) {
  for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += gridDim.x * blockDim.x)
    out[i] = e[i];
}

class Vector {
  double *p;
  int n;

public:
  explicit Vector(const std::vector<double> &v) : n((int)v.size()) {
    cudaMalloc(&p, n * sizeof(double));
    cudaMemcpy(p, v.data(), n * sizeof(double), cudaMemcpyHostToDevice);
  }
  ~Vector() { cudaFree(p); }
  Leaf operator*() const { return Leaf(p); }
  template <class E> Vector &operator=(const Expr<E> &e) {
    evaluate<<<(n + 63) / 64, 64>>>(p, n, e.self());
    return *this;
  }
  std::vector<double> host() const {
    std::vector<double> v(n);
    cudaMemcpy(v.data(), p, n * sizeof(double), cudaMemcpyDeviceToHost);
    return v;
  }
};

int main() {
  const int n = 777;
  std::vector<double> x(n), y(n);
  for (int i = 0; i < n; ++i) x[i] = i, y[i] = 1.0 / (i + 1);
  Vector a(x), b(y), c(x);
  c = *a + 3.0 * (*a * *b) + 0.5 * *c;
  auto got = c.host();
  double worst = 0;
  for (int i = 0; i < n; ++i)
    worst = std::fmax(worst, std::fabs(got[i] - (x[i] + 3 * x[i] * y[i] + 0.5 * x[i])));
  std::printf("%g %s\n", worst, worst < 1e-9 ? "PASSED" : "FAILED");
  return worst < 1e-9 ? 0 : 1;
}
