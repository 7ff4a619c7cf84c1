// Kernels whose barriers stand in uniform control flow: loops over the threads of a block between
// one barrier and the next.
//
// Result   simt::phased(thread, block): the kernel's text twice, for fibres, and for a whole block
// Method   the block's text is what the rewriter made of it: simt::each goes through the threads, a
//          variable that outlives a phase has a place for each thread, in memory of the block's
//          function, so that the compiler sees that nothing else is there
#ifndef SIMT_PHASES_HPP
#define SIMT_PHASES_HPP

#include "runner.hpp"

namespace simt {

template <class Thread, class Block> struct phased_body {
  Thread thread;
  Block block;
  inline __attribute__((always_inline)) void operator()(uint3 t, uint3 b, uint3 d, uint3 g) {
    thread(t, b, d, g);
  }
};
template <class Thread, class Block>
inline phased_body<Thread, Block> phased(const Thread &thread, const Block &block) {
  return phased_body<Thread, Block>{thread, block};
}

enum { most_threads_a_block = 1024, most_bytes_a_thread = 512 };

template <class T> struct bare { typedef T type; };
template <class T> struct bare<const T> { typedef T type; };

// What phases hand on: a place is filled by copying, and nothing is destroyed.
template <class... T> struct carried;
template <> struct carried<> {
  enum { possible = true };
};
template <class T, class... More> struct carried<T, More...> {
  enum { possible = __has_trivial_destructor(T) && carried<More...>::possible };
};
template <class Thread, class Block> struct is_possible<phased_body<Thread, Block>> {
  static Block &block();
  static unsigned long long &barriers();
  enum { value = decltype(block()(uint3(), uint3(), uint3(), barriers()))::possible };
};

// A place for each thread. Large ones are not in the function's own memory.
template <class T, unsigned Threads = most_threads_a_block,
          bool Large = (sizeof(T) > most_bytes_a_thread)>
struct slots {
  typedef typename bare<T>::type type;
  alignas(type) unsigned char bytes[sizeof(type) * Threads];
  inline __attribute__((always_inline)) slots() {}
  inline __attribute__((always_inline)) type &operator[](unsigned long t) {
    return reinterpret_cast<type *>(bytes)[t];
  }
};
template <class T, unsigned Threads> struct slots<T, Threads, true> {
  typedef typename bare<T>::type type;
  type *all;
  inline slots() : all(static_cast<type *>(::operator new(sizeof(type) * Threads))) {}
  inline ~slots() { ::operator delete(all); }
  slots(const slots &) = delete;
  inline type &operator[](unsigned long t) { return all[t]; }
};

// What a thread works on in a phase: a copy, or the place itself where a copy is no copy of bytes.
template <class T, bool Bytes = __is_trivially_copyable(T)> struct held {
  typedef typename bare<T>::type type;
};
template <class T> struct held<T, false> { typedef typename bare<T>::type &type; };

// By assignment where that copies bytes, since the compiler knows more of it than of memcpy.
template <class T, bool Assigned = __is_trivially_assignable(T &, const T &)> struct kept {
  static inline __attribute__((always_inline)) void at(T &place, const T &value) { place = value; }
};
template <class T> struct kept<T, false> {
  static inline __attribute__((always_inline)) void at(T &place, const T &value) {
    if (&place != &value)
      __builtin_memcpy(static_cast<void *>(&place), static_cast<const void *>(&value),
                       sizeof value);
  }
};
template <class T> inline __attribute__((always_inline)) void keep(T &place, const T &value) {
  kept<T>::at(place, value);
}

template <class S, class T>
inline __attribute__((always_inline)) void fill(S &places, const T &value, uint3 dim) {
  const unsigned long threads = dim.x * dim.y * dim.z;
  for (unsigned long t = 0; t < threads; t++) keep(places[t], value);
}

// In a phase nobody has to catch up: such loops go by rounds.
struct no_step {
  inline __attribute__((always_inline)) void operator()() const {}
};

// As Coordinates, where a fault's thread is known by threadIdx alone: it is set before a thread begins.
enum { exactly = 2 };

// Threads are independent between barriers, which ivdep says.
template <int Coordinates, class F>
inline __attribute__((always_inline)) void each(uint3 dim, F phase) {
  if (dim.x > most_threads_a_block) __builtin_unreachable();
  unsigned long first = 0; // long, so that what lies there is seen to be side by side
  for (unsigned z = 0; z < dim.z; z++)
    for (unsigned y = 0; y < dim.y; y++, first += dim.x) {
#pragma GCC ivdep
      for (unsigned x = 0; x < dim.x; x++) {
        if (Coordinates) ::threadIdx = uint3{x, y, z};
        if (Coordinates == exactly) __asm__ volatile("" ::: "memory");
        phase(uint3{x, y, z}, first + x);
      }
    }
}

template <unsigned Flags, class Thread, class Block>
struct runner<Flags, phased_body<Thread, Block>> {
  typedef phased_body<Thread, Block> Body;

  static void thread(void *body) {
    parameters<Body> mine(*static_cast<const Body *>(body));
    mine.own(::threadIdx, ::blockIdx, ::blockDim, ::gridDim);
  }

  static void range(void *memory, const simt_range *range) {
    const simt_range r = *range;
    const uint3 grid = r.grid, dim = r.block;
    uint3 block = {unsigned(r.first_block % grid.x), unsigned(r.first_block / grid.x % grid.y),
                   unsigned(r.first_block / grid.x / grid.y)};
    unsigned long long barriers = 0;
    for (uint64_t i = r.first_block; i < r.end_block; i++) {
      ::blockIdx = block;
      __asm__ volatile("" ::: "memory"); // a fault is looked up by it
      parameters<Body> mine(*static_cast<const Body *>(memory));
      mine.own.block(block, dim, grid, barriers);
      if (++block.x == grid.x) {
        block.x = 0;
        if (++block.y == grid.y) block.y = 0, block.z++;
      }
    }
    simt_phases(barriers);
  }
};

} // namespace simt
#endif
