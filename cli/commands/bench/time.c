/* time.c - primitives and memory timed in turns, so that both meet the same machine
 *
 * Method  Each result is checked first. Then ceiling and primitive take turns for a quarter of a
 *         second, so that both meet the same machine; the best of each counts, and the best ceiling
 *         is the ceiling of all. Where a primitive seems to be faster than it, the ceiling is
 *         taken again for up to two seconds.
 * Limits  On a machine that never gives the ceiling a quiet moment bench_disturbed says so. */
#include "time.h"

#include <stdlib.h>
#include <string.h>

#include "ceiling.h"
#include "commands/command.h"
#include "output/interrupt.h"
#include "report/progress.h"

enum { LEAST_ROUNDS = 5 };
static const double seconds_each = 0.25, seconds_again = 2, most_share = 1.05;

bool bench_disturbed(const struct bench_timing *t) { return t->ceiling > t->seconds * most_share; }

/* Takes a ceiling once more; it and the work's own are the best so far. */
static void take_ceiling(struct bench_data *d, unsigned threads, const struct bench_work *work,
                         struct bench_times *r) {
  double seconds = work->copies ? bench_ceiling_copy(d->y, d->x, d->bytes, threads)
                                : bench_ceiling_read(d->x, d->bytes, threads);
  /* A copy moves every byte twice. Reading went over one array. */
  double speed = (double)d->bytes * (work->copies ? 2 : 1) / seconds;
  double *best = work->copies ? &r->copy : &r->read;
  if (speed > *best) *best = speed;
}

static int time_work(struct bench_data *d, unsigned threads, struct bench_timing *t,
                     struct bench_times *r, struct failure *why) {
  size_t inner = (1 << 22) / d->bytes + 1;
  const struct bench_work *work = t->work;
  if (command_check(work->run(d), NULL, why) != 0) return -1;
  if (!work->right(d))
    return fail(why, EXIT_DATA,
                "bench: the result of %s over %zu bytes is wrong; please report this "
                "with the output of heddle info",
                work->name, d->bytes);
  double start = progress_clock();
  for (int round = 0; round < LEAST_ROUNDS || progress_clock() - start < seconds_each; round++) {
    take_ceiling(d, threads, work, r);
    double begin = progress_clock();
    for (size_t i = 0; i < inner; i++)
      if (command_check(work->run(d), NULL, why) != 0) return -1;
    double seconds = (progress_clock() - begin) / (double)inner;
    if (round == 0 || seconds < t->seconds) t->seconds = seconds;
    if (interrupt_poll(NULL)) return fail(why, EXIT_INTERRUPTED, "interrupted");
  }
  return 0;
}

/* One ceiling for all: the best that was seen, so that shares can be compared. */
static int share_ceiling(struct bench_data *d, unsigned threads, struct bench_times *r,
                         struct failure *why) {
  for (size_t i = 0; i < r->count; i++) {
    struct bench_timing *t = &r->timings[i];
    const double *best = t->work->copies ? &r->copy : &r->read, start = progress_clock();
    double moved = (double)d->bytes * t->work->moved;
    while (moved / *best > t->seconds * most_share && progress_clock() - start < seconds_again) {
      take_ceiling(d, threads, t->work, r);
      if (interrupt_poll(NULL)) return fail(why, EXIT_INTERRUPTED, "interrupted");
    }
  }
  for (size_t i = 0; i < r->count; i++) {
    struct bench_timing *t = &r->timings[i];
    t->ceiling = (double)d->bytes * t->work->moved / (t->work->copies ? r->copy : r->read);
  }
  return 0;
}

int bench_time(heddle_context *ctx, unsigned threads, uint32_t wanted, size_t bytes,
               struct bench_times *r, struct failure *why) {
  static struct bench_data d;
  heddle_type filled = HEDDLE_TYPE_DEFAULT;
  memset(&d, 0, sizeof d);
  memset(r, 0, sizeof *r);
  d.ctx = ctx;
  d.bytes = r->bytes = bytes;
  d.x = aligned_alloc(64, bytes);
  d.y = aligned_alloc(64, bytes);
  int status = 0;
  if (!d.x || !d.y)
    status = fail(why, EXIT_DATA,
                  "out of memory for two arrays of %zu bytes; choose a smaller --size", bytes);
  for (size_t i = 0; i < bench_work_count && status == 0; i++) {
    if ((wanted >> i & 1) == 0) continue;
    struct bench_timing *t = &r->timings[r->count++];
    t->work = &bench_works[i];
    if (t->work->type != filled) bench_fill(&d, filled = t->work->type);
    status = time_work(&d, threads, t, r, why);
  }
  if (status == 0) status = share_ceiling(&d, threads, r, why);
  free(d.x);
  free(d.y);
  return status;
}
