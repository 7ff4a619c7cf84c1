// Plain kernels whose threads first ask whether they have work.
//
// Result   simt::guarded(thread, guard): the kernel's text, and what it asks, as a function of its own
// Method   a row of threads asks before any of it runs. Usually all have work, or those side by side
//          from one to another: then they run without asking, and the compiler sees a loop without a
//          branch, whose stores are no masked ones
#ifndef SIMT_GUARDED_HPP
#define SIMT_GUARDED_HPP

#include "parameters.hpp"

namespace simt {

template <class Thread, class Guard> struct guarded_body {
  Thread thread;
  Guard guard;
  inline __attribute__((always_inline)) void operator()(uint3 t, uint3 b, uint3 d, uint3 g) {
    thread(t, b, d, g, false);
  }
};
template <class Thread, class Guard>
inline guarded_body<Thread, Guard> guarded(const Thread &thread, const Guard &guard) {
  return guarded_body<Thread, Guard>{thread, guard};
}

template <bool Coordinates, class Body> struct guarded_row {
  static inline __attribute__((always_inline)) bool run(const Body &, unsigned, unsigned, uint3,
                                                        uint3, uint3) {
    return false;
  }
};
template <bool Coordinates, class Thread, class Guard>
struct guarded_row<Coordinates, guarded_body<Thread, Guard>> {
  typedef guarded_body<Thread, Guard> Body;

  static inline __attribute__((always_inline)) bool has_work(const Body &body, uint3 thread,
                                                             uint3 block, uint3 dim, uint3 grid) {
    parameters<Guard> mine(body.guard);
    return mine.own(thread, block, dim, grid);
  }

  // False: those with work do not stand side by side.
  static inline __attribute__((always_inline)) bool run(const Body &body, unsigned y, unsigned z,
                                                        uint3 block, uint3 dim, uint3 grid) {
    unsigned work = 0, first = 0, end = dim.x;
    for (unsigned x = 0; x < dim.x; x++) work += has_work(body, uint3{x, y, z}, block, dim, grid);
    if (work == 0) return true;
    if (work != dim.x) {
      unsigned beside = 0; // counted, not left at the first without: such a loop has no branch
      while (!has_work(body, uint3{first, y, z}, block, dim, grid)) first++;
      end = first + work;
      for (unsigned x = first; x < end; x++)
        beside += has_work(body, uint3{x, y, z}, block, dim, grid);
      if (beside != work) return false;
    }
    if (end > 1024) __builtin_unreachable();
#pragma GCC ivdep
    for (unsigned x = first; x < end; x++) {
      if (Coordinates) ::threadIdx = uint3{x, y, z};
      parameters<Thread> mine(body.thread);
      mine.own(uint3{x, y, z}, block, dim, grid, true);
    }
    return true;
  }
};

} // namespace simt
#endif
