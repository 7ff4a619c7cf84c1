// Folding the values of a group: what reduce.h and scan.h share.
//
// Method   the last thread to come works on all values; totals go over neighbouring pairs, so
//          that the order of ranks is kept and rounding errors grow like log2 of the size
#ifndef SIMT_CG_FOLD_HPP
#define SIMT_CG_FOLD_HPP

#include "../../cooperative_groups.h"

namespace cooperative_groups {

// CUDA's operators: less and greater choose the lesser and the greater value.
template <class T> struct plus {
  SIMT_SMALL T operator()(T a, T b) const { return a + b; }
};
template <class T> struct less {
  SIMT_SMALL T operator()(T a, T b) const { return b < a ? b : a; }
};
template <class T> struct greater {
  SIMT_SMALL T operator()(T a, T b) const { return a < b ? b : a; }
};
template <class T> struct bit_and {
  SIMT_SMALL T operator()(T a, T b) const { return a & b; }
};
template <class T> struct bit_or {
  SIMT_SMALL T operator()(T a, T b) const { return a | b; }
};
template <class T> struct bit_xor {
  SIMT_SMALL T operator()(T a, T b) const { return a ^ b; }
};

namespace details {

template <class T> struct bare { typedef T type; };
template <class T> struct bare<T &> : bare<T> {};
template <class T> struct bare<T &&> : bare<T> {};
template <class T> struct bare<const T> : bare<T> {};
template <class T> struct bare<volatile T> : bare<T> {};

template <class T, class Op> struct fold_cell {
  T value, result;
  Op *op;
};

// values[0] becomes the total of the n values; the others are lost.
template <class T, class Op> inline SIMT_QUIET void fold_pairs(T **values, unsigned n, Op &op) {
  for (unsigned step = 1; step < n; step *= 2)
    for (unsigned i = 0; i + step < n; i += 2 * step)
      *values[i] = op(*values[i], *values[i + step]);
}

template <class T, class Op> SIMT_QUIET void reduce_lanes(void *const *cells, unsigned lanes) {
  typedef fold_cell<T, Op> cell;
  T *values[32];
  unsigned n = 0;
  for (unsigned m = lanes; m; m &= m - 1)
    values[n++] = &static_cast<cell *>(cells[__builtin_ctz(m)])->value;
  cell *const first = static_cast<cell *>(cells[__builtin_ctz(lanes)]);
  fold_pairs(values, n, *first->op);
  for (unsigned m = lanes; m; m &= m - 1)
    static_cast<cell *>(cells[__builtin_ctz(m)])->result = first->value;
}

template <class T, class Op> SIMT_QUIET void scan_lanes(void *const *cells, unsigned lanes) {
  typedef fold_cell<T, Op> cell;
  cell *before = static_cast<cell *>(cells[__builtin_ctz(lanes)]);
  before->result = before->value;
  for (unsigned m = lanes & (lanes - 1); m; m &= m - 1) {
    cell *const c = static_cast<cell *>(cells[__builtin_ctz(m)]);
    c->result = (*c->op)(before->result, c->value);
    before = c;
  }
}

template <class T, class Op>
inline SIMT_QUIET T reduce_group(const lane_group &g, const T &value, Op &op, simt_location at) {
  fold_cell<T, Op> cell = {value, value, &op};
  simt_collective(g.simt_mask(), reduce_lanes<T, Op>, &cell, "reduce", at.file, at.line);
  return cell.result;
}

template <class T, class Op>
inline SIMT_QUIET T scan_group(const lane_group &g, const T &value, Op &op, simt_location at) {
  fold_cell<T, Op> cell = {value, value, &op};
  simt_collective(g.simt_mask(), scan_lanes<T, Op>, &cell, "scan", at.file, at.line);
  return cell.result;
}

// Wide tiles: everyone folds all values (up to its own, for a scan), from the left.
template <class T, class Op>
inline SIMT_QUIET T fold_wide(unsigned size, unsigned n, const T &value, Op &op, simt_location at) {
  return wide_read(
      size, value,
      [n, &op](void *const *all) SIMT_QUIET {
        T total = *static_cast<const T *>(all[0]);
        for (unsigned i = 1; i < n; ++i) total = op(total, *static_cast<const T *>(all[i]));
        return total;
      },
      at);
}
template <unsigned Size, class T, class Op>
inline SIMT_QUIET T reduce_group(const tile_base<Size, true> &, const T &value, Op &op,
                                 simt_location at) {
  return fold_wide(Size, Size, value, op, at);
}
template <unsigned Size, class T, class Op>
inline SIMT_QUIET T scan_group(const tile_base<Size, true> &g, const T &value, Op &op,
                               simt_location at) {
  return fold_wide(Size, g.thread_rank() + 1, value, op, at);
}

// *a = op(*a, value) on a cuda::atomic; the value before.
template <class Atomic, class T, class Op>
SIMT_SEEN T update_atomic(Atomic &a, const T &value, Op &op) {
  T before = a.load();
  while (!a.compare_exchange_weak(before, op(before, value))) {
  }
  return before;
}

} // namespace details
} // namespace cooperative_groups
#endif
