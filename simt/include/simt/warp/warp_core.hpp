// What the lanes of a warp do together, for values of any type.
//
// Result   simt::shuffle, vote, match, fold: results per lane
// Method   each lane brings a cell; the last one to come computes for all (simt_collective).
//          Values of up to 8 bytes travel as 64 bits, so that all types share one function
// Limits   who must come: every lane that the mask names and that has not returned. The value
//          of a lane that is not there is undefined on a GPU, here it is 0
// Source   CUDA C++ Programming Guide, Warp Shuffle, Vote, Match and Reduce Functions; PTX ISA,
//          shfl.sync
#ifndef SIMT_WARP_CORE_HPP
#define SIMT_WARP_CORE_HPP

#include "../abi.h"
#include "../instrumented.hpp"

namespace simt {

// Where the call stands: the default arguments of every function that waits.
struct location {
  const char *file;
  int line;
};
#define SIMT_HERE \
  { __builtin_FILE(), __builtin_LINE() }

inline SIMT_QUIET unsigned lanes_below(unsigned lane) { return (1u << lane) - 1; }

// ---- Shuffles ------------------------------------------------------------------------------

enum shuffle_kind { SHUFFLE_INDEX, SHUFFLE_UP, SHUFFLE_DOWN, SHUFFLE_XOR };

// The lane that `lane` reads, within segments of `width` lanes.
inline SIMT_QUIET unsigned shuffle_source(shuffle_kind kind, unsigned lane, unsigned operand,
                                          unsigned width) {
  const unsigned inside = (width - 1) & 31, b = operand & 31;
  const unsigned first = lane & ~inside, last = first | inside;
  switch (kind) {
  case SHUFFLE_INDEX: return first | (b & inside);
  case SHUFFLE_UP: return lane < first + b ? lane : lane - b;
  case SHUFFLE_DOWN: return lane + b > last ? lane : lane + b;
  case SHUFFLE_XOR: return (lane ^ b) > last ? lane : lane ^ b;
  }
  return lane;
}

template <class T> struct shuffle_cell {
  T value;
  T result;
  unsigned source;
  unsigned bytes; // of a value that this is all of, else 0
};

template <class T> SIMT_QUIET void shuffle_lanes(void *const *cells, unsigned lanes) {
  for (unsigned m = lanes; m; m &= m - 1) {
    shuffle_cell<T> &c = *static_cast<shuffle_cell<T> *>(cells[__builtin_ctz(m)]);
    const void *from = cells[c.source];
    c.result = from ? static_cast<const shuffle_cell<T> *>(from)->value : T();
  }
#if SIMT_INSTRUMENTED
  static_assert(sizeof(shuffle_cell<T>) == sizeof(simt_shuffle_cell), "abi.h has the same cell");
  simt_shuffled(cells, lanes);
#endif
}

template <class T>
inline SIMT_QUIET T shuffle_word(unsigned mask, T value, unsigned source, unsigned bytes,
                                 const char *what, location at) {
  shuffle_cell<T> cell = {value, T(), source & 31, bytes};
  simt_collective(mask, shuffle_lanes<T>, &cell, what, at.file, at.line);
  return cell.result;
}

// Any trivially copyable type, 8 bytes at a time.
template <class T>
inline SIMT_QUIET T shuffle_from(unsigned mask, const T &value, unsigned source, const char *what,
                                 location at) {
  T result = value;
  for (unsigned i = 0; i < sizeof(T); i += 8) {
    const unsigned n = sizeof(T) - i < 8 ? sizeof(T) - i : 8;
    unsigned long long word = 0;
    __builtin_memcpy(&word, reinterpret_cast<const char *>(&value) + i, n);
    word = shuffle_word(mask, word, source, n == sizeof(T) ? n : 0, what, at);
    __builtin_memcpy(reinterpret_cast<char *>(&result) + i, &word, n);
  }
  return result;
}

template <class T>
inline SIMT_QUIET T shuffle(shuffle_kind kind, unsigned mask, const T &value, unsigned operand,
                            int width, const char *what, location at) {
#if SIMT_INSTRUMENTED
  if (width < 1 || width > 32 || (width & (width - 1)))
    simt_shuffle_width(width, what, at.file, at.line);
#endif
  return shuffle_from(mask, value, shuffle_source(kind, simt_lane(), operand, unsigned(width)),
                      what, at);
}

// ---- Votes ----------------------------------------------------------------------------------

struct vote_cell {
  int predicate;
  unsigned ones;
};

inline SIMT_QUIET void vote_lanes(void *const *cells, unsigned lanes) {
  unsigned ones = 0;
  for (unsigned m = lanes; m; m &= m - 1) {
    const unsigned i = unsigned(__builtin_ctz(m));
    if (static_cast<const vote_cell *>(cells[i])->predicate) ones |= 1u << i;
  }
  for (unsigned m = lanes; m; m &= m - 1)
    static_cast<vote_cell *>(cells[__builtin_ctz(m)])->ones = ones;
}

struct ballot {
  unsigned ones, lanes;
};

inline SIMT_QUIET ballot vote(unsigned mask, int predicate, const char *what, location at) {
  vote_cell cell = {predicate, 0};
  const unsigned lanes = simt_collective(mask, vote_lanes, &cell, what, at.file, at.line);
  return {cell.ones, lanes};
}

// ---- Matches --------------------------------------------------------------------------------

struct match_cell {
  unsigned long long value;
  unsigned same;
};

inline SIMT_QUIET void match_lanes(void *const *cells, unsigned lanes) {
  for (unsigned left = lanes; left;) {
    const match_cell *first = static_cast<const match_cell *>(cells[__builtin_ctz(left)]);
    unsigned same = 0;
    for (unsigned m = left; m; m &= m - 1) {
      const unsigned i = unsigned(__builtin_ctz(m));
      if (static_cast<const match_cell *>(cells[i])->value == first->value) same |= 1u << i;
    }
    for (unsigned m = same; m; m &= m - 1)
      static_cast<match_cell *>(cells[__builtin_ctz(m)])->same = same;
    left &= ~same;
  }
}

// Compared bit by bit, as the hardware does with floats too.
template <class T> inline SIMT_QUIET unsigned long long word_of(T value) {
  static_assert(sizeof(T) <= 8, "a value of up to 8 bytes");
  unsigned long long word = 0;
  __builtin_memcpy(&word, &value, sizeof value);
  return word;
}

template <class T> inline SIMT_QUIET unsigned match_any(unsigned mask, T value, location at) {
  match_cell cell = {word_of(value), 0};
  simt_collective(mask, match_lanes, &cell, "__match_any_sync", at.file, at.line);
  return cell.same;
}

template <class T> inline unsigned match_all(unsigned mask, T value, int *all, location at) {
  match_cell cell = {word_of(value), 0};
  const unsigned lanes =
      simt_collective(mask, match_lanes, &cell, "__match_all_sync", at.file, at.line);
  *all = cell.same == lanes;
  return *all ? lanes : 0;
}

// ---- Reductions and scans -----------------------------------------------------------------------

// The lanes' values in the order of lanes, folded from the left.
template <class T, class Op> struct fold_cell {
  T value;
  Op op;
};

template <class T, class Op> SIMT_QUIET void fold_lanes(void *const *cells, unsigned lanes) {
  typedef fold_cell<T, Op> cell;
  cell *const first = static_cast<cell *>(cells[__builtin_ctz(lanes)]);
  T total = first->value;
  for (unsigned m = lanes & (lanes - 1); m; m &= m - 1)
    total = T(first->op(total, static_cast<cell *>(cells[__builtin_ctz(m)])->value));
  for (unsigned m = lanes; m; m &= m - 1)
    static_cast<cell *>(cells[__builtin_ctz(m)])->value = total;
}

template <class T, class Op>
inline SIMT_QUIET T fold(unsigned mask, const T &value, const Op &op, const char *what,
                         location at) {
  fold_cell<T, Op> cell = {value, op};
  simt_collective(mask, fold_lanes<T, Op>, &cell, what, at.file, at.line);
  return cell.value;
}

struct op_add {
  template <class T> SIMT_SMALL T operator()(T a, T b) const { return T(a + b); }
};
struct op_min {
  template <class T> SIMT_SMALL T operator()(T a, T b) const { return b < a ? b : a; }
};
struct op_max {
  template <class T> SIMT_SMALL T operator()(T a, T b) const { return a < b ? b : a; }
};
struct op_and {
  template <class T> SIMT_SMALL T operator()(T a, T b) const { return T(a & b); }
};
struct op_or {
  template <class T> SIMT_SMALL T operator()(T a, T b) const { return T(a | b); }
};
struct op_xor {
  template <class T> SIMT_SMALL T operator()(T a, T b) const { return T(a ^ b); }
};

} // namespace simt
#endif
