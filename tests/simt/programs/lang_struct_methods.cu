// Device classes: views by value with methods, operators, member templates, inheritance, a kernel that returns through them.
// expect: pass
#include <cassert>
#include <cstddef>
#include <cstdio>
#include <initializer_list>
#include <utility>

template <class T> class View {
  T *data_;
  std::size_t size_;

public:
  __host__ __device__ View(T *d, std::size_t n) : data_(d), size_(n) {}
  __host__ __device__ T &operator[](std::size_t i) const {
    assert(i < size_);
    return data_[i];
  }
  __host__ __device__ std::size_t size() const { return size_; }
  __host__ __device__ T *begin() const { return data_; }
  __host__ __device__ T *end() const { return data_ + size_; }
  template <class F> __device__ void for_each(F f) const {
    for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < size_;
         i += blockDim.x * gridDim.x)
      f(data_[i]);
  }
  __device__ static int global_id() { return blockIdx.x * blockDim.x + threadIdx.x; }
};

struct Base {
  int bias;
};
struct Affine : Base {
  int factor;
  __host__ __device__ Affine(int b, int f) : Base{b}, factor(f) {}
  __host__ __device__ int operator()(int v) const { return factor * v + bias; }
  __host__ __device__ explicit operator bool() const { return factor != 0; }
};

struct AddOne {
  __device__ void operator()(int &v) const { v += 1; }
};

template <class T, class F> __global__ void map(View<T> v, F f) {
  for (auto i = View<T>::global_id(); i < (int)v.size(); i += gridDim.x * blockDim.x)
    if (f) v[i] = f(v[i]);
}
template <class T> __global__ void each(const View<T> v) { v.for_each(AddOne{}); }
template <class T> __global__ void total(View<T> v, T *out) {
  T s{};
  for (const auto &x : v) s += x;
  *out = s;
}

template <class T> struct Array {
  View<T> view;
  Array(std::initializer_list<T> l) : view(nullptr, l.size()) {
    T *p;
    cudaMallocManaged(&p, l.size() * sizeof(T));
    std::size_t i = 0;
    for (const T &v : l) p[i++] = v;
    view = View<T>(p, l.size());
  }
  ~Array() { cudaFree(view.begin()); }
  operator View<T>() const { return view; }
};

int main() {
  Array<int> a{5, 3, 8, 1, 9, 2, 7};
  map<<<1, 4>>>(a.view, Affine(1, 10));
  each<<<2, 2>>>(a.view);
  each<int><<<1, 1>>>(a);
  int *s;
  cudaMallocManaged(&s, sizeof *s);
  total<<<1, 1>>>(a.view, s);
  cudaDeviceSynchronize();
  int bad = *s != 10 * 35 + 3 * 7 || a.view[2] != 83;
  cudaFree(s);
  printf("%s\n", bad ? "FAILED" : "PASSED");
  return bad;
}
