// Waiting for memory to change, on the device and on the host.
//
// Result   simt::wait_until(ready, user): returns when ready(user) is not 0; simt::polling_load
// Method   on the device the scheduler runs other threads meanwhile; on the host other threads
//          of the processor do
#ifndef SIMT_WAITING_HPP
#define SIMT_WAITING_HPP

#include "../atomic/atomic_core.hpp"
#include "warp_core.hpp"

#include <sched.h>

namespace simt {

inline SIMT_QUIET void wait_until(int (*ready)(void *user), void *user, const char *what,
                                  location at) {
  while (!ready(user)) {
    if (simt_on_device())
      simt_wait(ready, user, what, at.file, at.line);
    else
      sched_yield();
  }
}

// Every 16th time that a thread finds what it found last at the same address it may be polling.
inline SIMT_QUIET void found_at(const void *p, unsigned long long word) {
  static __thread const void *last;
  static __thread unsigned long long found;
  if (last == p && found == word) polled();
  last = p;
  found = word;
}

template <class T> SIMT_SEEN T polling_load(const T *p, int how) {
  const T value = load(p, how);
  found_at(p, word_of(value));
  return value;
}

} // namespace simt
#endif
