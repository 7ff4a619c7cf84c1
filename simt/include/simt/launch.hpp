// How a rewritten kernel becomes a launch.
//
// Result   simt::enter(body, ...), called by every kernel's stub: the kernel's text is the
//          lambda `body`, its parameters are the lambda's captures
// Method   a kernel in which no thread waits for another is a plain loop over blocks and
//          threads, with the coordinates as values, so that the compiler sees a C loop; any
//          other runs thread by thread on the scheduler's fibres
#ifndef SIMT_LAUNCH_HPP
#define SIMT_LAUNCH_HPP

#include "abi.h"
#include <new>

namespace simt {

// A copy of a kernel's parameters: bytes, as a device gets them. No thread runs a copy constructor
// or a destructor, which may well release what all the threads use.
template <class Body, bool Bytes = !__is_trivially_copyable(Body)> struct parameters {
  Body own;
  explicit inline __attribute__((always_inline)) parameters(const Body &b) : own(b) {}
};
template <class Body> struct parameters<Body, true> {
  union {
    Body own;
  };
  explicit parameters(const Body &b) {
    __builtin_memcpy(static_cast<void *>(&own), static_cast<const void *>(&b), sizeof b);
  }
  ~parameters() {}
};

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
    while (one(own, ::threadIdx, ::blockIdx, ::blockDim, ::gridDim, round)) ++round;
  }

  // Threads of a block are independent here, which ivdep says; the ranges tell the compiler
  // that blockIdx.x * blockDim.x + threadIdx.x fits an int, so that it can vectorize.
  static inline __attribute__((always_inline)) int row(const Body &body, unsigned y, unsigned z,
                                                       uint3 block, uint3 dim, uint3 grid,
                                                       unsigned long long round) {
    int more = 0;
    if (dim.x > 1024 || block.x >= most_blocks) __builtin_unreachable();
#pragma GCC ivdep
    for (unsigned x = 0; x < dim.x; ++x) more |= one(body, uint3{x, y, z}, block, dim, grid, round);
    return more;
  }

  static int some_threads(const Body &body, const simt_range &r, uint3 block,
                          unsigned long long round) {
    const uint3 dim = r.block;
    int more = 0;
    for (unsigned t = r.first_thread; t < r.end_thread; ++t) {
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
    for (uint64_t i = r.first_block; i < r.end_block; ++i) {
      ::blockIdx = block;
      __asm__ volatile("" ::: "memory"); // a fault is looked up by it
      if (!whole) {
        more |= some_threads(body, r, block, round);
      } else {
        for (unsigned z = 0; z < dim.z; ++z)
          for (unsigned y = 0; y < dim.y; ++y) more |= row(body, y, z, block, dim, grid, round);
      }
      if (++block.x == grid.x) {
        block.x = 0;
        if (++block.y == grid.y) block.y = 0, ++block.z;
      }
    }
    return more;
  }

  static void range(void *memory, const simt_range *range) {
    const parameters<Body> mine(*static_cast<const Body *>(memory));
    const Body &body = mine.own;
    const simt_range r = *range;
    unsigned long long round = 0;
    while (blocks(body, r, round)) ++round;
  }
};

template <bool Plain> struct range_of {
  template <class R> static constexpr void (*get())(void *, const simt_range *) {
    return &R::range;
  }
};
template <> struct range_of<false> {
  template <class R> static constexpr void (*get())(void *, const simt_range *) { return nullptr; }
};

template <unsigned Flags, class Body>
inline void enter(Body body, const char *name, const char *file, int line, int end_line,
                  unsigned most_threads = 0, const size_t *shared_bytes = nullptr) {
  typedef runner<Flags, Body> r;
  static const simt_kernel kernel = {name,
                                     file,
                                     line,
                                     end_line,
                                     Flags,
                                     &r::thread,
                                     range_of<(Flags & SIMT_PLAIN) != 0>::template get<r>(),
                                     sizeof(Body),
                                     alignof(Body),
                                     most_threads,
                                     shared_bytes};
  simt_enter(&kernel, &body);
}

// The size of a kernel's own shared variables: each adds itself before main. Own is a type of
// the kernel's (of the instance's, if it is a template), Number tells its variables apart.
template <class Own> struct shared_total { static size_t bytes; };
template <class Own> size_t shared_total<Own>::bytes = 0;
template <class Own, unsigned Number, size_t Bytes> struct shared_size {
  struct add {
    add() { shared_total<Own>::bytes += Bytes; }
  };
  static add once;
  static void use() { (void)&once; }
};
template <class Own, unsigned Number, size_t Bytes>
typename shared_size<Own, Number, Bytes>::add shared_size<Own, Number, Bytes>::once;

// In loops in which a thread strides over the data: the neighbours catch up now and then.
inline void step() {
  if (--simt_turns == 0) simt_rest();
}

// ---- <<<grid, block, shared, stream>>> ---------------------------------------------------

inline uint3 extent(uint3 d) { return d; }
template <class D> inline auto extent(const D &d) -> decltype(d.x, d.y, d.z, uint3()) {
  return uint3{d.x, d.y, d.z};
}
template <class N> inline auto extent(const N &n) -> decltype(static_cast<unsigned>(n), uint3()) {
  return uint3{static_cast<unsigned>(n), 1, 1};
}

template <class G, class B>
inline void configure(const G &grid, const B &block, size_t shared = 0, void *stream = nullptr) {
  const simt_config c = {extent(grid), extent(block), uint3{1, 1, 1}, shared, stream, 0};
  simt_configure(&c);
}

// ---- Kernels by address: cudaLaunchKernel, cudaFuncSetAttribute ---------------------------

template <class... P> struct stub_call {
  typedef void (*kernel_type)(P...);
  template <size_t... I> struct indices {};
  template <size_t N, size_t... I> struct make : make<N - 1, N - 1, I...> {};
  template <size_t... I> struct make<0, I...> { typedef indices<I...> type; };
  template <class T> struct bare { typedef T type; };
  template <class T> struct bare<T &> { typedef T type; };
  template <class T> struct bare<const T> { typedef T type; };
  template <class T> struct bare<const T &> { typedef T type; };
  template <size_t... I> static void apply(kernel_type kernel, void **arguments, indices<I...>) {
    (void)arguments;
    kernel(*static_cast<typename bare<P>::type *>(arguments[I])...);
  }
  static void invoke(const void *address, void **arguments) {
    apply(reinterpret_cast<kernel_type>(const_cast<void *>(address)), arguments,
          typename make<sizeof...(P)>::type());
  }
  static const size_t *bytes() {
    static const size_t sizes[sizeof...(P) + 1] = {sizeof(typename bare<P>::type)..., 0};
    return sizes;
  }
};

// One for each kernel that is no template: a static object that registers its stub.
struct registered {
  template <class... P> registered(void (*kernel)(P...), const char *name) : stub_() {
    typedef stub_call<P...> call;
    stub_.address = reinterpret_cast<const void *>(kernel);
    stub_.name = name;
    stub_.invoke = &call::invoke;
    stub_.parameters = sizeof...(P);
    stub_.parameter_bytes = call::bytes();
    simt_register_kernel(&stub_);
  }
  simt_stub stub_;
};

// One for each instance of a kernel template, made where the instance's own text is: programs
// that pass such a kernel as `const void *` leave no other moment.
template <class K, K Kernel> struct instance {
  static registered stub;
  static void use() { (void)&stub; }
};
template <class K, K Kernel> registered instance<K, Kernel>::stub(Kernel, "kernel");

} // namespace simt
#endif
