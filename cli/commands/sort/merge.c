/* merge.c - a tree of losers over buffers of keys
 *
 * Method  Elements are read as they are and become keys in the buffer that they were read into; the loop is
 *         made once a size of record.
 * Limits  One thread. */
#include "merge.h"

#include <stdlib.h>
#include <string.h>

#include "commands/command.h"
#include "output/interrupt.h"

enum { BLOCK = 1 << 12 }; /* records that are emitted at once */

struct merge {
  struct sorting *g;
  const struct sort_order *order;
  struct run_reader *readers;
  struct tree tree;
  struct merge_progress progress;
  merge_emit *emit;
  void *user;
  unsigned char *block;
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

static uint64_t key_at(const unsigned char *record) {
  uint64_t key;
  memcpy(&key, record, sizeof key);
  return key;
}

/* Elements in the last part of the buffer, made keys from its start on. */
static int read_keys(struct merge *m, struct run_reader *r, size_t *bytes, struct failure *why) {
  const heddle_type type = r->run->type[0];
  const size_t size = heddle_type_size(type), most = r->capacity / sizeof(uint64_t);
  unsigned char *const raw = r->buffer + most * (sizeof(uint64_t) - size);
  if (spool_read(r->run->file, r->offset, raw, most * size, bytes, why) != 0) return -1;
  const size_t n = *bytes / size;
  if (sort_retype(type, m->order->type, raw, n, why) != 0) return -1;
  sort_keys(m->order, raw, n, (uint64_t *)(void *)r->buffer);
  r->offset += *bytes;
  r->at = r->buffer;
  r->end = r->buffer + n * sizeof(uint64_t);
  return 0;
}

/* What sequence i goes on with. */
static int next_entry(struct merge *m, size_t i, size_t stride, struct tree_entry *entry,
                      struct failure *why) {
  struct run_reader *const r = &m->readers[i];
  if (r->at == r->end) {
    size_t bytes = 0;
    if (stride == KEY_ALONE ? read_keys(m, r, &bytes, why) : run_refill(r, &bytes, why)) return -1;
    if (merge_progress_add(&m->progress, bytes, why) != 0) return -1;
    if (bytes == 0) {
      run_end(r);
      *entry = (struct tree_entry){UINT64_MAX, i + m->tree.ways};
      return 0;
    }
  }
  *entry = (struct tree_entry){key_at(r->at), i};
  return 0;
}

static inline int merge_loop(struct merge *m, size_t stride, struct failure *why) {
  const struct sorting *const g = m->g;
  uint64_t left = g->head, last = 0;
  bool any = false;
  size_t n = 0;
  while (left > 0 && m->tree.node[0].rank < m->tree.ways) {
    const size_t i = (size_t)m->tree.node[0].rank;
    struct run_reader *const r = &m->readers[i];
    struct tree_entry entry = {m->tree.node[0].key, i};
    const uint64_t tied = g->unique ? sort_tied(m->order, entry.key) : 0;
    if (!g->unique || !any || tied != last) {
      memcpy(m->block + n * stride, r->at, stride);
      n += 1;
      left -= 1;
      any = true;
      last = tied;
    }
    if (n == BLOCK && m->emit(m->user, m->block, n, why) != 0) return -1;
    if (n == BLOCK) n = 0;
    r->at += stride;
    if (r->at < r->end)
      entry.key = key_at(r->at);
    else if (next_entry(m, i, stride, &entry, why) != 0)
      return -1;
    tree_replace(&m->tree, i, entry);
  }
  return n > 0 ? m->emit(m->user, m->block, n, why) : 0;
}

static int begin(struct merge *m, size_t stride, struct failure *why) {
  for (size_t i = 0; i < m->tree.ways; i++)
    if (next_entry(m, i, stride, &m->tree.node[m->tree.ways + i], why) != 0) return -1;
  tree_fill(&m->tree);
  return stride == KEY_ALONE ? merge_loop(m, KEY_ALONE, why) : merge_loop(m, KEY_AND_POSITION, why);
}

int merge_runs(struct sorting *g, struct run *runs, size_t count, size_t record_bytes,
               const struct sort_order *order, merge_emit *emit, void *user, struct failure *why) {
  struct merge m = {.g = g, .order = order, .emit = emit, .user = user};
  m.progress = merge_progress_start(g, runs, count);
  m.tree = (struct tree){.ways = count};
  m.tree.node = command_allocate(2 * count, sizeof *m.tree.node, "runs", why);
  m.block = command_allocate(BLOCK, record_bytes, "records", why);
  int status = m.tree.node && m.block ? 0 : -1;
  if (status == 0) m.readers = runs_read(runs, count, g->memory, why);
  if (status == 0) status = m.readers ? begin(&m, record_bytes, why) : -1;
  runs_read_end(m.readers, count);
  free(m.block);
  free(m.tree.node);
  return status;
}

/* ---- to a run ------------------------------------------------------------------------------ */

struct run_target {
  struct run *run;
  const struct sort_order *order;
  size_t record_bytes;
};

static int emit_to_run(void *user, const unsigned char *records, size_t n, struct failure *why) {
  const struct run_target *const to = user;
  uint64_t elements[BLOCK];
  to->run->items += n;
  if (to->record_bytes != KEY_ALONE)
    return spool_append(to->run->file, records, n * to->record_bytes, why);
  sort_elements_of(to->order, (const uint64_t *)(const void *)records, n, elements);
  return spool_append(to->run->file, elements, n * heddle_type_size(to->order->type), why);
}

int merge_levels(struct sorting *g, size_t record_bytes, const struct sort_order *order,
                 struct failure *why) {
  struct runs *const runs = &g->runs;
  for (size_t n; (n = runs_to_merge(runs)) > 0; runs_replace(runs, n)) {
    struct run *run;
    if (runs_add(runs, &run, why) != 0) return -1;
    struct run *const first = run - n;
    struct run_target to = {run, order, record_bytes};
    run->level = first->level + 1;
    run->type[0] = order->type;
    if (merge_runs(g, first, n, record_bytes, order, emit_to_run, &to, why) != 0) return -1;
  }
  return 0;
}
