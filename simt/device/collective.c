/* Functions of a warp: votes, shuffles and whatever else lanes do together.
 *
 * Method   lanes meet by mask and function. The last one to come computes for all. When the
 *          block cannot go on although lanes wait here, the mask was wrong: that is reported,
 *          once a grid, and those that are there go on among themselves
 */
#include "grid.h"

#include <stdio.h>

/* Lanes of the warp that wait for the same function and mask as `lane`. */
static unsigned int group_of(const struct warp *warp, const struct lane *lane) {
  unsigned int group = 0;
  for (unsigned int m = warp->collective; m; m &= m - 1) {
    const unsigned int i = (unsigned int)__builtin_ctz(m);
    const struct lane *other = &warp->lanes[i];
    if (other->call.collective == lane->call.collective && other->mask == lane->mask)
      group |= 1u << i;
  }
  return group;
}

static void complete(struct block *block, struct warp *warp, unsigned int group) {
  void *arguments[LANES] = {NULL};
  simt_collective_fn function = NULL;
  for (unsigned int m = group; m; m &= m - 1) {
    struct lane *lane = &warp->lanes[__builtin_ctz(m)];
    arguments[__builtin_ctz(m)] = lane->argument;
    lane->result = group;
    function = lane->call.collective;
  }
  if (function) function(arguments, group);
  warp->collective &= ~group;
  sd_make_ready(block, warp, group);
  ++sd_me->counters.collectives;
}

static void report_mask(const struct block *block, const struct warp *warp, const struct lane *lane,
                        unsigned int group, const char *why) {
  if (atomic_exchange(&block->grid->collective_reported, true)) return;
  const struct simt_kernel *kernel = block->grid->kernel;
  sd_report("wrong warp mask: kernel %s (%s:%d), block (%u,%u,%u), warp %u: %s at %s:%d with mask "
            "%08x %s (lanes that called: %08x, lanes that have returned: %08x)",
            kernel->name, kernel->file, kernel->line, block->index.x, block->index.y,
            block->index.z, (unsigned int)(warp - block->warp_list), lane->what, lane->file,
            lane->line, lane->mask, why, group, warp->finished);
}

/* A lane has returned: those that waited for it need not any more. */
void sd_collective_exit(struct block *block, struct warp *warp) {
  for (unsigned int m = warp->collective; m;) {
    const struct lane *lane = &warp->lanes[__builtin_ctz(m)];
    const unsigned int group = group_of(warp, lane);
    m &= ~group;
    if (!(lane->mask & warp->present & ~warp->finished & ~group)) complete(block, warp, group);
  }
}

bool sd_collective_stuck(struct block *block) {
  for (unsigned int w = 0; w < block->warps; ++w) {
    struct warp *warp = &block->warp_list[w];
    if (!warp->collective) continue;
    const struct lane *lane = &warp->lanes[__builtin_ctz(warp->collective)];
    const unsigned int group = group_of(warp, lane);
    report_mask(block, warp, lane, group, "names lanes that never come");
    complete(block, warp, group);
    return true;
  }
  return false;
}

unsigned int simt_collective(unsigned int mask, simt_collective_fn function, void *argument,
                             const char *what, const char *file, int line) {
  struct worker *me = sd_me;
  if (!me || !me->lane) {
    void *arguments[LANES] = {argument};
    function(arguments, 1);
    return 1;
  }
  struct lane *lane = me->lane;
  struct block *block = me->block;
  struct warp *warp = block->warp;
  const unsigned int bit = sd_lane_bit();
  me->locked = 1;
  lane->call.collective = function;
  lane->argument = argument;
  lane->mask = mask;
  lane->what = what;
  lane->file = file;
  lane->line = line;
  warp->collective |= bit;
  if (!(mask & bit)) report_mask(block, warp, lane, bit, "does not name the calling lane");
  if (!(mask & warp->present & ~warp->finished & ~warp->collective)) {
    const unsigned int group = group_of(warp, lane);
    if (!(mask & warp->present & ~warp->finished & ~group)) complete(block, warp, group);
  }
  sd_suspend();
  return lane->result;
}

/* The lanes at the lowest convergence point go on together. */
void sd_converge(struct block *block, struct warp *warp) {
  uintptr_t lowest = UINTPTR_MAX;
  unsigned int group = 0;
  for (unsigned int m = warp->converging; m; m &= m - 1) {
    const struct lane *lane = &warp->lanes[__builtin_ctz(m)];
    if (lane->site < lowest) {
      lowest = lane->site;
      group = 0;
    }
    if (lane->site == lowest) group |= m & -m;
  }
  for (unsigned int m = group; m; m &= m - 1) warp->lanes[__builtin_ctz(m)].result = group;
  warp->converging &= ~group;
  sd_make_ready(block, warp, group);
}

unsigned int simt_converged(const char *file, int line) {
  struct worker *me = sd_me;
  (void)file;
  if (!me || !me->lane) return 1;
  me->locked = 1;
  me->lane->site = (uintptr_t)line;
  me->block->warp->converging |= sd_lane_bit();
  sd_suspend();
  return me->lane->result;
}
