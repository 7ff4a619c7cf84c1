/* Waiting for memory, for a condition, and for the whole grid. */
#include "schedule/lockstep.h"
#include "schedule/suspend.h"

void simt_yield(void) {
  struct worker *me = sd_current;
  if (!me || !me->lane) return;
  if (sd_lockstep.on) {
    sd_lockstep_polled(me);
    return;
  }
  if (__builtin_expect(sd_observer != NULL, 0)) {
    sd_note_position(me->lane, __builtin_frame_address(0));
    sd_observed_yield();
    return;
  }
  me->locked = 1;
  me->block->warp->polling |= sd_lane_bit();
  sd_suspend();
}

/* A block runs on one OS thread, so that within it only the compiler must be held back. */
void simt_fence(int scope) {
  if (scope == SIMT_FENCE_BLOCK)
    atomic_signal_fence(memory_order_seq_cst);
  else
    atomic_thread_fence(memory_order_seq_cst);
  if (sd_current && sd_current->lane) SD_NOTIFY(fence, scope);
}

enum { TURNS = 64 };

__thread unsigned simt_turns = TURNS;

void simt_rest(void) {
  struct worker *me = sd_current;
  simt_turns = TURNS;
  if (!me || !me->lane) return;
  if (sd_lockstep.on) {
    sd_lockstep_split(me, __builtin_return_address(0));
    return;
  }
  me->locked = 1;
  me->block->warp->resting |= me->lane->bit;
  sd_suspend();
}

void simt_wait(int (*ready)(void *user), void *user, const char *what, const char *file, int line) {
  struct worker *me = sd_current;
  if (!me || !me->lane) return;
  if (ready(user)) return;
  me->locked = 1;
  struct lane *lane = me->lane;
  lane->call.ready = ready;
  lane->argument = user;
  lane->what = what;
  lane->file = file;
  lane->line = line;
  if (__builtin_expect(sd_observer != NULL, 0)) sd_note_position(lane, __builtin_frame_address(0));
  me->block->warp->waiting |= sd_lane_bit();
  sd_suspend();
}

bool sd_wake_waiting(struct block *block) {
  bool any = false;
  for (unsigned w = 0; w < block->warps; w++) {
    struct warp *warp = &block->warp_list[w];
    for (unsigned m = warp->waiting; m; m &= m - 1) {
      const struct lane *lane = &warp->lanes[__builtin_ctz(m)];
      if (!lane->call.ready(lane->argument)) continue;
      warp->waiting &= ~(m & -m);
      sd_make_ready(block, warp, m & -m);
      any = true;
    }
  }
  return any;
}

/* The call in which a lane of the block waits, or nothing. */
static struct sd_location waiting_location(const struct block *block, const char **what) {
  for (unsigned w = 0; block && w < block->warps; w++) {
    const struct warp *warp = &block->warp_list[w];
    if (!warp->waiting) continue;
    const struct lane *lane = &warp->lanes[__builtin_ctz(warp->waiting)];
    *what = lane->what;
    return (struct sd_location){lane->file, lane->line};
  }
  return (struct sd_location){NULL, 0};
}

void sd_end_waiting_if_overdue(struct grid *grid, const struct block *block) {
  const struct simt_kernel *kernel = grid->kernel;
  const char *what = NULL;
  struct sd_location locations[2] = {waiting_location(block, &what), {NULL, 0}};
  if (!atomic_exchange(&grid->overdue, NULL)) return;
  if (what)
    sd_report_finding(
        SD_NO_PROGRESS, locations,
        "kernel %s (%s:%d), block (%u,%u,%u): all threads wait for others, in %s at %s:%d; "
        "the launch is ended with cudaErrorLaunchTimeout",
        kernel->name, kernel->file, kernel->line, block->index.x, block->index.y, block->index.z,
        what, locations[0].file, locations[0].line);
  else
    sd_report_finding(SD_NO_PROGRESS, &(struct sd_location[2]){{kernel->file, kernel->line}}[0],
                      "kernel %s (%s:%d) makes no progress; the launch is ended with "
                      "cudaErrorLaunchTimeout",
                      kernel->name, kernel->file, kernel->line);
  sd_fail_grid(grid, 702 /* cudaErrorLaunchTimeout */);
}

int simt_is_cooperative(void) {
  const struct worker *me = sd_current;
  return me && me->grid && (me->grid->config.flags & SIMT_COOPERATIVE) != 0;
}

static void report_uneven(const struct grid *grid, uint64_t arrived) {
  const struct simt_kernel *kernel = grid->kernel;
  const struct sd_location locations[2] = {grid->barrier_location,
                                           {kernel->file, kernel->end_line}};
  sd_report_finding(
      SD_BARRIER_DIVERGENCE, locations,
      "kernel %s (%s:%d): %llu of %llu blocks wait at the grid's barrier, the others have "
      "returned",
      kernel->name, kernel->file, kernel->line, (unsigned long long)arrived,
      (unsigned long long)grid->blocks);
}

/* The last block to arrive, or to finish, opens the next phase. */
static void open_if_complete(struct grid *grid) {
  const uint64_t gone = atomic_load(&grid->finished);
  uint64_t arrived = atomic_load(&grid->grid_arrived);
  if (arrived == 0 || arrived + gone < grid->blocks) return;
  if (!atomic_compare_exchange_strong(&grid->grid_arrived, &arrived, 0)) return;
  if (gone && !atomic_exchange(&grid->grid_uneven, true)) report_uneven(grid, arrived);
  SD_NOTIFY(grid_barrier, grid);
  atomic_fetch_add(&grid->grid_phase, 1);
}

void sd_grid_arrive(struct block *block) {
  struct grid *grid = block->grid;
  sd_grid_complete(block);
  block->grid_phase = atomic_load(&grid->grid_phase);
  atomic_fetch_add(&grid->grid_arrived, 1);
  open_if_complete(grid);
}

void sd_grid_leave(struct grid *grid) {
  atomic_fetch_add(&grid->finished, 1);
  open_if_complete(grid);
}

bool sd_has_passed_grid(const struct block *block) {
  return atomic_load(&block->grid->grid_phase) != block->grid_phase;
}

void sd_grid_release(struct block *block) {
  if (!block->at_grid || block->at_grid < block->live || !sd_has_passed_grid(block)) return;
  for (unsigned w = 0; w < block->warps; w++) {
    struct warp *warp = &block->warp_list[w];
    if (!warp->grid) continue;
    sd_make_ready(block, warp, warp->grid);
    warp->grid = 0;
  }
  block->at_grid = 0;
  sd_count(&sd_current->progress);
}

/* On a GPU it traps. */
static void report_not_cooperative(struct grid *grid, const char *file, int line) {
  if (atomic_exchange(&grid->grid_uneven, true)) return;
  const struct simt_kernel *kernel = grid->kernel;
  const struct sd_location locations[2] = {{file, line}, {kernel->file, kernel->line}};
  sd_report_finding(
      SD_BAD_CALL, locations,
      "kernel %s (%s:%d) waits at the grid's barrier at %s:%d, and was not launched by "
      "cudaLaunchCooperativeKernel: a GPU ends it with cudaErrorLaunchFailure",
      kernel->name, kernel->file, kernel->line, file, line);
}

void simt_grid_barrier(const char *file, int line) {
  struct worker *me = sd_current;
  if (!me || !me->lane) return;
  me->locked = 1;
  me->lane->file = file;
  me->lane->line = line;
  if (__builtin_expect(sd_observer != NULL, 0)) {
    sd_note_position(me->lane, __builtin_frame_address(0));
    me->grid->barrier_location = (struct sd_location){file, line};
  }
  if (!(me->grid->config.flags & SIMT_COOPERATIVE)) report_not_cooperative(me->grid, file, line);
  me->block->warp->grid |= sd_lane_bit();
  me->block->at_grid++;
  sd_suspend_here(me);
}
