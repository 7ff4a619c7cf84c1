/* merge.c - runs merged by rounds of the library's sort
 *
 * Method  Of the runs that go on behind what is in memory, one has the least last element there. Whatever
 *         comes before that element, in all runs, is complete: it is gathered, run by run, sorted by the
 *         library with all its threads, and handed on. Of elements equal to that last one, runs before its
 *         own give theirs, since they have no more of them, and runs behind it keep them: merging is
 *         stable. A round takes at least one buffer whole, and of runs that are alike nearly all.
 * Cost    Twice as fast as a tree of losers on one thread, which takes an element after the other: 100 M
 *         u64 of 8 runs, on two threads. */
#include "merge.h"

#include <stdlib.h>
#include <string.h>

#include "commands/command.h"
#include "output/interrupt.h"

struct merge {
  struct sorting *g;
  const struct sort_order *order;
  enum merge_kind kind;
  size_t size; /* bytes of an element or a record */
  struct run_reader *readers;
  size_t count;
  struct merge_progress progress;
  unsigned char *elements; /* of a round; keys of positions */
  uint64_t *positions;
  size_t room;
  void *scratch;
  size_t scratch_bytes;
  struct sort_first first;
};

int sort_retype(heddle_type from, heddle_type to, void *values, size_t n, struct failure *why) {
  return from == to ? 0 : command_check(heddle_convert(from, values, to, values, n), NULL, why);
}

struct merge_progress merge_progress_start(struct sorting *g, const struct run *runs,
                                           size_t count) {
  struct merge_progress p = {g, 0, 0};
  for (size_t i = 0; i < count; i++) p.total += spool_bytes(runs[i].file);
  progress_again(&g->src.progress);
  return p;
}

int merge_progress_add(struct merge_progress *p, size_t bytes, struct failure *why) {
  if (interrupt_poll(NULL)) return fail(why, EXIT_INTERRUPTED, "interrupted");
  p->done += bytes;
  progress_update(&p->g->src.progress, p->done, p->total);
  return 0;
}

/* ---- a round ------------------------------------------------------------------------------- */

static uint64_t key_at(const struct merge *m, const unsigned char *at) {
  uint64_t key;
  if (m->kind == MERGE_POSITIONS)
    memcpy(&key, at, sizeof key);
  else
    sort_keys(m->order, at, 1, &key);
  return key;
}

static int fill_reader(struct merge *m, struct run_reader *r, struct failure *why) {
  size_t got = 0;
  if (!r->run->file || 2 * (size_t)(r->end - r->at) > r->capacity) return 0;
  if (run_refill(r, &got, why) != 0 || merge_progress_add(&m->progress, got, why) != 0) return -1;
  if (got == 0) run_end(r);
  if (m->kind == MERGE_POSITIONS) return 0;
  return sort_retype(r->run->type[0], m->order->type, r->end - got, got / m->size, why);
}

/* The run that bounds this round, with the key of its last element in memory; m->count: all that is left is
 * in memory. */
static size_t find_bound(const struct merge *m, uint64_t *bound) {
  size_t best = m->count;
  for (size_t i = 0; i < m->count; i++) {
    const struct run_reader *const r = &m->readers[i];
    if (!r->run->file) continue;
    const uint64_t key = key_at(m, r->end - m->size);
    if (best < m->count && key >= *bound) continue;
    best = i;
    *bound = key;
  }
  return best;
}

/* How many elements of a reader come before the key, or up to it if `with` is set. */
static size_t count_before(const struct merge *m, const struct run_reader *r, uint64_t key,
                           bool with) {
  size_t least = 0, most = (size_t)(r->end - r->at) / m->size;
  while (least < most) {
    const size_t middle = least + (most - least) / 2;
    const uint64_t there = key_at(m, r->at + middle * m->size);
    if (there < key || (with && there == key))
      least = middle + 1;
    else
      most = middle;
  }
  return least;
}

static void gather(struct merge *m, struct run_reader *r, size_t n, size_t at) {
  if (m->kind == MERGE_ELEMENTS) {
    memcpy(m->elements + at * m->size, r->at, n * m->size);
  } else {
    uint64_t *const keys = (uint64_t *)(void *)m->elements;
    for (size_t i = 0; i < n; i++) {
      memcpy(&keys[at + i], r->at + i * POSITION_RECORD, sizeof *keys);
      memcpy(&m->positions[at + i], r->at + i * POSITION_RECORD + sizeof *keys, sizeof *keys);
    }
  }
  r->at += n * m->size;
}

static int sort_round(struct merge *m, size_t n, struct failure *why) {
  heddle_sort_options options = HEDDLE_SORT_OPTIONS_INIT;
  options.scratch = m->scratch;
  options.scratch_bytes = m->scratch_bytes;
  if (m->kind == MERGE_POSITIONS)
    return command_check(heddle_sort_pairs(m->g->ctx, HEDDLE_U64, m->elements, sizeof(uint64_t),
                                           m->positions, n, m->elements, m->positions, &options),
                         NULL, why);
  options.descending = m->g->reverse;
  return command_check(
      heddle_sort(m->g->ctx, m->order->type, m->elements, n, m->elements, &options), NULL, why);
}

/* *n elements are complete and in order; 0 at the end. */
static int next_round(struct merge *m, size_t *n, struct failure *why) {
  uint64_t bound = 0;
  size_t parts = 0;
  *n = 0;
  for (size_t i = 0; i < m->count; i++)
    if (fill_reader(m, &m->readers[i], why) != 0) return -1;
  const size_t by = find_bound(m, &bound);
  for (size_t i = 0; i < m->count; i++) {
    struct run_reader *const r = &m->readers[i];
    const size_t some = by == m->count || i == by ? (size_t)(r->end - r->at) / m->size
                                                  : count_before(m, r, bound, i < by);
    gather(m, r, some, *n);
    *n += some;
    parts += some > 0;
  }
  return parts > 1 ? sort_round(m, *n, why) : 0;
}

static int merge_all(struct merge *m, merge_emit *emit, void *user, struct failure *why) {
  uint64_t left = m->g->head;
  for (size_t n; left > 0;) {
    if (next_round(m, &n, why) != 0) return -1;
    if (n == 0) return 0;
    if (m->g->unique) n = sort_first_of_each(m->order, &m->first, m->elements, m->positions, n);
    if (n > left) n = (size_t)left;
    left -= n;
    if (emit(user, m->elements, m->positions, n, why) != 0) return -1;
  }
  return 0;
}

static int begin(struct merge *m, struct run *runs, struct failure *why) {
  enum { SHARES = 6 }; /* buffers, elements, and what the library needs for them */
  const bool pairs = m->kind == MERGE_POSITIONS;
  m->readers = runs_read(runs, m->count, m->g->memory / SHARES, why);
  if (!m->readers) return -1;
  m->room = m->count * (m->readers[0].capacity / m->size);
  m->elements = command_allocate(m->room, pairs ? sizeof(uint64_t) : m->size, "elements", why);
  if (pairs) m->positions = command_allocate(m->room, sizeof *m->positions, "positions", why);
  if (!m->elements || (pairs && !m->positions)) return -1;
  if (sort_scratch(m->g, pairs ? HEDDLE_SORT_PAIRS : HEDDLE_SORT_KEYS,
                   pairs ? HEDDLE_U64 : m->order->type, sizeof(uint64_t), m->room,
                   &m->scratch_bytes, why) != 0)
    return -1;
  if (m->scratch_bytes > 0) m->scratch = command_allocate(m->scratch_bytes, 1, "elements", why);
  return m->scratch || m->scratch_bytes == 0 ? 0 : -1;
}

int merge_runs(struct sorting *g, struct run *runs, size_t count, enum merge_kind kind,
               const struct sort_order *order, merge_emit *emit, void *user, struct failure *why) {
  struct merge m = {.g = g, .order = order, .kind = kind, .count = count};
  m.size = kind == MERGE_POSITIONS ? POSITION_RECORD : heddle_type_size(order->type);
  m.progress = merge_progress_start(g, runs, count);
  int status = begin(&m, runs, why);
  if (status == 0) status = merge_all(&m, emit, user, why);
  runs_read_end(m.readers, count);
  free(m.elements);
  free(m.positions);
  free(m.scratch);
  return status;
}

/* ---- to a run ------------------------------------------------------------------------------ */

int merge_append(struct run *run, const uint64_t *keys, const uint64_t *positions, size_t n,
                 struct failure *why) {
  enum { BLOCK = 512 };
  uint64_t records[2 * BLOCK];
  run->items += n;
  for (size_t i = 0, some; i < n; i += some) {
    some = n - i < BLOCK ? n - i : BLOCK;
    for (size_t k = 0; k < some; k++) {
      records[2 * k] = keys[i + k];
      records[2 * k + 1] = positions[i + k];
    }
    if (spool_append(run->file, records, some * POSITION_RECORD, why) != 0) return -1;
  }
  return 0;
}

static int emit_to_run(void *user, const void *elements, const uint64_t *positions, size_t n,
                       struct failure *why) {
  struct run *const run = user;
  if (positions) return merge_append(run, elements, positions, n, why);
  run->items += n;
  return spool_append(run->file, elements, n * heddle_type_size(run->type[0]), why);
}

int merge_levels(struct sorting *g, enum merge_kind kind, const struct sort_order *order,
                 struct failure *why) {
  struct runs *const runs = &g->runs;
  for (size_t n; (n = runs_to_merge(runs)) > 0; runs_replace(runs, n)) {
    struct run *run;
    if (runs_add(runs, &run, why) != 0) return -1;
    struct run *const first = run - n;
    run->level = first->level + 1;
    run->type[0] = order->type;
    if (merge_runs(g, first, n, kind, order, emit_to_run, run, why) != 0) return -1;
  }
  return 0;
}
