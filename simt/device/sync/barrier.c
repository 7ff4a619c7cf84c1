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

struct place {
  const struct lane *lane; /* one of those that wait there */
  uint64_t calls;          /* the calls around it, if somebody watches */
  unsigned int waiting;
};

enum { PLACES = 8 };

static bool same_place(const struct place *place, const struct lane *lane, uint64_t calls) {
  return place->lane->line == lane->line && place->calls == calls &&
         sd_same_file(place->lane->file, lane->file);
}

static size_t waiting_places(const struct block *block, struct place *places, bool grid) {
  size_t n = 0;
  for (unsigned int t = 0; t < block->threads; ++t) {
    const struct lane *lane = &block->lanes[t];
    const struct warp *warp = &block->warp_list[t / LANES];
    if (!((grid ? warp->grid : warp->barrier) >> t % LANES & 1)) continue;
    const uint64_t calls = sd_checked() ? sd_calls_hash(lane) : 0;
    size_t i = 0;
    while (i < n && !same_place(&places[i], lane, calls)) ++i;
    if (i == PLACES) continue;
    if (i == n) places[n++] = (struct place){lane, calls, 0};
    ++places[i].waiting;
  }
  return n;
}

static bool is_finished(const struct block *block, unsigned int t) {
  return block->warp_list[t / LANES].finished >> t % LANES & 1;
}

/* Lanes that returned behind the barrier at `place`, which stands in the kernel's own text. In
 * a kernel of one line, such as a macro makes, nobody can tell by the line: none. Who watches
 * knows more. */
static unsigned int walked_round(const struct block *block, const struct place *place, int *line) {
  const struct simt_kernel *kernel = block->grid->kernel;
  const bool watched = sd_checked();
  unsigned int n = 0;
  if (!watched && !sd_in_kernel(kernel, place->lane->file, place->lane->line)) return 0;
  for (unsigned int t = 0; t < block->threads; ++t) {
    const struct lane *gone = &block->lanes[t];
    if (!is_finished(block, t)) continue;
    if (watched ? !sd_returned_behind(block, place->lane, gone)
                : gone->return_line < place->lane->line)
      continue;
    ++n;
    *line = gone->return_line;
  }
  return n;
}

static const struct lane *lane_at_grid(const struct block *block) {
  for (unsigned int t = 0; t < block->threads; ++t)
    if (block->warp_list[t / LANES].grid >> t % LANES & 1) return &block->lanes[t];
  return NULL;
}

/* What the others do, as the finding's second place. */
static struct sd_place other_place(const struct block *block, const struct place *places, size_t n,
                                   int returned) {
  if (n > 1) return (struct sd_place){places[1].lane->file, places[1].lane->line};
  if (returned) return (struct sd_place){block->grid->kernel->file, returned};
  const struct lane *at_grid = lane_at_grid(block);
  if (at_grid && at_grid != places[0].lane) return (struct sd_place){at_grid->file, at_grid->line};
  return (struct sd_place){NULL, 0};
}

/* Once a grid; for who watches once a block, since blocks may differ. */
static bool already_told(struct block *block) {
  const bool grid = atomic_exchange(&block->grid->barrier_reported, true);
  const bool told = sd_checked() ? block->barrier_told : grid;
  block->barrier_told = true;
  return told;
}

static void report(struct block *block, const struct place *places, size_t n) {
  if (already_told(block)) return;
  const struct simt_kernel *kernel = block->grid->kernel;
  char text[1024];
  size_t used = 0;
  unsigned int waiting = 0;
  text[0] = 0;
  for (size_t i = 0; i < n && used < sizeof text; ++i) {
    used += (size_t)snprintf(text + used, sizeof text - used, "%s%u wait at %s:%d", i ? ", " : "",
                             places[i].waiting, places[i].lane->file, places[i].lane->line);
    waiting += places[i].waiting;
  }
  int line = 0;
  const unsigned int round = walked_round(block, &places[0], &line);
  const unsigned int gone = block->threads - block->live;
  if (round && used < sizeof text)
    used += (size_t)snprintf(text + used, sizeof text - used,
                             ", %u walked round it and returned on line %d", round, line);
  if (gone > round && used < sizeof text)
    used +=
        (size_t)snprintf(text + used, sizeof text - used, ", %u returned before it", gone - round);
  if (waiting < block->live && used < sizeof text)
    snprintf(text + used, sizeof text - used, ", %u wait elsewhere", block->live - waiting);
  const struct sd_place pair[2] = {{places[0].lane->file, places[0].lane->line},
                                   other_place(block, places, n, line)};
  struct lane *running = sd_speak_for(places[0].lane);
  sd_wrong(SD_BARRIER_DIVERGENCE, pair,
           "kernel %s (%s:%d), block (%u,%u,%u): of %u threads %s. All threads of a block must "
           "reach the same barrier: move it out of the branch",
           kernel->name, kernel->file, kernel->line, block->index.x, block->index.y, block->index.z,
           block->threads, text);
  sd_me->lane = running;
}

static void release(struct block *block) {
  for (unsigned int w = 0; w < block->warps; ++w) {
    struct warp *warp = &block->warp_list[w];
    if (!warp->barrier) continue;
    sd_make_ready(block, warp, warp->barrier);
    warp->barrier = 0;
  }
  block->at_barrier = 0;
  block->places_differ = false;
  block->collective = NULL;
  block->ones = block->ones_here;
  block->ones_here = 0;
  ++sd_me->counters.barriers;
  sd_count(&sd_me->progress);
}

static void run_collective(struct block *block) {
  void *arguments[LANES * MAX_WARPS];
  unsigned int n = 0;
  for (unsigned int t = 0; t < block->threads; ++t)
    if (block->warp_list[t / LANES].barrier >> t % LANES & 1)
      arguments[n++] = block->lanes[t].argument;
  block->collective(arguments, n);
}

static void check_places(struct block *block) {
  struct place places[PLACES];
  const size_t n = waiting_places(block, places, false);
  int line = 0;
  if (n > 1 || (n && block->live < block->threads && walked_round(block, &places[0], &line)))
    report(block, places, n);
}

void sd_barrier_complete(struct block *block) {
  SD_TELL(barrier, block);
  if (sd_checked()) {
    if (!block->barrier_told) check_places(block);
  } else if (!atomic_load_explicit(&block->grid->barrier_reported, memory_order_relaxed) &&
             (block->live < block->threads || block->places_differ)) {
    check_places(block);
  }
  /* From one place they come with the same function, each with its argument. */
  if (block->collective && !block->places_differ) run_collective(block);
  release(block);
}

/* All that have not returned wait at the grid's barrier. */
void sd_grid_complete(struct block *block) {
  struct place places[PLACES];
  int line = 0;
  if (sd_checked() ? block->barrier_told
                   : block->live == block->threads || atomic_load(&block->grid->barrier_reported))
    return;
  const size_t n = waiting_places(block, places, true);
  if (n > 1 || (n && (is_finished(block, 0) || walked_round(block, &places[0], &line))))
    report(block, places, n);
}

/* Only the grid's barrier is left, and not all have come. */
static void grid_stuck(struct block *block) {
  const struct simt_kernel *kernel = block->grid->kernel;
  const struct lane *lane = lane_at_grid(block);
  const struct sd_place places[2] = {{lane ? lane->file : NULL, lane ? lane->line : 0}, {NULL, 0}};
  if (!already_told(block))
    sd_wrong(SD_BARRIER_DIVERGENCE, places,
             "kernel %s (%s:%d), block (%u,%u,%u): %u of %u threads wait at the grid's barrier, "
             "the others never come",
             kernel->name, kernel->file, kernel->line, block->index.x, block->index.y,
             block->index.z, block->at_grid, block->live);
  SD_TELL(grid_barrier, block->grid);
  for (unsigned int w = 0; w < block->warps; ++w) {
    struct warp *warp = &block->warp_list[w];
    if (warp->grid) sd_make_ready(block, warp, warp->grid);
    warp->grid = 0;
  }
  block->at_grid = 0;
}

void sd_barrier_stuck(struct block *block) {
  struct place places[PLACES];
  const size_t n = waiting_places(block, places, false);
  if (!n) {
    grid_stuck(block);
    return;
  }
  report(block, places, n);
  SD_TELL(barrier, block);
  release(block);
}

static inline __attribute__((always_inline)) unsigned int
wait_here(int predicate, simt_block_fn function, void *argument, const char *file, int line,
          const void *frame) {
  struct worker *me = sd_me;
  if (!me || !me->lane) return (unsigned int)(predicate != 0);
  struct lane *lane = me->lane;
  struct block *block = me->block;
  me->locked = 1;
  block->ones_here += predicate != 0;
  lane->argument = argument;
  block->collective = function;
  if (__builtin_expect(sd_observer != NULL, 0)) sd_stand(lane, frame);
  sd_barrier_arrive(me, file, line);
  sd_suspend();
  return block->ones;
}

struct simt_tally simt_barrier_tally(int predicate, const char *file, int line) {
  const unsigned int ones =
      wait_here(predicate, NULL, NULL, file, line, __builtin_frame_address(0));
  const struct worker *me = sd_me;
  return (struct simt_tally){ones, me && me->lane ? me->block->live : 1};
}

void simt_block_collective(simt_block_fn function, void *argument, const char *file, int line) {
  wait_here(0, function, argument, file, line, __builtin_frame_address(0));
}
