/* Functions of a warp: votes, shuffles and whatever else lanes do together.
 *
 * Method   lanes meet by mask and function. The last one to come computes for all. When the
 *          block cannot go on although lanes wait here, the mask was wrong: that is reported,
 *          once a grid, and those that are there go on among themselves. What else is wrong
 *          with a mask is reported to the observer (mask.c)
 */
#include "schedule/suspend.h"

/* Lanes of the warp that wait for the same function and mask as `lane`. */
static unsigned group_of(const struct warp *warp, const struct lane *lane) {
  unsigned group = 0;
  for (unsigned m = warp->collective; m; m &= m - 1) {
    const unsigned i = (unsigned)__builtin_ctz(m);
    const struct lane *other = &warp->lanes[i];
    if (other->call.collective == lane->call.collective && other->mask == lane->mask)
      group |= 1u << i;
  }
  return group;
}

static void meet(void *const arguments[LANES], unsigned lanes) {
  (void)arguments;
  (void)lanes;
}

static void notify(struct block *block, struct warp *warp, unsigned group,
                   simt_collective_fn function) {
  const bool sync = function == meet;
  sd_mask_complete(block, warp, group, sync);
  if (sync)
    SD_NOTIFY(warp_sync, block, warp, group);
  else
    SD_NOTIFY(warp_exchange, block, warp, group);
  sd_shuffle_begin(block, warp);
}

static void complete(struct block *block, struct warp *warp, unsigned group) {
  void *arguments[LANES] = {NULL};
  simt_collective_fn function = NULL;
  for (unsigned m = group; m; m &= m - 1) {
    struct lane *lane = &warp->lanes[__builtin_ctz(m)];
    arguments[__builtin_ctz(m)] = lane->argument;
    lane->result = group;
    function = lane->call.collective;
  }
  if (__builtin_expect(sd_observer != NULL, 0)) notify(block, warp, group, function);
  if (function) function(arguments, group);
  warp->collective &= ~group;
  sd_make_ready(block, warp, group);
  sd_current->counters.collectives++;
  if (!sd_observer) sd_count(&sd_current->progress);
}

/* A lane has returned: those that waited for it need not any more. */
void sd_collective_exit(struct block *block, struct warp *warp) {
  for (unsigned m = warp->collective; m;) {
    const struct lane *lane = &warp->lanes[__builtin_ctz(m)];
    const unsigned group = group_of(warp, lane);
    m &= ~group;
    if (!(lane->mask & warp->present & ~warp->finished & ~group)) complete(block, warp, group);
  }
}

bool sd_release_stuck_collectives(struct block *block) {
  for (unsigned w = 0; w < block->warps; w++) {
    struct warp *warp = &block->warp_list[w];
    if (!warp->collective) continue;
    struct lane *lane = &warp->lanes[__builtin_ctz(warp->collective)];
    const unsigned group = group_of(warp, lane);
    sd_mask_stuck(block, warp, lane, group);
    complete(block, warp, group);
    return true;
  }
  return false;
}

static inline __attribute__((always_inline)) unsigned
collective(unsigned mask, simt_collective_fn function, void *argument, const char *what,
           const char *file, int line, const void *frame) {
  struct worker *me = sd_current;
  if (!me || !me->lane) {
    void *arguments[LANES] = {argument};
    function(arguments, 1);
    return 1;
  }
  struct lane *lane = me->lane;
  struct block *block = me->block;
  struct warp *warp = block->warp;
  const unsigned bit = sd_lane_bit();
  me->locked = 1;
  lane->call.collective = function;
  lane->argument = argument;
  lane->mask = mask;
  lane->what = what;
  lane->file = file;
  lane->line = line;
  warp->collective |= bit;
  if (__builtin_expect(sd_observer != NULL, 0)) sd_note_position(lane, frame);
  if (!(mask & bit)) sd_mask_without_caller(block, warp, lane);
  if (!(mask & warp->present & ~warp->finished & ~warp->collective)) {
    const unsigned group = group_of(warp, lane);
    if (!(mask & warp->present & ~warp->finished & ~group)) complete(block, warp, group);
  }
  sd_suspend_here(me);
  return lane->result;
}

unsigned simt_collective(unsigned mask, simt_collective_fn function, void *argument,
                         const char *what, const char *file, int line) {
  return collective(mask, function, argument, what, file, line, __builtin_frame_address(0));
}

void simt_sync_warp(unsigned mask, const char *what, const char *file, int line) {
  collective(mask, meet, NULL, what, file, line, __builtin_frame_address(0));
}

/* The lanes at the lowest convergence point go on together. */
void sd_converge(struct block *block, struct warp *warp) {
  uintptr_t lowest = UINTPTR_MAX;
  unsigned group = 0;
  for (unsigned m = warp->converging; m; m &= m - 1) {
    const struct lane *lane = &warp->lanes[__builtin_ctz(m)];
    if (lane->site < lowest) {
      lowest = lane->site;
      group = 0;
    }
    if (lane->site == lowest) group |= m & -m;
  }
  for (unsigned m = group; m; m &= m - 1) warp->lanes[__builtin_ctz(m)].result = group;
  warp->converging &= ~group;
  sd_make_ready(block, warp, group);
}

unsigned simt_converged(const char *file, int line) {
  struct worker *me = sd_current;
  (void)file;
  if (!me || !me->lane) return 1;
  me->locked = 1;
  me->lane->site = (uintptr_t)line;
  me->block->warp->converging |= sd_lane_bit();
  sd_suspend();
  return me->lane->result;
}
