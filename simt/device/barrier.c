/* Barriers of a block, and what they say about divergence.
 *
 * Method   a barrier is its source line. It is complete when every lane that has not returned
 *          has come. Lanes that returned on a line before the barrier's are the usual guard
 *          and fine; lanes that walked round the barrier and returned later are barrier
 *          divergence, as are lanes that wait at different lines. Both are reported, once a
 *          grid, and the waiting lanes go on
 */
#include "grid.h"

#include <stdio.h>
#include <string.h>

struct place {
  const char *file;
  int line;
  unsigned int waiting;
};

enum { PLACES = 8 };

static size_t waiting_places(const struct block *block, struct place *places) {
  size_t n = 0;
  for (unsigned int t = 0; t < block->threads; ++t) {
    const struct lane *lane = &block->lanes[t];
    if (!(block->warp_list[t / LANES].barrier >> t % LANES & 1)) continue;
    size_t i = 0;
    while (i < n && (places[i].line != lane->line || strcmp(places[i].file, lane->file))) ++i;
    if (i == PLACES) continue;
    if (i == n) places[n++] = (struct place){lane->file, lane->line, 0};
    ++places[i].waiting;
  }
  return n;
}

static bool is_finished(const struct block *block, unsigned int t) {
  return block->warp_list[t / LANES].finished >> t % LANES & 1;
}

/* Lanes that returned behind the barrier at `place`, which stands in the kernel's own text. In
 * a kernel of one line, such as a macro makes, nobody can tell: none. */
static unsigned int walked_round(const struct block *block, const struct place *place, int *line) {
  const struct simt_kernel *kernel = block->grid->kernel;
  unsigned int n = 0;
  if (kernel->line == kernel->end_line) return 0;
  if (place->line < kernel->line || place->line > kernel->end_line ||
      strcmp(place->file, kernel->file))
    return 0;
  for (unsigned int t = 0; t < block->threads; ++t)
    if (is_finished(block, t) && block->lanes[t].return_line >= place->line) {
      ++n;
      *line = block->lanes[t].return_line;
    }
  return n;
}

static void report(const struct block *block, const struct place *places, size_t n) {
  if (atomic_exchange(&block->grid->barrier_reported, true)) return;
  const struct simt_kernel *kernel = block->grid->kernel;
  char text[1024];
  size_t used = 0;
  unsigned int waiting = 0;
  text[0] = 0;
  for (size_t i = 0; i < n && used < sizeof text; ++i) {
    used += (size_t)snprintf(text + used, sizeof text - used, "%s%u wait at %s:%d", i ? ", " : "",
                             places[i].waiting, places[i].file, places[i].line);
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
  sd_report("barrier divergence: kernel %s (%s:%d), block (%u,%u,%u): of %u threads %s. All "
            "threads of a block must reach the same barrier: move it out of the branch",
            kernel->name, kernel->file, kernel->line, block->index.x, block->index.y,
            block->index.z, block->threads, text);
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
  const size_t n = waiting_places(block, places);
  int line = 0;
  if (n > 1 || (n && block->live < block->threads && walked_round(block, &places[0], &line)))
    report(block, places, n);
}

void sd_barrier_complete(struct block *block) {
  if (!atomic_load_explicit(&block->grid->barrier_reported, memory_order_relaxed) &&
      (block->live < block->threads || block->places_differ))
    check_places(block);
  /* From one place they come with the same function, each with its argument. */
  if (block->collective && !block->places_differ) run_collective(block);
  release(block);
}

void sd_barrier_stuck(struct block *block) {
  struct place places[PLACES];
  const size_t n = waiting_places(block, places);
  if (n) {
    report(block, places, n);
    release(block);
    return;
  }
  /* Only the grid's barrier is left, and not all have come. */
  if (!atomic_exchange(&block->grid->barrier_reported, true))
    sd_report("barrier divergence: kernel %s (%s:%d), block (%u,%u,%u): %u of %u threads wait at "
              "the grid's barrier, the others never come",
              block->grid->kernel->name, block->grid->kernel->file, block->grid->kernel->line,
              block->index.x, block->index.y, block->index.z, block->at_grid, block->live);
  for (unsigned int w = 0; w < block->warps; ++w) {
    struct warp *warp = &block->warp_list[w];
    if (warp->grid) sd_make_ready(block, warp, warp->grid);
    warp->grid = 0;
  }
  block->at_grid = 0;
}

static unsigned int wait_here(int predicate, simt_block_fn function, void *argument,
                              const char *file, int line) {
  struct worker *me = sd_me;
  if (!me || !me->lane) return (unsigned int)(predicate != 0);
  struct lane *lane = me->lane;
  struct block *block = me->block;
  me->locked = 1;
  block->ones_here += predicate != 0;
  lane->argument = argument;
  block->collective = function;
  sd_barrier_arrive(me, file, line);
  sd_suspend();
  return block->ones;
}

struct simt_tally simt_barrier_tally(int predicate, const char *file, int line) {
  const unsigned int ones = wait_here(predicate, NULL, NULL, file, line);
  const struct worker *me = sd_me;
  return (struct simt_tally){ones, me && me->lane ? me->block->live : 1};
}

void simt_block_collective(simt_block_fn function, void *argument, const char *file, int line) {
  wait_here(0, function, argument, file, line);
}
