/* Where lanes stand in the kernel's text, while there is an observer.
 *
 * Method   a lane that waits has the frame of the function that called; from there saved
 *          frame pointers lead to the kernel's own. Of two lanes of a kernel the
 *          outermost calls are the same; where they first differ both are in one function,
 *          and the one with the lower address comes first in the source
 * Limits   programs with frame pointers, compiled without optimisation (an instrumented one is):
 *          else code need not be in the order of the source, and source lines alone are asked
 */
#include "grid.h"

#include <string.h>

size_t sd_call_stack(const struct lane *lane, const void **pcs, size_t room) {
  const void *const *f = lane->frame;
  size_t n = 0;
  if (!lane->pc) return 0;
  pcs[n++] = lane->pc;
  while (n < room && sd_on_stack(lane, f) && sd_in_program(f[1])) {
    const void *const *up = f[0];
    pcs[n++] = f[1];
    if (up <= f) break;
    f = up;
  }
  return n;
}

/* Of optimised code nothing: it may have a call in several copies. */
uint64_t sd_call_stack_hash(const struct lane *lane) {
  const void *pcs[CALLS];
  if (!(sd_current->grid->kernel->flags & SIMT_IN_ORDER)) return 0;
  const size_t n = sd_call_stack(lane, pcs, CALLS);
  uint64_t hash = n;
  for (size_t i = 0; i < n; i++) hash = (hash ^ (uintptr_t)pcs[i]) * UINT64_C(0x9E3779B97F4A7C15);
  return hash;
}

bool sd_same_file(const char *a, const char *b) { return a == b || (a && b && strcmp(a, b) == 0); }

/* Is the location in the kernel's own text, and is that more than a line, as a macro makes it? */
bool sd_in_kernel(const struct simt_kernel *kernel, const char *file, int line) {
  return kernel->line != kernel->end_line && line >= kernel->line && line <= kernel->end_line &&
         sd_same_file(file, kernel->file);
}

/* For a lane that returns: how deep below the outermost call the kernel's own function is. It is the
 * same for all. */
void sd_note_return(void) {
  struct worker *me = sd_current;
  const void *pcs[CALLS];
  struct lane *lane = me->lane;
  lane->return_pc = lane->pc;
  if (!me->grid->kernel_depth) me->grid->kernel_depth = (unsigned)sd_call_stack(lane, pcs, CALLS);
}

/* Has `gone` returned behind the location at which `waiting` waits? What is not known is no. */
bool sd_returned_behind(const struct block *block, const struct lane *waiting,
                        const struct lane *gone) {
  const struct simt_kernel *kernel = block->grid->kernel;
  const bool lines = sd_in_kernel(kernel, waiting->file, waiting->line);
  const size_t depth = block->grid->kernel_depth;
  if (lines && gone->return_line != waiting->line) return gone->return_line > waiting->line;
  if (kernel->flags & SIMT_IN_ORDER && gone->return_pc && depth) {
    const void *pcs[CALLS];
    const size_t n = sd_call_stack(waiting, pcs, CALLS);
    if (n >= depth && n < CALLS) return gone->return_pc > pcs[n - depth];
  }
  /* All that the kernel calls stands before its end. */
  return lines || (kernel->line != kernel->end_line && gone->return_line == kernel->end_line);
}

/* Does `a` wait at a location before that of `b`? */
bool sd_waits_before(const struct block *block, const struct lane *a, const struct lane *b) {
  const struct simt_kernel *kernel = block->grid->kernel;
  if (a->line != b->line && sd_in_kernel(kernel, a->file, a->line) &&
      sd_in_kernel(kernel, b->file, b->line))
    return a->line < b->line;
  const void *p[CALLS], *q[CALLS];
  if (!(kernel->flags & SIMT_IN_ORDER)) return false;
  size_t n = sd_call_stack(a, p, CALLS), m = sd_call_stack(b, q, CALLS);
  if (n == CALLS || m == CALLS) return false;
  while (n && m)
    if (p[--n] != q[--m]) return p[n] < q[m];
  return false;
}

struct lane *sd_speak_for(const struct lane *lane) {
  struct worker *me = sd_current;
  struct lane *running = me->lane;
  if (sd_observer && me->block) me->lane = &me->block->lanes[lane - me->block->lanes];
  return running;
}

/* ---- Calls while there is an observer: as without, and the frame is kept --------------------- */

void sd_observed_barrier(const char *file, int line) {
  struct worker *me = sd_current;
  sd_note_position(me->lane, __builtin_frame_address(0));
  sd_barrier_arrive(me, file, line);
  sd_suspend();
}

/* sd_preempt - others have their turn; the running lane goes on when this returns */
void sd_preempt(void) {
  struct worker *me = sd_current;
  if (!me || !me->lane) return;
  me->locked = 1;
  sd_count(&me->progress);
  me->block->warp->polling |= sd_lane_bit();
  me->block->warp->preempted |= sd_lane_bit();
  sd_suspend();
}

void sd_observed_yield(void) {
  struct worker *me = sd_current;
  me->locked = 1;
  sd_end_if_overdue(me->lane->pc, me->lane->frame);
  SD_NOTIFY_BARE(polled);
  me->block->warp->polling |= sd_lane_bit();
  sd_suspend();
}
