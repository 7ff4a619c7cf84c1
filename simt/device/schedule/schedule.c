/* Which lane of a block runs next.
 *
 * Method   a warp runs until none of its lanes can, then its lanes at a convergence point go
 *          on together, then the next warp has its turn. When no warp can run, waiting and
 *          polling lanes are looked at, and a block that still cannot go on is given back to
 *          its worker, which may run another one. A lane that returns leaves its stack to
 *          the next unstarted one, so kernels that never wait use one stack
 */
#include "lockstep.h"
#include "suspend.h"

__thread struct worker *sd_current;
__thread struct uint3 threadIdx, blockIdx, blockDim, gridDim;

unsigned sd_lane_number(const struct lane *lane) {
  return (unsigned)(lane - sd_current->block->lanes);
}

void sd_make_ready(struct block *block, struct warp *warp, unsigned lanes) {
  warp->ready |= lanes;
  block->runnable |= 1u << (warp - block->warp_list);
}

/* The warp after the running one, in the order of the schedule, among the set bits. */
static struct warp *next_warp(struct worker *me, struct block *block) {
  const unsigned all = block->runnable;
  const unsigned now = (unsigned)(block->warp - block->warp_list);
  unsigned from = now;
  switch (sd_options()->order) {
  case SD_REVERSE: {
    const unsigned below = all & ((1u << now) - 1);
    return &block->warp_list[31 - __builtin_clz(below ? below : all)];
  }
  case SD_RANDOM: from = (unsigned)(sd_random(&me->random) % MAX_WARPS); break;
  case SD_FORWARD: break;
  }
  const unsigned above = from < 31 ? all & ~((2u << from) - 1) : 0;
  return &block->warp_list[__builtin_ctz(above ? above : all)];
}

/* Lanes whose turn was over have not come to where the others of the warp rest or meet: they go on
 * first, unless others have waited for them again and again. */
static bool lead_preempted(struct warp *warp) {
  enum { LED = 16 };
  if (!warp->preempted || ++warp->preempted_led > LED) {
    warp->preempted_led = 0;
    return false;
  }
  warp->ready |= warp->preempted;
  warp->polling &= ~warp->preempted;
  warp->preempted = 0;
  return true;
}

/* The lane to run, or NULL when the whole block waits. */
static struct lane *pick(struct worker *me, struct block *block) {
  struct warp *warp = block->warp;
  for (;;) {
    const unsigned able = warp->ready | warp->unstarted;
    if (able) {
      block->warp = warp;
      return &warp->lanes[__builtin_ctz(able)];
    }
    if (warp->held) {
      /* In lockstep those who print or ask are together already. */
      if (warp->converging)
        sd_converge(block, warp);
      else
        sd_lockstep_next(block, warp);
      continue;
    }
    if (warp->converging) {
      if (lead_preempted(warp)) continue;
      if (warp->resting) {
        warp->ready |= warp->resting;
        warp->resting = 0;
      } else {
        sd_converge(block, warp);
      }
      continue;
    }
    block->runnable &= ~(1u << (warp - block->warp_list));
    if (!block->runnable) return NULL;
    block->warp = warp = next_warp(me, block);
  }
}

static bool wake_polling(struct block *block) {
  bool any = false;
  for (unsigned w = 0; w < block->warps; w++) {
    struct warp *warp = &block->warp_list[w];
    if (!warp->polling) continue;
    sd_make_ready(block, warp, warp->polling);
    warp->polling = warp->preempted = 0;
    any = true;
  }
  return any;
}

/* Lanes of one warp that are still on their way to where others rest. */
static bool wake_late(struct block *block) {
  bool any = false;
  for (unsigned w = 0; w < block->warps; w++) {
    struct warp *warp = &block->warp_list[w];
    if (!warp->resting || !lead_preempted(warp)) continue;
    sd_make_ready(block, warp, warp->ready);
    any = true;
  }
  return any;
}

static bool wake_resting(struct block *block) {
  bool any = false;
  if (wake_late(block)) return true;
  for (unsigned w = 0; w < block->warps; w++) {
    struct warp *warp = &block->warp_list[w];
    if (!warp->resting) continue;
    sd_make_ready(block, warp, warp->resting);
    warp->resting = 0;
    any = true;
  }
  if (any && !sd_observer) sd_count(&sd_current->progress);
  return any;
}

static bool any_lane(const struct block *block, size_t mask_offset) {
  for (unsigned w = 0; w < block->warps; w++) {
    const unsigned char *warp = (const unsigned char *)&block->warp_list[w];
    if (*(const unsigned *)(const void *)(warp + mask_offset)) return true;
  }
  return false;
}

/* Nothing in the block can run: what now? Either some lanes become ready (true) or the
 * worker gets the block back (false, *why set). */
static bool unblock(struct block *block, enum leave *why) {
  if (block->live == 0) return *why = LEFT_FINISHED, false;
  if (wake_resting(block)) return true;
  if (sd_wake_waiting(block)) return true;
  if (any_lane(block, offsetof(struct warp, polling))) return *why = LEFT_POLLING, false;
  if (sd_release_stuck_collectives(block)) return true;
  if (any_lane(block, offsetof(struct warp, waiting))) return *why = LEFT_WAITING, false;
  if (block->at_grid && block->at_grid == block->live) return *why = LEFT_GRID, false;
  sd_release_stuck_barrier(block);
  return true;
}

static void set_coordinates(const struct lane *lane) { threadIdx = lane->index; }

void sd_dispatch(struct worker *me, void **save, struct stack *exiting) {
  struct block *block = me->block;
  struct lane *lane, *before = me->lane;
  enum leave why = LEFT_ABORTED;
  if (atomic_load_explicit(&block->grid->error, memory_order_relaxed)) {
    if (exiting) sd_stack_give(&me->stacks, exiting);
    sd_leave(LEFT_ABORTED);
  }
  while (!(lane = pick(me, block)))
    if (!unblock(block, &why)) {
      if (exiting) sd_stack_give(&me->stacks, exiting);
      me->lane = NULL;
      me->leave = why;
      sd_swap(save, me->main_sp);
      return;
    }
  const unsigned bit = lane->bit;
  struct warp *warp = block->warp;
  me->lane = lane;
  set_coordinates(lane);
  if (warp->unstarted & bit) {
    warp->unstarted &= ~bit;
    if (exiting) {
      lane->stack = exiting;
      return;
    }
    lane->stack = sd_stack_take(&me->stacks, sd_stack_main);
    if (!lane->stack) {
      sd_fail_out_of_memory(block->grid, "the stack of another thread");
      sd_leave(LEFT_ABORTED);
    }
    sd_swap(save, lane->stack->sp);
    return;
  }
  warp->ready &= ~bit;
  if (lane == before && !exiting) return;
  if (exiting) {
    sd_stack_give(&me->stacks, exiting);
    sd_continue(lane->sp);
  }
  sd_swap(save, lane->sp);
}

void sd_suspend(void) {
  struct worker *me = sd_current;
  me->locked = 1;
  sd_suspend_here(me);
}

/* Here and not with the other barriers: a call more is a return more that the processor may
 * predict wrongly. */
void simt_barrier(const char *file, int line) {
  struct worker *me = sd_current;
  if (!me || !me->lane) return;
  me->locked = 1;
  if (sd_is_checked()) {
    sd_observed_barrier(file, line);
    return;
  }
  sd_barrier_arrive(me, file, line);
  sd_suspend_here(me);
}

/* The usual case of sd_dispatch when a lane leaves its stack: the warp's next one has it. */
static inline bool begin_next(struct worker *me, struct block *block, struct warp *warp) {
  if (warp->ready || !warp->unstarted || block->warp != warp ||
      atomic_load_explicit(&block->grid->error, memory_order_relaxed))
    return false;
  struct lane *next = &warp->lanes[__builtin_ctz(warp->unstarted)];
  warp->unstarted &= warp->unstarted - 1;
  next->stack = me->lane->stack;
  me->lane = next;
  set_coordinates(next);
  return true;
}

/* The running lane has returned. */
static void finish_lane(struct worker *me) {
  struct block *block = me->block;
  struct lane *lane = me->lane;
  struct warp *warp = block->warp;
  const unsigned bit = sd_lane_bit();
  warp->finished |= bit;
  block->live--;
  sd_count(&me->exits);
  SD_NOTIFY_BARE(lane_end);
  if (warp->collective) sd_collective_exit(block, warp);
  if (block->at_barrier && block->at_barrier == block->live) sd_barrier_complete(block);
  if (!begin_next(me, block, warp)) sd_dispatch(me, &lane->sp, lane->stack);
}

/* The usual end, nobody waits for this lane and another one of its warp has begun. */
static inline void finish_fast(struct worker *me) {
  struct block *block = me->block;
  struct lane *lane = me->lane;
  struct warp *warp = block->warp;
  const unsigned ready = warp->ready;
  if (!ready || warp->collective || block->at_barrier == block->live - 1) return;
  if (sd_is_checked()) return;
  warp->finished |= lane->bit;
  block->live--;
  sd_count(&me->exits);
  warp->ready = ready & (ready - 1);
  sd_stack_give(&me->stacks, lane->stack);
  struct lane *next = &warp->lanes[__builtin_ctz(ready)];
  me->lane = next;
  threadIdx = next->index;
  sd_continue(next->sp);
}

/* All threads of the block, by its one lane. */
static void run_by_blocks(const struct worker *me) {
  const struct grid *grid = me->grid;
  const struct uint3 g = grid->config.grid, at = me->block->index;
  const uint64_t linear = at.x + (uint64_t)g.x * (at.y + (uint64_t)g.y * at.z);
  const struct simt_range range = {g, grid->config.block, linear, linear + 1, 0, grid->threads};
  grid->kernel->range(grid->body, &range);
}

/* Every stack's loop: runs the current lane, then whichever unstarted one inherits it. */
void sd_stack_main(void) {
  struct worker *me = sd_current;
  for (;;) {
    if (me->restart) {
      me->restart = false;
    } else {
      me->locked = 0;
      if (__builtin_expect(me->grid->by_blocks, 0))
        run_by_blocks(me);
      else
        me->grid->kernel->thread(me->grid->body);
      me->locked = 1;
      finish_fast(me);
    }
    finish_lane(me);
  }
}

void sd_abandon_lane(void) {
  struct worker *me = sd_current;
  me->locked = 1;
  me->restart = true;
  sd_stack_prepare(me->lane->stack, sd_stack_main);
  sd_continue(me->lane->stack->sp);
}

void sd_leave(enum leave why) {
  struct worker *me = sd_current;
  me->locked = 1;
  me->lane = NULL;
  me->leave = why;
  sd_continue(me->main_sp);
}

enum leave sd_run_block(struct worker *me, struct block *block) {
  me->block = block;
  me->locked = 1;
  if (block->started) {
    sd_grid_release(block);
    wake_polling(block);
    sd_wake_waiting(block);
  }
  block->started = true;
  struct lane *lane;
  enum leave why = LEFT_ABORTED;
  while (!(lane = pick(me, block)))
    if (!unblock(block, &why)) return why;
  me->lane = lane;
  me->leave = LEFT_ABORTED;
  set_coordinates(lane);
  const unsigned bit = lane->bit;
  if (block->warp->unstarted & bit) {
    block->warp->unstarted &= ~bit;
    lane->stack = sd_stack_take(&me->stacks, sd_stack_main);
    if (!lane->stack) {
      sd_fail_out_of_memory(block->grid, "the stack of another thread");
      return LEFT_ABORTED;
    }
    sd_swap(&me->main_sp, lane->stack->sp);
  } else {
    block->warp->ready &= ~bit;
    sd_swap(&me->main_sp, lane->sp);
  }
  me->locked = 1;
  return me->leave;
}
