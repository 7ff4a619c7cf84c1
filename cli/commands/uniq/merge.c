/* merge.c - runs of distinct keys merged by a tree of losers
 *
 * Method  The tree has the first eight bytes of keys; where those are equal, all bytes are compared, and
 *         then the earlier line comes first, and is the one that stays. */
#include <stdlib.h>
#include <string.h>

#include "commands/command.h"
#include "commands/sort/merge.h"
#include "commands/sort/tree.h"
#include "uniq.h"

struct merge {
  struct uniq *q;
  struct run_reader *readers;
  struct tree tree;
  struct merge_progress progress;
  struct run_writer *run; /* or the output */
  struct line_entry held; /* the latest key, with all that were equal to it so far */
  char *text;             /* of it */
  size_t room;
  bool any;
};

static struct line_entry entry_at(const struct run_reader *r) {
  struct line_entry e;
  memcpy(&e, r->at, sizeof e);
  return e;
}

static const char *key_at(const struct run_reader *r, const struct line_entry *e) {
  return (const char *)r->at + sizeof *e + e->key_at;
}

static bool before(const void *user, size_t a, size_t b) {
  const struct merge *const m = user;
  const struct run_reader *const x = &m->readers[a], *const y = &m->readers[b];
  const struct line_entry ex = entry_at(x), ey = entry_at(y);
  const int order = key_compare(key_at(x, &ex), ex.key_bytes, key_at(y, &ey), ey.key_bytes);
  return order != 0 ? order < 0 : ex.place < ey.place;
}

/* The record that sequence i goes on with, whole in its buffer. */
static int next_entry(struct merge *m, size_t i, struct tree_entry *entry, struct failure *why) {
  struct run_reader *const r = &m->readers[i];
  for (;;) {
    const size_t have = (size_t)(r->end - r->at);
    if (have >= sizeof(struct line_entry)) {
      const struct line_entry e = entry_at(r);
      if (have - sizeof e >= e.bytes) {
        *entry = (struct tree_entry){key_prefix(key_at(r, &e), e.key_bytes), i};
        return 0;
      }
    }
    size_t got = 0;
    if (run_refill(r, &got, why) != 0) return -1;
    if (merge_progress_add(&m->progress, got, why) != 0) return -1;
    if (got > 0) continue;
    run_end(r);
    *entry = (struct tree_entry){UINT64_MAX, i + m->tree.ways};
    return 0;
  }
}

static int emit(struct merge *m, struct failure *why) {
  if (!m->any) return 0;
  if (!m->run) {
    writer_line(&m->q->out, m->q->s, m->held.count, m->text, m->held.line_bytes);
    if (!m->q->out.out.failed) return 0;
    *why = m->q->out.out.why;
    return -1;
  }
  m->run->run->items += 1;
  if (run_write(m->run, &m->held, sizeof m->held, why) != 0) return -1;
  return run_write(m->run, m->text, m->held.bytes, why);
}

static int take(struct merge *m, const struct run_reader *r, struct failure *why) {
  const struct line_entry e = entry_at(r);
  if (m->any &&
      key_compare(m->text + m->held.key_at, m->held.key_bytes, key_at(r, &e), e.key_bytes) == 0) {
    m->held.count += e.count;
    return 0;
  }
  if (emit(m, why) != 0) return -1;
  if (e.bytes > m->room) {
    char *const text = realloc(m->text, e.bytes);
    if (!text) return fail(why, EXIT_DATA, "no memory for a line of %u bytes", e.bytes);
    m->text = text;
    m->room = e.bytes;
  }
  if (e.bytes > 0) memcpy(m->text, r->at + sizeof e, e.bytes);
  m->held = e;
  m->any = true;
  return 0;
}

static int merge_loop(struct merge *m, struct failure *why) {
  while (m->tree.node[0].rank < m->tree.ways) {
    const size_t i = (size_t)m->tree.node[0].rank;
    struct run_reader *const r = &m->readers[i];
    struct tree_entry entry;
    if (take(m, r, why) != 0) return -1;
    r->at += sizeof(struct line_entry) + entry_at(r).bytes;
    if (next_entry(m, i, &entry, why) != 0) return -1;
    tree_replace(&m->tree, i, entry);
  }
  return emit(m, why);
}

static int merge(struct merge *m, struct run *runs, size_t count, struct failure *why) {
  struct sorting *const g = &m->q->g;
  m->progress = merge_progress_start(g, runs, count);
  m->tree = (struct tree){.ways = count, .before = before, .user = m};
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
  free(m->text);
  return status;
}

int uniq_merge(struct uniq *q, struct failure *why) {
  struct merge m = {.q = q};
  return merge(&m, q->g.runs.all, q->g.runs.count, why);
}

int uniq_merge_levels(struct uniq *q, struct failure *why) {
  struct runs *const runs = &q->g.runs;
  for (size_t n; (n = runs_to_merge(runs)) > 0; runs_replace(runs, n)) {
    struct run_writer w;
    if (run_writer_open(runs, &w, why) != 0) return -1;
    struct merge m = {.q = q, .run = &w};
    struct run *const first = w.run - n;
    w.run->level = first->level + 1;
    if (run_writer_close(&w, merge(&m, first, n, why), why) != 0) return -1;
  }
  return 0;
}
