// Variables of a thread's own in a program that is built to be checked.
//
// Result   local_array<int[8]>: the array between two zones that nobody may touch; begin marks them
//          (begin_unwritten: and the array as never written), and the end of the array's life
//          clears them, so that the stack can be used again. A single variable likewise
// Method   it ends at a multiple of 4, where marks begin. The library writes them
//          (simt/check/access/local.c), unseen
// Source   what the rewriter makes of `int x[8];` and `int x;` (rewrite/kernels/local_arrays.c)
#ifndef SIMT_LOCAL_ARRAY_HPP
#define SIMT_LOCAL_ARRAY_HPP

#include "abi.h"

namespace simt {

template <class T, unsigned Zone = SIMT_ZONE> struct local_array {
  struct {
    unsigned char bytes[Zone + (4 - sizeof(T) % 4) % 4];
  } front __attribute__((aligned(16)));
  T array;
  struct {
    unsigned char bytes[Zone];
  } back;

  inline T &begin() {
    simt_local_begin(address(), sizeof array, &back, Zone);
    return array;
  }
  inline T &begin_unwritten() {
    if (__has_trivial_constructor(T)) simt_local_unwritten(address(), sizeof array);
    return begin();
  }
  ~local_array() { simt_local_end(address(), &back, Zone); }

private:
  inline void *address() { return const_cast<void *>((const volatile void *)&array); }
};

template <class T> using local_variable = local_array<T, SIMT_SMALL_ZONE>;

} // namespace simt
#endif
