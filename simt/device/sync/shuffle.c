/* Shuffles that read from a lane which does not take part, while there is an observer.
 *
 * Method   by index or exclusive or: wrong. shfl_down and shfl_up at the end of the lanes read
 *          beyond it as a matter of course, and nobody uses what comes; so such a read gets a
 *          value that shows, and a lane that has another value at the next shuffle has used
 *          it. Wrong if it is the first lane (shfl_up: the last), which has a reduction's result,
 *          or if that reads from a lane that has
 * Limits   shuffles by one distance each, in a row, are taken for one reduction; a distance that
 *          comes again begins another one. What a last shuffle brings is not followed
 * Source   CUDA C++ Programming Guide, Warp Shuffle Functions: the value is undefined
 */
#include "schedule/lockstep.h"

#include <string.h>

static const unsigned long long shows = 0x7FF57FA57FA57FA5; /* as floats of all sizes no number */

static struct {
  struct block *block;
  struct warp *warp;
} now; /* who computes; with an observer there is one worker */

void sd_shuffle_begin(struct block *block, struct warp *warp) {
  now.block = sd_is_checked() ? block : NULL;
  now.warp = warp;
}

static const char why[] = "reads from a lane that does not take part";

static const struct simt_shuffle_cell *cell_of(void *const *cells, unsigned lane) {
  return cells[lane];
}

/* The farthest that a lane reads. */
static unsigned distance_of(void *const *cells, unsigned lanes) {
  unsigned most = 0;
  for (unsigned m = lanes; m; m &= m - 1) {
    const unsigned i = (unsigned)__builtin_ctz(m), source = cell_of(cells, i)->source;
    const unsigned far = source > i ? source - i : i - source;
    if (far > most) most = far;
  }
  return most & 31;
}

static unsigned absent_readers(void *const *cells, unsigned lanes) {
  unsigned readers = 0;
  for (unsigned m = lanes; m; m &= m - 1)
    if (!(lanes >> cell_of(cells, (unsigned)__builtin_ctz(m))->source & 1)) readers |= m & -m;
  return readers;
}

/* Said of the line at which the lane read, which may be an earlier one. */
static void report_at(struct lane *lane, struct sd_location at, unsigned lanes) {
  const struct sd_location here = {lane->file, lane->line};
  lane->file = at.file;
  lane->line = at.line;
  sd_mask_report(now.block, now.warp, lane, lanes, why);
  lane->file = here.file;
  lane->line = here.line;
}

/* Which lanes have used what they took from a missing one? */
static void look_at_used(struct shuffles *s, void *const *cells, unsigned lanes,
                         unsigned result_lane) {
  for (unsigned m = lanes & s->taken; m; m &= m - 1) {
    const unsigned i = (unsigned)__builtin_ctz(m);
    struct lane *lane = &now.warp->lanes[i];
    if (lane->taken_over == cell_of(cells, i)->value) continue;
    s->used |= 1u << i;
    if (i == result_lane) report_at(lane, lane->taken_at, lanes);
  }
  s->taken = 0;
}

static void take(struct shuffles *s, void *const *cells, unsigned readers) {
  for (unsigned m = readers; m; m &= m - 1) {
    const unsigned i = (unsigned)__builtin_ctz(m);
    struct simt_shuffle_cell *cell = cells[i];
    struct lane *lane = &now.warp->lanes[i];
    lane->taken_over = cell->value;
    lane->taken_at = (struct sd_location){lane->file, lane->line};
    cell->result = shows;
    if (cell->bytes == 1) cell->result = shows >> 8;
  }
  s->taken = readers;
}

void simt_shuffled(void *const cells[LANES], unsigned lanes) {
  if (!now.block || now.block->collective_reported) return;
  struct shuffles *s = &now.block->shuffles[now.warp - now.block->warp_list];
  struct lane *first = &now.warp->lanes[__builtin_ctz(lanes)];
  const unsigned readers = absent_readers(cells, lanes);
  const bool down = strstr(first->what, "down"), up = strstr(first->what, "_up");
  if (!down && !up) {
    s->taken = s->used = s->distances = 0;
    if (!readers) return;
    struct lane *reader = &now.warp->lanes[__builtin_ctz(readers)];
    report_at(reader, (struct sd_location){reader->file, reader->line}, lanes);
    return;
  }
  if (!readers && !s->taken && !s->used) return;
  const unsigned far = 1u << distance_of(cells, lanes);
  if (s->mask != first->mask || (s->distances & far)) s->taken = s->used = s->distances = 0;
  s->mask = first->mask;
  s->distances |= far;
  const unsigned result_lane = (unsigned)(down ? __builtin_ctz(lanes) : 31 - __builtin_clz(lanes));
  look_at_used(s, cells, lanes, result_lane);
  /* What a lane has that read from one of them is no better. */
  unsigned spoilt = 0;
  for (unsigned m = lanes; m; m &= m - 1) {
    const unsigned i = (unsigned)__builtin_ctz(m);
    if (s->used >> cell_of(cells, i)->source & 1 && cell_of(cells, i)->source != i)
      spoilt |= 1u << i;
  }
  s->used |= spoilt;
  struct lane *lane = &now.warp->lanes[result_lane];
  if (spoilt >> result_lane & 1)
    report_at(lane, (struct sd_location){lane->file, lane->line}, lanes);
  if (cell_of(cells, result_lane)->bytes) take(s, cells, readers);
}
