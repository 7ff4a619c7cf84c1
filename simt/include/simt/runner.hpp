// How a thread, and a range of threads, of a kernel is run: simt::runner, in the plain build.
//
// Method   see launch.hpp. Every thread gets a copy of the parameters
#ifndef SIMT_RUNNER_HPP
#define SIMT_RUNNER_HPP

#include "guarded.hpp"

namespace simt {

template <unsigned Flags, class Body> struct runner {
  static constexpr unsigned most_blocks = 1u << 21;

  static constexpr bool by_rounds = (Flags & SIMT_ROUNDS) != 0;

  // A kernel that goes by rounds is told which one it is, and says whether it had work there.
  template <bool Rounds, int = 0> struct call {
    static inline __attribute__((always_inline)) int
    one(Body &own, uint3 thread, uint3 block, uint3 dim, uint3 grid, unsigned long long) {
      own(thread, block, dim, grid);
      return 0;
    }
  };
  template <int Unused> struct call<true, Unused> {
    static inline __attribute__((always_inline)) int
    one(Body &own, uint3 thread, uint3 block, uint3 dim, uint3 grid, unsigned long long round) {
      int more = 0;
      own(thread, block, dim, grid, round, more);
      return more;
    }
  };

  // A fresh copy for every thread, since a kernel may change its parameters.
  static inline __attribute__((always_inline)) int one(const Body &body, uint3 thread, uint3 block,
                                                       uint3 dim, uint3 grid,
                                                       unsigned long long round) {
    if (Flags & SIMT_COORDINATES) ::threadIdx = thread;
    parameters<Body> mine(body);
    return call<by_rounds>::one(mine.own, thread, block, dim, grid, round);
  }

  static void thread(void *body) {
    unsigned long long round = 0;
    const Body &own = *static_cast<const Body *>(body);
    while (one(own, ::threadIdx, ::blockIdx, ::blockDim, ::gridDim, round)) round++;
  }

  // Threads of a block are independent here, which ivdep says; the ranges tell the compiler
  // that blockIdx.x * blockDim.x + threadIdx.x fits an int, so that it can vectorize.
  static inline __attribute__((always_inline)) int row(const Body &body, unsigned y, unsigned z,
                                                       uint3 block, uint3 dim, uint3 grid,
                                                       unsigned long long round) {
    int more = 0;
    if (dim.x > 1024 || block.x >= most_blocks) __builtin_unreachable();
    if (guarded_row<(Flags & SIMT_COORDINATES) != 0, Body>::run(body, y, z, block, dim, grid))
      return 0;
#pragma GCC ivdep
    for (unsigned x = 0; x < dim.x; x++) more |= one(body, uint3{x, y, z}, block, dim, grid, round);
    return more;
  }

  static int some_threads(const Body &body, const simt_range &r, uint3 block,
                          unsigned long long round) {
    const uint3 dim = r.block;
    int more = 0;
    for (unsigned t = r.first_thread; t < r.end_thread; t++) {
      const uint3 thread = {t % dim.x, t / dim.x % dim.y, t / dim.x / dim.y};
      more |= one(body, thread, block, dim, r.grid, round);
    }
    return more;
  }

  static int blocks(const Body &body, const simt_range &r, unsigned long long round) {
    const uint3 grid = r.grid, dim = r.block;
    uint3 block = {unsigned(r.first_block % grid.x), unsigned(r.first_block / grid.x % grid.y),
                   unsigned(r.first_block / grid.x / grid.y)};
    const bool whole =
        grid.x <= most_blocks && r.first_thread == 0 && r.end_thread == dim.x * dim.y * dim.z;
    int more = 0;
    for (uint64_t i = r.first_block; i < r.end_block; i++) {
      ::blockIdx = block;
      __asm__ volatile("" ::: "memory"); // a fault is looked up by it
      if (!whole) {
        more |= some_threads(body, r, block, round);
      } else {
        for (unsigned z = 0; z < dim.z; z++)
          for (unsigned y = 0; y < dim.y; y++) more |= row(body, y, z, block, dim, grid, round);
      }
      if (++block.x == grid.x) {
        block.x = 0;
        if (++block.y == grid.y) block.y = 0, block.z++;
      }
    }
    return more;
  }

  static void range(void *memory, const simt_range *range) {
    const parameters<Body> mine(*static_cast<const Body *>(memory));
    const Body &body = mine.own;
    const simt_range r = *range;
    unsigned long long round = 0;
    while (blocks(body, r, round)) round++;
  }
};

template <class Body> struct is_possible {
  enum { value = true };
};
template <bool Plain> struct range_of {
  template <class R> static constexpr void (*get())(void *, const simt_range *) {
    return &R::range;
  }
};
template <> struct range_of<false> {
  template <class R> static constexpr void (*get())(void *, const simt_range *) { return nullptr; }
};

} // namespace simt
#endif
