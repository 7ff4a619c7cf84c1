/* sd_suspend in line, for the calls that lanes wait in most often.
 *
 * Method   a call less is a return less that the processor may predict wrongly, and one set less of
 *          registers on the stack
 */
#ifndef SIMT_SUSPEND_H
#define SIMT_SUSPEND_H

#include "grid.h"

/* sd_dispatch - continues the next lane
 *
 * `save` is where the present context goes. Comes back at once when the present lane itself goes
 * on, or when `exiting` leaves its stack to an unstarted lane. */
void sd_dispatch(struct worker *me, void **save, struct stack *exiting);
/* sd_stack_main - every stack's loop: runs the current lane, then whichever unstarted one inherits
 * it */
void sd_stack_main(void);

/* Another lane of the same warp that has begun, or that has not and finds a stack ready: the
 * usual cases, without any calls. NULL otherwise; the caller then switches to *go_on. */
static inline struct lane *sd_next_of_warp(struct worker *me, struct warp *warp, void **go_on) {
  struct lane *lane;
  if (!warp->unstarted) {
    const unsigned ready = warp->ready;
    if (!ready) return NULL;
    warp->ready = ready & (ready - 1);
    lane = &warp->lanes[__builtin_ctz(ready)];
    *go_on = lane->sp;
  } else {
    struct stack *stack = me->stacks.idle;
    if (warp->ready || !stack) return NULL;
    me->stacks.idle = stack->next;
    sd_stack_prepare(stack, sd_stack_main);
    lane = &warp->lanes[__builtin_ctz(warp->unstarted)];
    warp->unstarted &= warp->unstarted - 1;
    lane->stack = stack;
    *go_on = stack->sp;
  }
  me->lane = lane;
  threadIdx = lane->index;
  return lane;
}

/* For those who have entered the running lane in a wait mask: sd_suspend without the call. */
static inline __attribute__((always_inline)) void sd_suspend_here(struct worker *me) {
  struct lane *before = me->lane;
  void *go_on;
  sd_count(&me->switches);
  struct lane *lane = sd_next_of_warp(me, me->block->warp, &go_on);
  if (!lane)
    sd_dispatch(me, &before->sp, NULL);
  else if (lane != before)
    sd_swap(&before->sp, go_on);
  sd_current->locked = 0;
}

#endif
