// Waiting for memory to change, on the device and on the host.
//
// Result   simt::wait_until(ready, user): returns when ready(user) is not 0; simt::polling_load
// Method   on the device the scheduler runs other threads meanwhile; on the host other threads
//          of the processor do
#ifndef SIMT_WAITING_HPP
#define SIMT_WAITING_HPP

#include "atomic_core.hpp"
#include "warp_core.hpp"

#include <sched.h>

namespace simt {

inline void wait_until(int (*ready)(void *user), void *user, const char *what, place at) {
  while (!ready(user)) {
    if (simt_on_device())
      simt_wait(ready, user, what, at.file, at.line);
    else
      sched_yield();
  }
}

// A load that finds what the last one found at the same address may be polling.
template <class T> inline T polling_load(const T *p) {
  static __thread const void *last;
  static __thread unsigned long long found;
  T value;
  __atomic_load(const_cast<T *>(p), &value, __ATOMIC_SEQ_CST);
  const unsigned long long word = word_of(value);
  if (last == p && found == word) polled();
  last = p;
  found = word;
  return value;
}

} // namespace simt
#endif
