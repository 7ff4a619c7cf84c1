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
#include "instrumented.hpp"
#include <new>
#if SIMT_INSTRUMENTED
#include "runner_instrumented.hpp"
#else
#include "lanes.hpp"
#include "phases.hpp"
#include "runner.hpp"
#endif

namespace simt {

#if SIMT_INSTRUMENTED && !defined __OPTIMIZE__
enum { in_order = SIMT_IN_ORDER };
#else
enum { in_order = 0 };
#endif

template <unsigned Flags, class Body>
inline SIMT_QUIET void enter(Body body, const char *name, const char *file, int line, int end_line,
                             unsigned most_threads = 0, const size_t *shared_bytes = nullptr) {
  typedef runner<Flags, Body> r;
  static const simt_kernel kernel = {name,
                                     file,
                                     line,
                                     end_line,
                                     Flags | in_order,
                                     &r::thread,
                                     range_of < (Flags & (SIMT_PLAIN | SIMT_PHASES)) != 0 &&
                                         is_possible<Body>::value > ::template get<r>(),
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
  struct counted {
    SIMT_QUIET counted() { shared_total<Own>::bytes += Bytes; }
  };
  static counted once;
  static void use() { (void)&once; }
};
template <class Own, unsigned Number, size_t Bytes>
typename shared_size<Own, Number, Bytes>::counted shared_size<Own, Number, Bytes>::once;

// ---- <<<grid, block, shared, stream>>> ---------------------------------------------------

inline SIMT_QUIET uint3 extent(uint3 d) { return d; }
template <class D> inline SIMT_QUIET auto extent(const D &d) -> decltype(d.x, d.y, d.z, uint3()) {
  return uint3{d.x, d.y, d.z};
}
template <class N>
inline SIMT_QUIET auto extent(const N &n) -> decltype(static_cast<unsigned>(n), uint3()) {
  return uint3{static_cast<unsigned>(n), 1, 1};
}

template <class G, class B>
inline SIMT_QUIET void configure(const G &grid, const B &block, size_t shared = 0,
                                 void *stream = nullptr) {
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
  template <size_t... I>
  static SIMT_QUIET void apply(kernel_type kernel, void **arguments, indices<I...>) {
    (void)arguments;
    kernel(*static_cast<typename bare<P>::type *>(arguments[I])...);
  }
  static SIMT_QUIET void invoke(const void *address, void **arguments) {
    apply(reinterpret_cast<kernel_type>(const_cast<void *>(address)), arguments,
          typename make<sizeof...(P)>::type());
  }
  static const size_t *bytes() {
    static const size_t sizes[sizeof...(P) + 1] = {sizeof(typename bare<P>::type)..., 0};
    return sizes;
  }
  static const size_t *aligns() {
    static const size_t all[sizeof...(P) + 1] = {alignof(typename bare<P>::type)..., 1};
    return all;
  }
};

// One for each kernel that is no template: a static object that registers its stub.
struct registered {
  template <class... P> SIMT_QUIET registered(void (*kernel)(P...), const char *name) : stub_() {
    typedef stub_call<P...> call;
    stub_.address = reinterpret_cast<const void *>(kernel);
    stub_.name = name;
    stub_.invoke = &call::invoke;
    stub_.parameters = sizeof...(P);
    stub_.parameter_bytes = call::bytes();
    stub_.parameter_aligns = call::aligns();
    simt_register_kernel(&stub_);
  }
  simt_stub stub_;
};

// For what a program asks the compiler's library to name: a kernel's stub is made known, since an
// instance of a template has no other moment; a variable needs nothing.
struct named {
  template <class... P> SIMT_QUIET named(void (*kernel)(P...), const char *name) : stub_(nullptr) {
    if (!simt_find_kernel(reinterpret_cast<const void *>(kernel)))
      stub_ = ::new (room_) registered(kernel, name);
  }
  template <class T> SIMT_QUIET named(const volatile T *, const char *) : stub_(nullptr) {}
  registered *stub_;
  alignas(registered) char room_[sizeof(registered)];
};

// One for each instance of a kernel template, made where the instance's own text is: programs
// that pass such a kernel as `const void *` leave no other moment.
template <class K, K Kernel> struct instance {
  static registered stub;
  static void use() { (void)&stub; }
};
template <class K, K Kernel> registered instance<K, Kernel>::stub(Kernel, "kernel");

} // namespace simt
// In loops in which a thread strides over the data: the neighbours catch up now and then. A kernel of
// phases has another meaning for the name.
inline void simt_step() {
  if (--simt_turns == 0) simt_rest();
}

#endif
