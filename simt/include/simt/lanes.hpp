// Regions of a kernel of phases: warp by warp, loops over lanes between one function of the warp and the
// next.
//
// Result   simt::each_warp, each_lane; shuffled, voted, folded: what each lane gets; gathered: what each
//          lane has
// Method   all lanes bring their values, then each takes what is its own
// Limits   masks are full: whoever is in the warp takes part. The value of a lane that is not there is
//          undefined on a GPU, here it is 0
#ifndef SIMT_LANES_HPP
#define SIMT_LANES_HPP

#include "phases.hpp"
#include "warp/warp_core.hpp"

namespace simt {

enum { lanes_a_warp = 32 };

struct lanes {
  uint3 dim, start;      // of the block; of the warp's first thread
  unsigned first, count; // number of that thread in the block; how many there are
  inline __attribute__((always_inline)) unsigned mask() const {
    return 0xffffffffu >> (lanes_a_warp - count);
  }
};

// Of which some may have returned.
struct some_lanes : lanes {
  unsigned present;
  inline __attribute__((always_inline)) some_lanes(const lanes &all)
      : lanes(all), present(all.mask()) {}
  inline __attribute__((always_inline)) unsigned mask() const { return present; }
  // Those go on whose bits are set; false: none.
  inline __attribute__((always_inline)) bool keep(unsigned ones) {
    present = ones;
    if (ones) count = lanes_a_warp - unsigned(__builtin_clz(ones));
    return ones != 0;
  }
};

// The warp's threads are in one row: a block has rows of whole warps, or one.
template <class F> inline __attribute__((always_inline)) void each_warp(uint3 dim, F region) {
  const unsigned threads = dim.x * dim.y * dim.z;
  uint3 start = {0, 0, 0};
  for (unsigned first = 0; first < threads; first += lanes_a_warp) {
    const unsigned left = threads - first;
    region(lanes{dim, start, first, left < lanes_a_warp ? left : unsigned(lanes_a_warp)});
    if ((start.x += lanes_a_warp) < dim.x) continue;
    start.x = 0;
    if (++start.y == dim.y) start.y = 0, start.z++;
  }
}

template <int Coordinates, class F>
inline __attribute__((always_inline)) void each_lane(const lanes &w, F phase) {
  const uint3 start = w.start;
  const unsigned count = w.count;
  const unsigned long first = w.first;
  if (count > lanes_a_warp) __builtin_unreachable();
#pragma GCC ivdep
  for (unsigned lane = 0; lane < count; lane++) {
    const uint3 thread = {start.x + lane, start.y, start.z};
    if (Coordinates) ::threadIdx = thread;
    if (Coordinates == exactly) __asm__ volatile("" ::: "memory");
    phase(thread, first + lane, lane);
  }
}

// The usual ones that have returned are the last.
template <int Coordinates, class F>
inline __attribute__((always_inline)) void each_lane(const some_lanes &w, F phase) {
  const lanes &all = w;
  if (w.present == all.mask())
    each_lane<Coordinates>(all, phase);
  else
    each_lane<Coordinates>(
        all, [&](uint3 thread, unsigned long t, unsigned lane) __attribute__((always_inline)) {
          if (w.present >> lane & 1) phase(thread, t, lane);
        });
}

// Converted where a helper's template arguments are given.
template <class T, unsigned Threads> struct values {
  T of[Threads];
  inline __attribute__((always_inline)) values() {}
  template <class U> inline __attribute__((always_inline)) values(const values<U, Threads> &other) {
    for (unsigned i = 0; i < Threads; i++) of[i] = static_cast<T>(other.of[i]);
  }
  inline __attribute__((always_inline)) const T &operator[](unsigned long i) const { return of[i]; }
};
template <class T> using lane_values = values<T, lanes_a_warp>;
template <class T> using block_values = values<T, most_threads_a_block>;

// The same for all lanes.
template <class T> struct warp_value {
  T value;
  inline __attribute__((always_inline)) const T &operator[](unsigned) const { return value; }
};

template <class S, class V>
inline __attribute__((always_inline)) void fill_lanes(const lanes &w, S &places, const V &values) {
  for (unsigned lane = 0; lane < w.count; lane++)
    keep(places[lane], typename S::type(values[lane]));
}

template <class S, class V>
inline __attribute__((always_inline)) void fill_block(S &places, const V &values, uint3 dim) {
  const unsigned long threads = dim.x * dim.y * dim.z;
  for (unsigned long t = 0; t < threads; t++) keep(places[t], typename S::type(values[t]));
}

template <class T> struct unqualified { typedef T type; };
template <class T> struct unqualified<const T> { typedef T type; };

template <int Coordinates, class F>
inline __attribute__((always_inline)) auto block_gathered(uint3 dim, F phase)
    -> block_values<typename unqualified<decltype(phase(uint3(), 0ul))>::type> {
  block_values<typename unqualified<decltype(phase(uint3(), 0ul))>::type> all;
  each<Coordinates>(
      dim, [&](uint3 thread, unsigned long t)
               __attribute__((always_inline)) { all.of[t] = phase(thread, t); });
  return all;
}

template <int Coordinates, class W, class F>
inline __attribute__((always_inline)) auto gathered(const W &w, F phase)
    -> lane_values<typename unqualified<decltype(phase(uint3(), 0ul, 0u))>::type> {
  lane_values<typename unqualified<decltype(phase(uint3(), 0ul, 0u))>::type> all;
  each_lane<Coordinates>(
      w, [&](uint3 thread, unsigned long t, unsigned lane)
             __attribute__((always_inline)) { all.of[lane] = phase(thread, t, lane); });
  return all;
}

// ---- Shuffles ------------------------------------------------------------------------------------

template <class T> struct shuffle_pair {
  T value;
  unsigned source;
};

template <shuffle_kind Kind, class T>
inline __attribute__((always_inline)) shuffle_pair<T>
shuffle_operand(unsigned lane, T value, unsigned operand, unsigned width) {
  return shuffle_pair<T>{value, shuffle_source(Kind, lane, operand, width)};
}

// By themselves, so that the compiler sees them once a type.
template <class T>
__attribute__((noinline)) void exchange(lane_values<T> &all, const T *brought,
                                        const unsigned *source, unsigned present) {
  if (present == 0xffffffffu)
    for (unsigned lane = 0; lane < lanes_a_warp; lane++) all.of[lane] = brought[source[lane]];
  else
    for (unsigned m = present; m; m &= m - 1) {
      const unsigned lane = unsigned(__builtin_ctz(m));
      all.of[lane] = present >> source[lane] & 1 ? brought[source[lane]] : T();
    }
}

template <shuffle_kind, int Coordinates, class W, class F>
inline __attribute__((always_inline)) auto shuffled(const W &w, F phase)
    -> lane_values<decltype(phase(uint3(), 0ul, 0u).value)> {
  typedef decltype(phase(uint3(), 0ul, 0u).value) T;
  T brought[lanes_a_warp];
  unsigned source[lanes_a_warp];
  lane_values<T> all;
  each_lane<Coordinates>(
      w, [&](uint3 thread, unsigned long t, unsigned lane) __attribute__((always_inline)) {
        const auto pair = phase(thread, t, lane);
        brought[lane] = pair.value;
        source[lane] = pair.source;
      });
  exchange(all, brought, source, w.mask());
  return all;
}

// ---- Votes -----------------------------------------------------------------------------------------

struct vote_ballot {
  static unsigned of(unsigned ones, unsigned) { return ones; }
};
struct vote_any {
  static int of(unsigned ones, unsigned) { return ones != 0; }
};
struct vote_all {
  static int of(unsigned ones, unsigned lanes) { return ones == lanes; }
};
struct vote_uni {
  static int of(unsigned ones, unsigned lanes) { return ones == lanes || ones == 0; }
};

template <class Vote, int Coordinates, class W, class F>
inline __attribute__((always_inline)) auto voted(const W &w, F phase)
    -> warp_value<decltype(Vote::of(0, 0))> {
  unsigned ones = 0;
  each_lane<Coordinates>(
      w, [&](uint3 thread, unsigned long t, unsigned lane) __attribute__((always_inline)) {
        ones |= unsigned(phase(thread, t, lane) != 0) << lane;
      });
  return {Vote::of(ones, w.mask())};
}

// ---- Tiles: a power of two of lanes, side by side ----------------------------------------------------

// What a thread may ask its tile: of itself, or of the first lane of a warp.
// Parent: the threads of the tile that it is a part of; 0: the block.
template <unsigned Size, unsigned Parent> class lane_tile {
public:
  inline __attribute__((always_inline)) lane_tile(uint3 thread, uint3 dim)
      : rank_(thread.x + dim.x * (thread.y + dim.y * thread.z)), all_(dim.x * dim.y * dim.z) {}
  inline __attribute__((always_inline)) unsigned thread_rank() const { return rank_ % Size; }
  inline __attribute__((always_inline)) unsigned meta_group_rank() const {
    return (Parent ? rank_ % most : rank_) / Size;
  }
  inline __attribute__((always_inline)) unsigned meta_group_size() const {
    return ((Parent ? Parent : all_) + Size - 1) / Size;
  }
  static constexpr unsigned size() { return Size; }
  static constexpr unsigned num_threads() { return Size; }

private:
  enum { most = Parent ? Parent : 1 };
  unsigned rank_, all_;
};

template <class Vote, unsigned Size, int Coordinates, class W, class F>
inline __attribute__((always_inline)) auto tile_voted(const W &w, F phase)
    -> lane_values<decltype(Vote::of(0, 0))> {
  const unsigned ones = unsigned(voted<vote_ballot, Coordinates>(w, phase).value), lanes = w.mask();
  const unsigned tile = Size >= lanes_a_warp ? 0xffffffffu : (1u << Size % lanes_a_warp) - 1;
  lane_values<decltype(Vote::of(0, 0))> all;
  for (unsigned first = 0; first < lanes_a_warp; first += Size) {
    const auto vote = Vote::of(ones >> first & tile, lanes >> first & tile);
    for (unsigned i = 0; i < Size; i++) all.of[first + i] = vote;
  }
  return all;
}

// Totals go over neighbouring pairs, as those of groups do (details/fold.hpp).
template <class Op, unsigned Size, int Coordinates, class W, class F>
inline __attribute__((always_inline)) auto tile_folded(const W &w, F phase)
    -> lane_values<typename unqualified<decltype(phase(uint3(), 0ul, 0u))>::type> {
  auto all = gathered<Coordinates>(w, phase);
  const unsigned lanes = w.mask();
  Op op;
  if (lanes == 0xffffffffu) {
    for (unsigned step = 1; step < Size; step *= 2)
      for (unsigned i = 0; i < lanes_a_warp; i += 2 * step)
        all.of[i] = op(all.of[i], all.of[i + step]);
    for (unsigned i = 0; i < lanes_a_warp; i++) all.of[i] = all.of[i & ~(Size - 1)];
    return all;
  }
  for (unsigned first = 0; first < lanes_a_warp; first += Size) {
    unsigned char at[Size];
    unsigned n = 0;
    for (unsigned i = 0; i < Size; i++)
      if (lanes >> (first + i) & 1) at[n++] = (unsigned char)(first + i);
    for (unsigned step = 1; step < n; step *= 2)
      for (unsigned i = 0; i + step < n; i += 2 * step)
        all.of[at[i]] = op(all.of[at[i]], all.of[at[i + step]]);
    for (unsigned i = 1; i < n; i++) all.of[at[i]] = all.of[at[0]];
  }
  return all;
}

// A lane that is not there has nothing to give to the one behind it, as in a shuffle.
template <bool Inclusive, class Op, unsigned Size, int Coordinates, class W, class F>
inline __attribute__((always_inline)) auto tile_scanned(const W &w, F phase)
    -> lane_values<typename unqualified<decltype(phase(uint3(), 0ul, 0u))>::type> {
  typedef typename unqualified<decltype(phase(uint3(), 0ul, 0u))>::type T;
  auto all = gathered<Coordinates>(w, phase);
  const unsigned lanes = w.mask();
  Op op;
  for (unsigned first = 0; first < lanes_a_warp; first += Size) {
    T sum = T(), before = T();
    bool any = false;
    for (unsigned i = first; i < first + Size; i++) {
      const bool present = lanes >> i & 1;
      if (present) sum = any ? op(sum, all.of[i]) : all.of[i];
      if (present) all.of[i] = Inclusive ? sum : before;
      before = present ? sum : T();
      any |= present;
    }
  }
  return all;
}

// ---- Reductions ------------------------------------------------------------------------------------

template <class Op, int Coordinates, class W, class F>
inline __attribute__((always_inline)) auto folded(const W &w, F phase)
    -> warp_value<typename unqualified<decltype(phase(uint3(), 0ul, 0u))>::type> {
  const auto all = gathered<Coordinates>(w, phase);
  const unsigned present = w.mask();
  auto total = all.of[__builtin_ctz(present)];
  for (unsigned m = present & (present - 1); m; m &= m - 1)
    total = Op()(total, all.of[__builtin_ctz(m)]);
  return {total};
}

} // namespace simt
#endif
