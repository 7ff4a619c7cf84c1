/* lines_merge.c - runs of lines merged by a tree of losers
 *
 * Method  The tree has first keys; where those are equal, the others are compared. Keys of runs that were
 *         written while a column had integers alone are made keys of floats where it has others now. */
#include <stdlib.h>
#include <string.h>

#include "commands/command.h"
#include "lines.h"
#include "tree.h"

struct merge {
  struct lines *l;
  struct run_reader *readers;
  struct tree tree;
  struct merge_progress progress;
  struct run_writer *run; /* or */
  struct sink *out;
};

enum { HEAD = sizeof(uint32_t) };

static uint32_t text_bytes(const unsigned char *record) {
  uint32_t bytes;
  memcpy(&bytes, record, sizeof bytes);
  return bytes;
}

static uint64_t key_of(const unsigned char *record, size_t k) {
  uint64_t key;
  memcpy(&key, record + HEAD + k * sizeof key, sizeof key);
  return key;
}

static bool before(const void *user, size_t a, size_t b) {
  const struct merge *const m = user;
  for (size_t k = 1; k < m->l->keys; k++) {
    const uint64_t x = key_of(m->readers[a].at, k), y = key_of(m->readers[b].at, k);
    if (x != y) return x < y;
  }
  return a < b;
}

/* Keys that were made while the column's type was another. */
static int renew_keys(const struct merge *m, struct run_reader *r, struct failure *why) {
  for (size_t k = 0; k < m->l->keys; k++) {
    const heddle_type from = r->run->type[k], to = m->l->type[k];
    if (from == to) continue;
    const struct sort_order was = sort_order_of(from, m->l->reverse[k]);
    const struct sort_order is = sort_order_of(to, m->l->reverse[k]);
    uint64_t key = key_of(r->at, k);
    sort_elements_of(&was, &key, 1, &key);
    if (sort_retype(from, to, &key, 1, why) != 0) return -1;
    sort_keys(&is, &key, 1, &key);
    key = sort_tied(&is, key);
    memcpy(r->at + HEAD + k * sizeof key, &key, sizeof key);
  }
  return 0;
}

/* The record that sequence i goes on with, whole in its buffer. */
static int next_entry(struct merge *m, size_t i, struct tree_entry *entry, struct failure *why) {
  struct run_reader *const r = &m->readers[i];
  const size_t head = HEAD + m->l->keys * sizeof(uint64_t);
  for (;;) {
    const size_t have = (size_t)(r->end - r->at);
    if (have >= head && have - head >= text_bytes(r->at)) break;
    size_t got = 0;
    if (run_refill(r, &got, why) != 0) return -1;
    if (merge_progress_add(&m->progress, got, why) != 0) return -1;
    if (got > 0) continue;
    run_end(r);
    *entry = (struct tree_entry){UINT64_MAX, i + m->tree.ways};
    return 0;
  }
  if (renew_keys(m, r, why) != 0) return -1;
  *entry = (struct tree_entry){key_of(r->at, 0), i};
  return 0;
}

static int emit(struct merge *m, const unsigned char *record, struct failure *why) {
  const size_t head = HEAD + m->l->keys * sizeof(uint64_t), bytes = text_bytes(record);
  if (m->run) {
    m->run->run->items += 1;
    return run_write(m->run, record, head + bytes, why);
  }
  sink_write(m->out, record + head, bytes);
  if (!m->out->failed) return 0;
  *why = m->out->why;
  return -1;
}

static int merge_loop(struct merge *m, struct failure *why) {
  const struct sorting *const g = m->l->g;
  const size_t key_bytes = m->l->keys * sizeof(uint64_t);
  unsigned char last[INPUT_MAX_COLUMNS * sizeof(uint64_t)];
  bool any = false;
  for (uint64_t left = g->head; left > 0 && m->tree.node[0].rank < m->tree.ways;) {
    const size_t i = (size_t)m->tree.node[0].rank;
    struct run_reader *const r = &m->readers[i];
    struct tree_entry entry;
    if (!g->unique || !any || memcmp(last, r->at + HEAD, key_bytes) != 0) {
      if (emit(m, r->at, why) != 0) return -1;
      memcpy(last, r->at + HEAD, key_bytes);
      any = true;
      left -= 1;
    }
    r->at += HEAD + key_bytes + text_bytes(r->at);
    if (next_entry(m, i, &entry, why) != 0) return -1;
    tree_replace(&m->tree, i, entry);
  }
  return 0;
}

static int merge(struct merge *m, struct run *runs, size_t count, struct failure *why) {
  struct sorting *const g = m->l->g;
  m->progress = merge_progress_start(g, runs, count);
  m->tree = (struct tree){.ways = count, .before = m->l->keys > 1 ? before : NULL, .user = m};
  m->tree.node = command_allocate(2 * count, sizeof *m->tree.node, "runs", why);
  m->readers = m->tree.node ? runs_read(runs, count, g->memory, why) : NULL;
  int status = m->readers ? 0 : -1;
  for (size_t i = 0; i < count && status == 0; i++)
    status = next_entry(m, i, &m->tree.node[count + i], why);
  if (status == 0) {
    tree_fill(&m->tree);
    status = merge_loop(m, why);
  }
  runs_read_end(m->readers, count);
  free(m->tree.node);
  return status;
}

int lines_merge(struct lines *l, struct sink *out, struct failure *why) {
  struct merge m = {.l = l, .out = out};
  return merge(&m, l->g->runs.all, l->g->runs.count, why);
}

int lines_merge_levels(struct lines *l, struct failure *why) {
  struct runs *const runs = &l->g->runs;
  for (size_t n; (n = runs_to_merge(runs)) > 0; runs_replace(runs, n)) {
    struct run_writer w;
    if (run_writer_open(runs, &w, why) != 0) return -1;
    memcpy(w.run->type, l->type, sizeof w.run->type);
    struct merge m = {.l = l, .run = &w};
    struct run *const first = w.run - n;
    w.run->level = first->level + 1;
    if (run_writer_close(&w, merge(&m, first, n, why), why) != 0) return -1;
  }
  return 0;
}
