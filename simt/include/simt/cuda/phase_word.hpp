// The barrier that counts arrivals, in 64 bits.
//
// Result   simt::phase_*: what cuda::barrier, awbarrier and the __mbarrier functions do
// Method   bits 0 to 19: arrivals that this phase still lacks; 20 to 39: arrivals a phase; 40 to
//          63: the number of the phase. One atomic update an arrival
// Limits   2^20 - 1 arrivals a phase, as the hardware has it
#ifndef SIMT_PHASE_WORD_HPP
#define SIMT_PHASE_WORD_HPP

#include "../warp/waiting.hpp"

#include <stdint.h>

namespace simt {

typedef unsigned long long phase_word;

enum { PHASE_LIMIT = (1 << 20) - 1 };

SIMT_SMALL phase_word phase_new(unsigned expected) {
  return phase_word(expected & PHASE_LIMIT) << 20 | (expected & PHASE_LIMIT);
}
SIMT_SMALL unsigned phase_pending(phase_word w) { return unsigned(w & PHASE_LIMIT); }
SIMT_SMALL unsigned phase_expected(phase_word w) { return unsigned(w >> 20 & PHASE_LIMIT); }
SIMT_SMALL unsigned phase_number(phase_word w) { return unsigned(w >> 40); }
SIMT_SMALL phase_word phase_next(phase_word w) {
  return (phase_word(phase_number(w) + 1) << 40) | phase_new(phase_expected(w));
}

// What everybody did before arriving is in order before what is done after waiting.
enum { ARRIVES = SIMT_ORDER(__ATOMIC_ACQ_REL, SIMT_FENCE_BLOCK) };
enum { WAITS = SIMT_ORDER(__ATOMIC_ACQUIRE, SIMT_FENCE_BLOCK) };

struct phase_change {
  SIMT_SMALL phase_word operator()(phase_word w) const { return phase_next(w); }
};

// Who has just made the pending arrivals 0 calls complete() and opens the next phase. The word
// before is returned.
template <class Complete>
SIMT_SEEN phase_word phase_arrive(phase_word *word, unsigned arrivals, bool drop,
                                  const Complete &complete, int how = ARRIVES) {
  const phase_word less = arrivals + (drop ? phase_word(1) << 20 : 0);
  const phase_word before = fetch_add(word, phase_word(0) - less, how);
  if (phase_pending(before) == arrivals) {
    complete();
    update(word, phase_change(), how);
  }
  return before;
}

struct phase_wait_for {
  const phase_word *word;
  unsigned number;
};
inline SIMT_QUIET int phase_passed(void *user) {
  const phase_wait_for *w = static_cast<const phase_wait_for *>(user);
  return phase_number(__atomic_load_n(w->word, __ATOMIC_SEQ_CST)) != w->number;
}
inline SIMT_QUIET void phase_rest(const phase_word *word, unsigned number, const char *what,
                                  location at) {
  phase_wait_for w = {word, number};
  wait_until(phase_passed, &w, what, at);
}
// Copies are bound to the phase in which they are made.
SIMT_SMALL unsigned phase_now(const phase_word *word) {
  return phase_number(__atomic_load_n(word, __ATOMIC_SEQ_CST));
}
SIMT_SMALL void phase_seen(const phase_word *word, unsigned now) { async_seen(word, now - 1); }

SIMT_SEEN void phase_wait(const phase_word *word, unsigned number, const char *what, location at,
                          int how = WAITS) {
  phase_rest(word, number, what, at);
  phase_seen(word, phase_number(load(word, how)));
}
// For polling.
SIMT_SEEN bool phase_test(const phase_word *word, unsigned number, int how = WAITS) {
  const unsigned now = phase_number(load(word, how));
  now != number ? phase_seen(word, now) : polled();
  return now != number;
}
SIMT_SEEN bool phase_test_parity(const phase_word *word, bool parity, int how = WAITS) {
  const unsigned now = phase_number(load(word, how));
  const bool passed = (now & 1) != parity;
  passed ? phase_seen(word, now) : polled();
  return passed;
}

} // namespace simt
#endif
