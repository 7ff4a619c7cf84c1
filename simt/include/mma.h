// Warp matrix multiply-accumulate: nvcuda::wmma.
//
// Result   fragment, load_matrix_sync, store_matrix_sync, fill_fragment, mma_sync, bmma_sync
// Method   simt/warp/wmma_fragment.hpp, simt/warp/wmma_multiply.hpp. Who must arrive: all lanes of
//          the warp; the functions also order the warp's memory accesses
// Limits   half, bfloat16, tf32, double, 8-bit, 4-bit and 1-bit integers in CUDA's shapes;
//          combinations of types that CUDA does not have are not refused
// Source   CUDA C++ Programming Guide, Warp Matrix Functions
#ifndef SIMT_MMA_H
#define SIMT_MMA_H
#include "simt/names_begin.inc"

#include "simt/warp/wmma_multiply.hpp"

namespace nvcuda {
namespace wmma {

template <class Use, int M, int N, int K, class T, class Layout, class P>
SIMT_SEEN void load_matrix_sync(fragment<Use, M, N, K, T, Layout> &f, const P *p, unsigned pitch,
                                simt::location at = SIMT_HERE) {
  details::load(f, p, pitch, details::is_by_columns<Layout>::value, at);
}
template <int M, int N, int K, class T>
SIMT_SEEN void load_matrix_sync(fragment<accumulator, M, N, K, T> &f, const T *p, unsigned pitch,
                                layout_t layout, simt::location at = SIMT_HERE) {
  details::load(f, p, pitch, layout == mem_col_major, at);
}

template <int M, int N, int K, class T>
SIMT_SEEN void store_matrix_sync(T *p, const fragment<accumulator, M, N, K, T> &f, unsigned pitch,
                                 layout_t layout, simt::location at = SIMT_HERE) {
  typedef fragment<accumulator, M, N, K, T> kind;
  details::fragment_cell<kind> cell = {const_cast<kind *>(&f), p, pitch, layout == mem_col_major};
  details::notify_stores(cell);
  simt_collective(~0u, details::store_lanes<kind>, &cell, "wmma::store_matrix_sync", at.file,
                  at.line);
}

template <class Use, int M, int N, int K, class T, class Layout, class V>
inline SIMT_QUIET void fill_fragment(fragment<Use, M, N, K, T, Layout> &f, const V &value) {
  typedef typename fragment<Use, M, N, K, T, Layout>::storage_element_type element;
  for (auto &x : f.x) x = element(value);
}

template <int M, int N, int K, class A, class B, class LayoutA, class LayoutB, class D, class C>
inline SIMT_QUIET void mma_sync(fragment<accumulator, M, N, K, D> &d,
                                const fragment<matrix_a, M, N, K, A, LayoutA> &a,
                                const fragment<matrix_b, M, N, K, B, LayoutB> &b,
                                const fragment<accumulator, M, N, K, C> &c, bool saturate = false,
                                simt::location at = SIMT_HERE) {
  typedef fragment<matrix_a, M, N, K, A, LayoutA> left;
  typedef fragment<matrix_b, M, N, K, B, LayoutB> right;
  typedef fragment<accumulator, M, N, K, D> to;
  typedef fragment<accumulator, M, N, K, C> from;
  const details::multiply_cell<to, left, right, from> cell = {&d, &a, &b, &c, saturate};
  const bool narrow = details::kept<A>::per_element > 1;
  details::multiplier<narrow>::template run<M, N, K>(cell, at);
}

template <class LayoutA, class LayoutB>
inline SIMT_QUIET void
bmma_sync(fragment<accumulator, 8, 8, 128, int> &d,
          const fragment<matrix_a, 8, 8, 128, experimental::precision::b1, LayoutA> &a,
          const fragment<matrix_b, 8, 8, 128, experimental::precision::b1, LayoutB> &b,
          const fragment<accumulator, 8, 8, 128, int> &c,
          experimental::bmmaBitOp op = experimental::bmmaBitOpXOR,
          experimental::bmmaAccumulateOp = experimental::bmmaAccumulateOpPOPC,
          simt::location at = SIMT_HERE) {
  typedef fragment<matrix_a, 8, 8, 128, experimental::precision::b1, LayoutA> left;
  typedef fragment<matrix_b, 8, 8, 128, experimental::precision::b1, LayoutB> right;
  typedef fragment<accumulator, 8, 8, 128, int> sums;
  details::narrow_cell<sums, left, right, sums> cell = {{&d, &a, &b, &c, false}, op};
  simt_collective(~0u, details::multiply_words<sums, left, right, sums>, &cell, "wmma::bmma_sync",
                  at.file, at.line);
}

// Rounded to 10 bits of fraction, ties away from zero, as cvt.rna.tf32.f32 does.
inline SIMT_QUIET float __float_to_tf32(float v) {
  unsigned bits;
  __builtin_memcpy(&bits, &v, sizeof bits);
  if ((bits & 0x7f800000u) != 0x7f800000u) bits = (bits + 0x1000u) & 0xffffe000u;
  __builtin_memcpy(&v, &bits, sizeof v);
  return v;
}

namespace experimental {
using wmma::bmma_sync;
using wmma::load_matrix_sync;
using wmma::mma_sync;
using wmma::store_matrix_sync;
} // namespace experimental

} // namespace wmma
} // namespace nvcuda
#include "simt/names_end.inc"
#endif
