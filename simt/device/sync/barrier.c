/* Barriers of a block and of a grid, and what they say about divergence.
 *
 * Method   a barrier is its source line. It is complete when every lane that has not returned
 *          has come. Lanes that returned on a line before the barrier's are the usual guard
 *          and fine; lanes that walked round the barrier and returned later are barrier
 *          divergence, as are lanes that wait at different lines. Both are reported, once a
 *          grid, and the waiting lanes go on. A block comes to the grid's barrier by its thread
 *          0, so that this one may not have returned at all
 */
#include "schedule/lockstep.h"

#include <stdio.h>

struct location {
  const struct lane *lane; /* one of those that wait there */
  uint64_t calls;          /* the calls around it, if there is an observer */
  unsigned waiting;
};

enum { LOCATIONS = 8 };

static bool same_location(const struct location *location, const struct lane *lane,
                          uint64_t calls) {
  return location->lane->line == lane->line && location->calls == calls &&
         sd_same_file(location->lane->file, lane->file);
}

static size_t waiting_locations(const struct block *block, struct location *locations, bool grid) {
  size_t n = 0;
  for (unsigned t = 0; t < block->threads; t++) {
    const struct lane *lane = &block->lanes[t];
    const struct warp *warp = &block->warp_list[t / LANES];
    if (!((grid ? warp->grid : warp->barrier) >> t % LANES & 1)) continue;
    const uint64_t calls = sd_is_checked() ? sd_call_stack_hash(lane) : 0;
    size_t i = 0;
    while (i < n && !same_location(&locations[i], lane, calls)) i++;
    if (i == LOCATIONS) continue;
    if (i == n) locations[n++] = (struct location){lane, calls, 0};
    locations[i].waiting++;
  }
  return n;
}

static bool is_finished(const struct block *block, unsigned t) {
  return block->warp_list[t / LANES].finished >> t % LANES & 1;
}

/* Lanes that returned behind the barrier at `location`, which stands in the kernel's own text. In
 * a kernel of one line, such as a macro makes, the line does not say it: none. The observer
 * knows more. */
static unsigned walked_round(const struct block *block, const struct location *location,
                             int *line) {
  const struct simt_kernel *kernel = block->grid->kernel;
  const bool checked = sd_is_checked();
  unsigned n = 0;
  if (!checked && !sd_in_kernel(kernel, location->lane->file, location->lane->line)) return 0;
  for (unsigned t = 0; t < block->threads; t++) {
    const struct lane *gone = &block->lanes[t];
    if (!is_finished(block, t)) continue;
    if (checked ? !sd_returned_behind(block, location->lane, gone)
                : gone->return_line < location->lane->line)
      continue;
    n++;
    *line = gone->return_line;
  }
  return n;
}

static const struct lane *lane_at_grid(const struct block *block) {
  for (unsigned t = 0; t < block->threads; t++)
    if (block->warp_list[t / LANES].grid >> t % LANES & 1) return &block->lanes[t];
  return NULL;
}

/* What the others do, as the finding's second location. */
static struct sd_location other_location(const struct block *block,
                                         const struct location *locations, size_t n, int returned) {
  if (n > 1) return (struct sd_location){locations[1].lane->file, locations[1].lane->line};
  if (returned) return (struct sd_location){block->grid->kernel->file, returned};
  const struct lane *at_grid = lane_at_grid(block);
  if (at_grid && at_grid != locations[0].lane)
    return (struct sd_location){at_grid->file, at_grid->line};
  return (struct sd_location){NULL, 0};
}

/* Once a grid; for the observer once a block, since blocks may differ. */
static bool already_reported(struct block *block) {
  const bool grid = atomic_exchange(&block->grid->barrier_reported, true);
  const bool reported = sd_is_checked() ? block->barrier_reported : grid;
  block->barrier_reported = true;
  return reported;
}

static void report(struct block *block, const struct location *locations, size_t n) {
  if (already_reported(block)) return;
  const struct simt_kernel *kernel = block->grid->kernel;
  char text[1024];
  size_t used = 0;
  unsigned waiting = 0;
  text[0] = 0;
  for (size_t i = 0; i < n && used < sizeof text; i++) {
    used +=
        (size_t)snprintf(text + used, sizeof text - used, "%s%u wait at %s:%d", i ? ", " : "",
                         locations[i].waiting, locations[i].lane->file, locations[i].lane->line);
    waiting += locations[i].waiting;
  }
  int line = 0;
  const unsigned round = walked_round(block, &locations[0], &line);
  const unsigned gone = block->threads - block->live;
  if (round && used < sizeof text)
    used += (size_t)snprintf(text + used, sizeof text - used,
                             ", %u walked round it and returned on line %d", round, line);
  if (gone > round && used < sizeof text)
    used +=
        (size_t)snprintf(text + used, sizeof text - used, ", %u returned before it", gone - round);
  if (waiting < block->live && used < sizeof text)
    snprintf(text + used, sizeof text - used, ", %u wait elsewhere", block->live - waiting);
  const struct sd_location pair[2] = {{locations[0].lane->file, locations[0].lane->line},
                                      other_location(block, locations, n, line)};
  struct lane *running = sd_speak_for(locations[0].lane);
  sd_report_finding(
      SD_BARRIER_DIVERGENCE, pair,
      "kernel %s (%s:%d), block (%u,%u,%u): of %u threads %s. All threads of a block must "
      "reach the same barrier: move it out of the branch",
      kernel->name, kernel->file, kernel->line, block->index.x, block->index.y, block->index.z,
      block->threads, text);
  sd_current->lane = running;
}

static void release(struct block *block) {
  for (unsigned w = 0; w < block->warps; w++) {
    struct warp *warp = &block->warp_list[w];
    if (!warp->barrier) continue;
    sd_make_ready(block, warp, warp->barrier);
    warp->barrier = 0;
  }
  block->at_barrier = 0;
  block->lines_differ = false;
  block->collective = NULL;
  block->ones = block->ones_here;
  block->ones_here = 0;
  sd_current->counters.barriers++;
  sd_count(&sd_current->progress);
}

static void run_collective(struct block *block) {
  void *arguments[LANES * MAX_WARPS];
  unsigned n = 0;
  for (unsigned t = 0; t < block->threads; t++)
    if (block->warp_list[t / LANES].barrier >> t % LANES & 1)
      arguments[n++] = block->lanes[t].argument;
  block->collective(arguments, n);
}

static void check_locations(struct block *block) {
  struct location locations[LOCATIONS];
  const size_t n = waiting_locations(block, locations, false);
  int line = 0;
  if (n > 1 || (n && block->live < block->threads && walked_round(block, &locations[0], &line)))
    report(block, locations, n);
}

void sd_barrier_complete(struct block *block) {
  SD_NOTIFY(barrier, block);
  if (sd_is_checked()) {
    if (!block->barrier_reported) check_locations(block);
  } else if (!atomic_load_explicit(&block->grid->barrier_reported, memory_order_relaxed) &&
             (block->live < block->threads || block->lines_differ)) {
    check_locations(block);
  }
  /* From one location they come with the same function, each with its argument. */
  if (block->collective && !block->lines_differ) run_collective(block);
  release(block);
}

/* All that have not returned wait at the grid's barrier. */
void sd_grid_complete(struct block *block) {
  struct location locations[LOCATIONS];
  int line = 0;
  if (sd_is_checked()
          ? block->barrier_reported
          : block->live == block->threads || atomic_load(&block->grid->barrier_reported))
    return;
  const size_t n = waiting_locations(block, locations, true);
  if (n > 1 || (n && (is_finished(block, 0) || walked_round(block, &locations[0], &line))))
    report(block, locations, n);
}

/* Only the grid's barrier is left, and not all have come. */
static void grid_stuck(struct block *block) {
  const struct simt_kernel *kernel = block->grid->kernel;
  const struct lane *lane = lane_at_grid(block);
  const struct sd_location locations[2] = {{lane ? lane->file : NULL, lane ? lane->line : 0},
                                           {NULL, 0}};
  if (!already_reported(block))
    sd_report_finding(
        SD_BARRIER_DIVERGENCE, locations,
        "kernel %s (%s:%d), block (%u,%u,%u): %u of %u threads wait at the grid's barrier, "
        "the others never come",
        kernel->name, kernel->file, kernel->line, block->index.x, block->index.y, block->index.z,
        block->at_grid, block->live);
  SD_NOTIFY(grid_barrier, block->grid);
  for (unsigned w = 0; w < block->warps; w++) {
    struct warp *warp = &block->warp_list[w];
    if (warp->grid) sd_make_ready(block, warp, warp->grid);
    warp->grid = 0;
  }
  block->at_grid = 0;
}

void sd_release_stuck_barrier(struct block *block) {
  struct location locations[LOCATIONS];
  const size_t n = waiting_locations(block, locations, false);
  if (!n) {
    grid_stuck(block);
    return;
  }
  report(block, locations, n);
  SD_NOTIFY(barrier, block);
  release(block);
}

static inline __attribute__((always_inline)) unsigned wait_here(int predicate,
                                                                simt_block_fn function,
                                                                void *argument, const char *file,
                                                                int line, const void *frame) {
  struct worker *me = sd_current;
  if (!me || !me->lane) return (unsigned)(predicate != 0);
  struct lane *lane = me->lane;
  struct block *block = me->block;
  me->locked = 1;
  block->ones_here += predicate != 0;
  lane->argument = argument;
  block->collective = function;
  if (__builtin_expect(sd_observer != NULL, 0)) sd_note_position(lane, frame);
  sd_barrier_arrive(me, file, line);
  sd_suspend();
  return block->ones;
}

struct simt_tally simt_barrier_tally(int predicate, const char *file, int line) {
  const unsigned ones = wait_here(predicate, NULL, NULL, file, line, __builtin_frame_address(0));
  const struct worker *me = sd_current;
  return (struct simt_tally){ones, me && me->lane ? me->block->live : 1};
}

void simt_block_collective(simt_block_fn function, void *argument, const char *file, int line) {
  wait_here(0, function, argument, file, line, __builtin_frame_address(0));
}
