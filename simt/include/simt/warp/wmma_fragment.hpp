// Fragments of warp matrix multiply-accumulate: what each lane holds.
//
// Result   nvcuda::wmma::fragment, the layouts and the narrow types
// Method   the matrix in row-major order, cut into 32 equal pieces; lane i holds piece i,
//          whatever the layout in memory. Types of less than a byte keep the 32-bit words
//          of memory: word (row, i) of A, (column, i) of B
// Limits   as on a GPU, which element x[i] of a lane is, is nobody's business; fragments of the
//          same kind agree
// Source   CUDA C++ Programming Guide, Warp Matrix Functions
#ifndef SIMT_WMMA_FRAGMENT_HPP
#define SIMT_WMMA_FRAGMENT_HPP

#include "warp_core.hpp"

#include "../../cuda_bf16.h"
#include "../../cuda_fp16.h"

namespace nvcuda {
namespace wmma {

struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
struct col_major;
enum layout_t { mem_row_major, mem_col_major };

namespace precision {
struct tf32;
} // namespace precision

namespace experimental {
namespace precision {
struct u4;
struct s4;
struct b1;
} // namespace precision
enum bmmaBitOp { bmmaBitOpXOR = 1, bmmaBitOpAND = 2 };
enum bmmaAccumulateOp { bmmaAccumulateOpPOPC = 1 };
} // namespace experimental

namespace details {

// How elements are kept, and how many share a kept one.
template <class T> struct kept {
  typedef T type;
  enum { per_element = 1 };
};
template <> struct kept<precision::tf32> {
  typedef float type;
  enum { per_element = 1 };
};
template <> struct kept<experimental::precision::u4> {
  typedef unsigned type;
  enum { per_element = 8 };
};
template <> struct kept<experimental::precision::s4> {
  typedef int type;
  enum { per_element = 8 };
};
template <> struct kept<experimental::precision::b1> {
  typedef unsigned type;
  enum { per_element = 32 };
};

template <class Use, int M, int N, int K> struct extent;
template <int M, int N, int K> struct extent<matrix_a, M, N, K> {
  enum { rows = M, columns = K };
};
template <int M, int N, int K> struct extent<matrix_b, M, N, K> {
  enum { rows = K, columns = N };
};
template <int M, int N, int K> struct extent<accumulator, M, N, K> {
  enum { rows = M, columns = N };
};

} // namespace details

template <class Use, int M, int N, int K, class T, class Layout = void> class fragment {
public:
  typedef T element_type;
  typedef typename details::kept<T>::type storage_element_type;
  enum {
    simt_rows = details::extent<Use, M, N, K>::rows,
    simt_columns = details::extent<Use, M, N, K>::columns,
    num_elements = simt_rows * simt_columns / 32 / details::kept<T>::per_element,
    num_storage_elements = num_elements
  };
  static_assert((M == 16 && N == 16 && (K == 16 || K == 8)) || (M == 32 && N == 8 && K == 16) ||
                    (M == 8 && N == 32 && K == 16) ||
                    (M == 8 && N == 8 && (K == 4 || K == 32 || K == 128)),
                "a shape of CUDA's table of matrix sizes");
  storage_element_type x[num_elements];
};

namespace details {

template <class Fragment> struct fragment_cell {
  Fragment *fragment;
  const void *memory;
  unsigned pitch; // elements from a row (or column) to the next
  bool by_columns;
};

// The place in memory of element i of the row-major matrix.
template <class Fragment>
inline SIMT_QUIET size_t place_of(const fragment_cell<Fragment> &c, unsigned i) {
  const unsigned row = i / Fragment::simt_columns, column = i % Fragment::simt_columns;
  return c.by_columns ? size_t(column) * c.pitch + row : size_t(row) * c.pitch + column;
}

template <class Fragment> SIMT_QUIET void load_lanes(void *const *cells, unsigned lanes) {
  typedef fragment_cell<Fragment> cell;
  typedef typename Fragment::storage_element_type element;
  for (unsigned m = lanes; m; m &= m - 1) {
    const unsigned lane = unsigned(__builtin_ctz(m));
    const cell &c = *static_cast<const cell *>(cells[lane]);
    for (unsigned i = 0; i < Fragment::num_elements; i++)
      c.fragment->x[i] =
          static_cast<const element *>(c.memory)[place_of(c, lane * Fragment::num_elements + i)];
  }
}

template <class Fragment> SIMT_QUIET void store_lanes(void *const *cells, unsigned lanes) {
  typedef fragment_cell<Fragment> cell;
  typedef typename Fragment::storage_element_type element;
  for (unsigned m = lanes; m; m &= m - 1) {
    const unsigned lane = unsigned(__builtin_ctz(m));
    const cell &c = *static_cast<const cell *>(cells[lane]);
    element *const to = static_cast<element *>(const_cast<void *>(c.memory));
    for (unsigned i = 0; i < Fragment::num_elements; i++)
      to[place_of(c, lane * Fragment::num_elements + i)] = c.fragment->x[i];
  }
}

// Narrow types: A by rows or B by columns, four words each.
template <class Fragment>
inline SIMT_QUIET size_t word_of(const fragment_cell<Fragment> &c, unsigned lane) {
  enum { per_word = kept<typename Fragment::element_type>::per_element };
  return size_t(lane / 4) * (c.pitch / per_word) + lane % 4;
}

template <class Fragment> SIMT_QUIET void load_words(void *const *cells, unsigned lanes) {
  typedef fragment_cell<Fragment> cell;
  for (unsigned m = lanes; m; m &= m - 1) {
    const unsigned lane = unsigned(__builtin_ctz(m));
    const cell &c = *static_cast<const cell *>(cells[lane]);
    __builtin_memcpy(c.fragment->x, static_cast<const char *>(c.memory) + 4 * word_of(c, lane), 4);
  }
}

template <bool Narrow> struct loader {
  template <class Fragment> static simt_collective_fn of() { return load_lanes<Fragment>; }
};
template <> struct loader<true> {
  template <class Fragment> static simt_collective_fn of() { return load_words<Fragment>; }
};

// Every lane notifies of the elements that it gets, or gives: what a lane of the hardware accesses
// is not said, what the warp accesses is this.
template <class Fragment>
SIMT_QUIET const void *address_of(const fragment_cell<Fragment> &c, unsigned i) {
  typedef typename Fragment::storage_element_type element;
  const unsigned lane = simt_lane();
  if (kept<typename Fragment::element_type>::per_element == 1)
    return static_cast<const element *>(c.memory) + place_of(c, lane * Fragment::num_elements + i);
  return static_cast<const char *>(c.memory) + 4 * word_of(c, lane);
}

template <class Fragment> SIMT_SEEN void notify_loads(const fragment_cell<Fragment> &c) {
  for (unsigned i = 0; SIMT_INSTRUMENTED && i < Fragment::num_elements; i++)
    simt::notify_read(address_of(c, i), sizeof(typename Fragment::storage_element_type));
}
template <class Fragment> SIMT_SEEN void notify_stores(const fragment_cell<Fragment> &c) {
  for (unsigned i = 0; SIMT_INSTRUMENTED && i < Fragment::num_elements; i++)
    simt::notify_write(const_cast<void *>(address_of(c, i)),
                       sizeof(typename Fragment::storage_element_type));
}

template <class Fragment>
SIMT_SEEN void load(Fragment &f, const void *p, unsigned pitch, bool by_columns,
                    simt::location at) {
  fragment_cell<Fragment> cell = {&f, p, pitch, by_columns};
  const bool narrow = kept<typename Fragment::element_type>::per_element > 1;
  notify_loads(cell);
  simt_collective(~0u, loader<narrow>::template of<Fragment>(), &cell, "wmma::load_matrix_sync",
                  at.file, at.line);
}

template <class Layout> struct is_by_columns;
template <> struct is_by_columns<row_major> {
  enum { value = 0 };
};
template <> struct is_by_columns<col_major> {
  enum { value = 1 };
};

} // namespace details
} // namespace wmma
} // namespace nvcuda
#endif
