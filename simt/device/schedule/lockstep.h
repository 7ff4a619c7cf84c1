/* Lockstep: the lanes of a warp go basic block by basic block, as on a processor with masks.
 *
 * Result   while `on`, a lane stops at every basic block of the program (the compiler's calls of
 *          __sanitizer_cov_trace_pc). When all lanes of a warp have stopped or wait, those at one
 *          instruction run on to their next stop, one after the other: an issue
 * Method   of all stops the one with the deepest stack, then the lowest address, goes first: so
 *          lanes in a loop or a branch let the others, who are further, wait for them
 * Limits   the program must be compiled for it (-fsanitize-coverage=trace-pc). Lanes that poll
 *          what a lane further on will change would keep it waiting: see lockstep.c
 */
#ifndef SIMT_LOCKSTEP_H
#define SIMT_LOCKSTEP_H

#include "grid.h"

struct sd_lockstep {
  bool on;
  bool hashed; /* `end` is to make a hash */
  /* An issue is over (also a last one before the warp's lanes all wait): the result is a hash of
   * its accesses, 0 if there were none. */
  uint64_t (*end)(void);
  /* These lanes run the block at `pc`, an address behind the compiler's call. */
  void (*issue)(struct block *block, struct warp *warp, const void *pc, unsigned lanes);
};
extern struct sd_lockstep sd_lockstep;

/* sd_is_checked - the observer wants to know where lanes stand and what they were called by */
static inline bool sd_is_checked(void) {
  return __builtin_expect(sd_observer != NULL, 0) && !sd_lockstep.on;
}

/* sd_lockstep_next - no lane of the warp can run but for those that stopped: ends the issue and
 * makes the next one's lanes ready, or lets them poll */
void sd_lockstep_next(struct block *block, struct warp *warp);
/* sd_lockstep_split - the running lane stops at `pc`, which begins no basic block */
void sd_lockstep_split(struct worker *me, const void *pc);
/* sd_lockstep_polled - the running lane found no change of what it polls */
void sd_lockstep_polled(struct worker *me);

#endif
