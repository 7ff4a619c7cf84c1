// A copy of a kernel's parameters: simt::parameters.
#ifndef SIMT_PARAMETERS_HPP
#define SIMT_PARAMETERS_HPP

#include "abi.h"

namespace simt {

// Bytes, as a device gets them. No thread runs a copy constructor
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

} // namespace simt
#endif
