// One-block reduction over any operator with an identity.
#ifndef LIB_REDUCE_HPP
#define LIB_REDUCE_HPP

#include "util.h"
#include <limits>

namespace lib {

template <class T> struct plus {
  typedef T value_type;
  static T identity() { return T(0); }
  __device__ T operator()(T a, T b) const { return a + b; }
};
template <class T> struct maximum {
  typedef T value_type;
  static T identity() { return std::numeric_limits<T>::lowest(); }
  __device__ T operator()(T a, T b) const { return a < b ? b : a; }
};

namespace detail {
template <class T, class Op>
__global__ void reduce_kernel(const T *in, int n, T *out, Op op, T start) {
  __shared__ T s[128];
  T v = start;
  for (int i = threadIdx.x; i < n; i += 128) v = op(v, in[i]);
  s[threadIdx.x] = v;
  __syncthreads();
  for (int k = 64; k > 0; k /= 2) {
    if (threadIdx.x < k) s[threadIdx.x] = op(s[threadIdx.x], s[threadIdx.x + k]);
    __syncthreads();
  }
  if (threadIdx.x == 0) *out = s[0];
}
} // namespace detail

template <class T, class Op> T reduce(const T *in, int n, Op op) {
  T *out, result;
  cudaMalloc(&out, sizeof(T));
  detail::reduce_kernel<<<1, 128>>>(in, n, out, op, Op::identity());
  cudaMemcpy(&result, out, sizeof(T), cudaMemcpyDeviceToHost);
  cudaFree(out);
  return result;
}
template <class Op> typename Op::value_type reduce(const typename Op::value_type *in, int n) {
  return reduce(in, n, Op());
}

} // namespace lib
#endif
