// Arrays of a thread's own in a program that is built to be checked.
//
// Result   local_array<int[8]>: the array between two zones that nobody may touch; begin marks them
//          (begin_unwritten: and the array as never written), and the end of the array's life clears them, so that the stack can be used again
// Method   the array ends at a multiple of 4, where marks begin. The library writes them
//          (simt/check/access/local.c), unseen
// Source   what the rewriter makes of `int x[8];` (rewrite/kernels/local_arrays.c)
#ifndef SIMT_LOCAL_ARRAY_HPP
#define SIMT_LOCAL_ARRAY_HPP

#include "abi.h"

namespace simt {

template <class T> struct local_array {
  struct {
    unsigned char bytes[SIMT_ZONE + (4 - sizeof(T) % 4) % 4];
  } front __attribute__((aligned(16)));
  T array;
  struct {
    unsigned char bytes[SIMT_ZONE];
  } back;

  inline T &begin() {
    simt_local_begin(const_cast<const void *>((const volatile void *)&array), sizeof array, &back);
    return array;
  }
  inline T &begin_unwritten() {
    if (__has_trivial_constructor(T))
      simt_local_unwritten(const_cast<void *>((const volatile void *)&array), sizeof array);
    return begin();
  }
  ~local_array() { simt_local_end(const_cast<const void *>((const volatile void *)&array), &back); }
};

} // namespace simt
#endif
