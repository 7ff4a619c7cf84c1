// cuda::aligned_size_t: a number of bytes with a promise about alignment, which is not needed
// here.
#ifndef SIMT_ALIGNED_SIZE_HPP
#define SIMT_ALIGNED_SIZE_HPP

#include <stddef.h>

namespace cuda {
template <size_t Alignment> struct aligned_size_t {
  static constexpr size_t align = Alignment;
  size_t value;
  explicit constexpr aligned_size_t(size_t bytes) : value(bytes) {}
  constexpr operator size_t() const { return value; }
};
} // namespace cuda
#endif
