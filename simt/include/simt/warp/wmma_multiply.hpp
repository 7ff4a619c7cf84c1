// D = A * B + C of one warp's fragments.
//
// Method   the last lane to come multiplies the whole matrices. Products of half, bfloat16 and
//          tf32 are exact in float; every element of D is C's plus the products for
//          k = 0, 1, ..., each sum rounded to float (double for double). A GPU adds in another,
//          unpublished order. Integers are exact, modulo 2^32 or saturated
// Source   CUDA C++ Programming Guide, Warp Matrix Functions
#ifndef SIMT_WMMA_MULTIPLY_HPP
#define SIMT_WMMA_MULTIPLY_HPP

#include "wmma_fragment.hpp"

namespace nvcuda {
namespace wmma {
namespace details {

// ---- From what a fragment keeps to what is multiplied, and back -------------------------------

template <class T> struct arithmetic { // half, bfloat16, float
  typedef float type;
  static SIMT_QUIET float widen(T v) { return float(v); }
};
template <> struct arithmetic<precision::tf32> {
  typedef float type;
  // The multiplier does not look at the 13 lowest bits.
  static SIMT_QUIET float widen(float v) {
    unsigned bits;
    __builtin_memcpy(&bits, &v, sizeof bits);
    bits &= 0xffffe000u;
    __builtin_memcpy(&v, &bits, sizeof v);
    return v;
  }
};
template <> struct arithmetic<double> {
  typedef double type;
  static SIMT_QUIET double widen(double v) { return v; }
};
template <> struct arithmetic<signed char> {
  typedef int type;
  static SIMT_QUIET int widen(int v) { return v; }
};
template <> struct arithmetic<unsigned char> : arithmetic<signed char> {};
template <> struct arithmetic<int> : arithmetic<signed char> {};

// The matrix of a fragment, from all lanes; elements of lanes that are not there are 0.
template <class Fragment, class V>
inline SIMT_QUIET void gather(const Fragment *const fragments[32], V *matrix) {
  enum { n = Fragment::num_elements };
  for (unsigned lane = 0; lane < 32; lane++)
    for (unsigned i = 0; i < n; i++)
      matrix[lane * n + i] =
          fragments[lane]
              ? arithmetic<typename Fragment::element_type>::widen(fragments[lane]->x[i])
              : V(0);
}

inline SIMT_QUIET int plus(int a, int b) { return int(unsigned(a) + unsigned(b)); }
inline SIMT_QUIET float plus(float a, float b) { return a + b; }
inline SIMT_QUIET double plus(double a, double b) { return a + b; }
inline SIMT_QUIET int saturated(long long v) {
  return v > 2147483647 ? 2147483647 : v < -2147483647 - 1 ? -2147483647 - 1 : int(v);
}

// d holds C at first. Row by row of B, so that the inner loop is a vector's.
template <int M, int N, int K, class V>
inline SIMT_QUIET void multiply(const V *a, const V *b, V *d) {
  for (int i = 0; i < M; i++)
    for (int k = 0; k < K; k++) {
      const V left = a[i * K + k];
      for (int j = 0; j < N; j++) d[i * N + j] = plus(d[i * N + j], left * b[k * N + j]);
    }
}

template <int M, int N, int K>
inline SIMT_QUIET void multiply_saturated(const int *a, const int *b, int *d) {
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++) {
      long long sum = d[i * N + j];
      for (int k = 0; k < K; k++) sum += a[i * K + k] * b[k * N + j];
      d[i * N + j] = saturated(sum);
    }
}
template <int M, int N, int K, class V>
inline SIMT_QUIET void multiply_saturated(const V *a, const V *b, V *d) {
  multiply<M, N, K>(a, b, d);
}

// ---- All types of a byte and more ---------------------------------------------------------------

template <class D, class A, class B, class C> struct multiply_cell {
  D *d;
  const A *a;
  const B *b;
  const C *c;
  bool saturate;
};

template <int M, int N, int K, class D, class A, class B, class C>
SIMT_QUIET void multiply_lanes(void *const *cells, unsigned lanes) {
  typedef multiply_cell<D, A, B, C> cell;
  typedef typename arithmetic<typename A::element_type>::type value;
  const A *as[32] = {};
  const B *bs[32] = {};
  const C *cs[32] = {};
  for (unsigned m = lanes; m; m &= m - 1) {
    const unsigned lane = unsigned(__builtin_ctz(m));
    const cell &c = *static_cast<const cell *>(cells[lane]);
    as[lane] = c.a, bs[lane] = c.b, cs[lane] = c.c;
  }
  value a[M * K], b[K * N], d[M * N];
  gather(as, a);
  gather(bs, b);
  gather(cs, d);
  if (static_cast<const cell *>(cells[__builtin_ctz(lanes)])->saturate)
    multiply_saturated<M, N, K>(a, b, d);
  else
    multiply<M, N, K>(a, b, d);
  typedef typename D::storage_element_type result;
  for (unsigned m = lanes; m; m &= m - 1) {
    const unsigned lane = unsigned(__builtin_ctz(m));
    D &to = *static_cast<const cell *>(cells[lane])->d;
    for (unsigned i = 0; i < D::num_elements; i++) to.x[i] = result(d[lane * D::num_elements + i]);
  }
}

// ---- 4 bits and 1 bit: 8 x 8, a word of memory at a time ----------------------------------------

inline SIMT_QUIET int dot_word(const experimental::precision::u4 *, unsigned a, unsigned b, int) {
  int sum = 0;
  for (unsigned i = 0; i < 32; i += 4) sum += int((a >> i & 15) * (b >> i & 15));
  return sum;
}
inline SIMT_QUIET int dot_word(const experimental::precision::s4 *, unsigned a, unsigned b, int) {
  int sum = 0;
  for (unsigned i = 0; i < 32; i += 4)
    sum += (int(a << (28 - i)) >> 28) * (int(b << (28 - i)) >> 28);
  return sum;
}
inline SIMT_QUIET int dot_word(const experimental::precision::b1 *, unsigned a, unsigned b,
                               int op) {
  return __builtin_popcount(op == experimental::bmmaBitOpAND ? a & b : a ^ b);
}

template <class D, class A, class B, class C> struct narrow_cell {
  multiply_cell<D, A, B, C> m;
  int op;
};

// Lane i of A and of B holds word i % 4 of row or column i / 4; of C and D it holds elements
// 2i and 2i + 1 of the row-major 8 x 8 matrix.
template <class D, class A, class B, class C>
SIMT_QUIET void multiply_words(void *const *cells, unsigned lanes) {
  typedef narrow_cell<D, A, B, C> cell;
  unsigned a[32] = {}, b[32] = {};
  for (unsigned m = lanes; m; m &= m - 1) {
    const unsigned lane = unsigned(__builtin_ctz(m));
    a[lane] = unsigned(static_cast<const cell *>(cells[lane])->m.a->x[0]);
    b[lane] = unsigned(static_cast<const cell *>(cells[lane])->m.b->x[0]);
  }
  for (unsigned m = lanes; m; m &= m - 1) {
    const unsigned lane = unsigned(__builtin_ctz(m));
    const cell &c = *static_cast<const cell *>(cells[lane]);
    for (unsigned i = 0; i < 2; i++) {
      const unsigned row = (2 * lane + i) / 8, column = (2 * lane + i) % 8;
      long long sum = c.m.c->x[i];
      for (unsigned w = 0; w < 4; w++)
        sum += dot_word(static_cast<const typename A::element_type *>(nullptr), a[row * 4 + w],
                        b[column * 4 + w], c.op);
      c.m.d->x[i] = c.m.saturate ? saturated(sum) : int(sum);
    }
  }
}

template <bool Narrow> struct multiplier {
  template <int M, int N, int K, class D, class A, class B, class C>
  static SIMT_QUIET void run(const multiply_cell<D, A, B, C> &m, simt::location at) {
    multiply_cell<D, A, B, C> cell = m;
    simt_collective(~0u, multiply_lanes<M, N, K, D, A, B, C>, &cell, "wmma::mma_sync", at.file,
                    at.line);
  }
};
template <> struct multiplier<true> {
  template <int M, int N, int K, class D, class A, class B, class C>
  static SIMT_QUIET void run(const multiply_cell<D, A, B, C> &m, simt::location at) {
    narrow_cell<D, A, B, C> cell = {m, 0};
    simt_collective(~0u, multiply_words<D, A, B, C>, &cell, "wmma::mma_sync", at.file, at.line);
  }
};

} // namespace details
} // namespace wmma
} // namespace nvcuda
#endif
