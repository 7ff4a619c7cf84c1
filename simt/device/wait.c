/* Waiting for memory, for a condition, and for the whole grid. */
#include "grid.h"

void simt_yield(void) {
  struct worker *me = sd_me;
  if (!me || !me->lane) return;
  me->locked = 1;
  me->block->warp->polling |= sd_lane_bit();
  sd_suspend();
}

enum { TURNS = 64 };

__thread unsigned int simt_turns = TURNS;

void simt_rest(void) {
  struct worker *me = sd_me;
  simt_turns = TURNS;
  if (!me || !me->lane) return;
  me->locked = 1;
  me->block->warp->resting |= me->lane->bit;
  sd_suspend();
}

void simt_wait(int (*ready)(void *user), void *user, const char *what, const char *file, int line) {
  struct worker *me = sd_me;
  if (!me || !me->lane) return;
  if (ready(user)) return;
  me->locked = 1;
  struct lane *lane = me->lane;
  lane->call.ready = ready;
  lane->argument = user;
  lane->what = what;
  lane->file = file;
  lane->line = line;
  me->block->warp->waiting |= sd_lane_bit();
  sd_suspend();
}

bool sd_waiting_ready(struct block *block) {
  bool any = false;
  for (unsigned int w = 0; w < block->warps; ++w) {
    struct warp *warp = &block->warp_list[w];
    for (unsigned int m = warp->waiting; m; m &= m - 1) {
      const struct lane *lane = &warp->lanes[__builtin_ctz(m)];
      if (!lane->call.ready(lane->argument)) continue;
      warp->waiting &= ~(m & -m);
      sd_make_ready(block, warp, m & -m);
      any = true;
    }
  }
  return any;
}

int simt_is_cooperative(void) {
  const struct worker *me = sd_me;
  return me && me->grid && (me->grid->config.flags & SIMT_COOPERATIVE) != 0;
}

/* The last block to arrive, or to finish, opens the next phase. */
static void open_if_complete(struct grid *grid) {
  const uint64_t gone = atomic_load(&grid->finished);
  uint64_t arrived = atomic_load(&grid->grid_arrived);
  if (arrived == 0 || arrived + gone < grid->blocks) return;
  if (!atomic_compare_exchange_strong(&grid->grid_arrived, &arrived, 0)) return;
  if (gone && !atomic_exchange(&grid->grid_uneven, true))
    sd_report("barrier divergence: kernel %s (%s:%d): %llu of %llu blocks wait at the grid's "
              "barrier, the others have returned",
              grid->kernel->name, grid->kernel->file, grid->kernel->line,
              (unsigned long long)arrived, (unsigned long long)grid->blocks);
  atomic_fetch_add(&grid->grid_phase, 1);
}

void sd_grid_arrive(struct block *block) {
  struct grid *grid = block->grid;
  block->grid_phase = atomic_load(&grid->grid_phase);
  atomic_fetch_add(&grid->grid_arrived, 1);
  open_if_complete(grid);
}

void sd_grid_leave(struct grid *grid) {
  atomic_fetch_add(&grid->finished, 1);
  open_if_complete(grid);
}

bool sd_grid_passed(const struct block *block) {
  return atomic_load(&block->grid->grid_phase) != block->grid_phase;
}

void sd_grid_release(struct block *block) {
  if (!block->at_grid || block->at_grid < block->live || !sd_grid_passed(block)) return;
  for (unsigned int w = 0; w < block->warps; ++w) {
    struct warp *warp = &block->warp_list[w];
    if (!warp->grid) continue;
    sd_make_ready(block, warp, warp->grid);
    warp->grid = 0;
  }
  block->at_grid = 0;
  sd_count(&sd_me->progress);
}

void simt_grid_barrier(const char *file, int line) {
  struct worker *me = sd_me;
  if (!me || !me->lane) return;
  me->locked = 1;
  me->lane->file = file;
  me->lane->line = line;
  me->block->warp->grid |= sd_lane_bit();
  ++me->block->at_grid;
  sd_suspend();
}
