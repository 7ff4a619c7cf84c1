/* results.c - groups in order; to a file of their own and merged from many
 *
 * Run     of each group the bytes of all that follows and of its key, u32 each; the key; of each figure 8 bytes, or a
 *         text behind its length. */
#include "results.h"

#include <stdlib.h>
#include <string.h>

#include "commands/command.h"
#include "commands/sort/tree.h"
#include "output/interrupt.h"

/* Sorted groups lie anywhere in memory: what comes soon is fetched, where a text ends before the text itself. */
static void fetch(const struct group_table *t, const struct results *r, const uint32_t *ids,
                  size_t i) {
  enum { END_AHEAD = 32, TEXT_AHEAD = 16 };
  if (i + END_AHEAD < r->groups) {
    const uint32_t id = ids[i + END_AHEAD];
    __builtin_prefetch(&t->keys.end[id]);
    for (size_t f = 0; f < t->q->figures; f++)
      if (r->value[f]) __builtin_prefetch(&r->value[f][id]);
  }
  if (i + TEXT_AHEAD < r->groups) {
    size_t bytes;
    __builtin_prefetch(keys_text(&t->keys, ids[i + TEXT_AHEAD], &bytes));
  }
}

int results_each(const struct group_table *t, const struct results *r,
                 const struct key_order *order, group_take *take, void *user, struct failure *why) {
  uint32_t *const ids = command_allocate(r->groups, sizeof *ids, "groups", why);
  int status = ids ? key_order_ids(order, t->ctx, &t->keys, ids, why) : -1;
  for (size_t i = 0; i < r->groups && status == 0; i++) {
    struct group_row row;
    const uint32_t id = ids[i];
    fetch(t, r, ids, i);
    row.key = keys_text(&t->keys, id, &row.key_bytes);
    for (size_t f = 0; f < t->q->figures; f++) {
      row.text[f] = r->text[f] ? r->text[f][id].text : NULL;
      row.text_bytes[f] = row.text[f] ? r->text[f][id].length : 0;
      row.value[f] = r->value[f] ? r->value[f][id] : 0;
    }
    status = take(user, &row, why);
  }
  free(ids);
  return status;
}

/* ---- runs -------------------------------------------------------------------------------------------- */

struct to_run {
  const struct result_runs *from;
  struct run_writer writer;
};

static bool is_text(const struct asked *q, size_t f) {
  const enum figure figure = q->of[f].spec.figure;
  return figure == FIGURE_FIRST || figure == FIGURE_LAST;
}

static int write_row(void *user, const struct group_row *row, struct failure *why) {
  struct to_run *const to = user;
  const struct asked *const q = to->from->q;
  size_t bytes = sizeof(uint32_t) + row->key_bytes;
  for (size_t f = 0; f < q->figures; f++)
    bytes += is_text(q, f) ? sizeof(uint32_t) + row->text_bytes[f] : sizeof(uint64_t);
  const uint32_t head[] = {(uint32_t)bytes, (uint32_t)row->key_bytes};
  if (bytes > UINT32_MAX)
    return fail(why, EXIT_DATA, "%s: a group of more than 4 GiB", command_file_label(q->path));
  int status = run_write(&to->writer, head, sizeof head, why);
  if (status == 0) status = run_write(&to->writer, row->key, row->key_bytes, why);
  for (size_t f = 0; f < q->figures && status == 0; f++) {
    const uint32_t length = (uint32_t)row->text_bytes[f];
    if (!is_text(q, f)) {
      status = run_write(&to->writer, &row->value[f], sizeof row->value[f], why);
      continue;
    }
    status = run_write(&to->writer, &length, sizeof length, why);
    if (status == 0 && length > 0) status = run_write(&to->writer, row->text[f], length, why);
  }
  to->writer.run->items += 1;
  return status;
}

static int fewer_runs(struct result_runs *r, struct failure *why);

int results_to_run(struct result_runs *to, const struct group_table *t, const struct results *r,
                   struct failure *why) {
  struct to_run user = {.from = to};
  if (t->keys.count == 0) return 0;
  if (run_writer_open(&to->runs, &user.writer, why) != 0) return -1;
  const int status = results_each(t, r, &to->order, write_row, &user, why);
  if (run_writer_close(&user.writer, status, why) != 0) return -1;
  return fewer_runs(to, why);
}

/* ---- merging ----------------------------------------------------------------------------------------- */

struct merge {
  const struct result_runs *from;
  struct run_reader *readers;
  struct tree tree;
};

/* The row at a reader's cursor, which is whole in its buffer; where the next one begins. */
static const unsigned char *row_at(const struct asked *q, const struct run_reader *r,
                                   struct group_row *row) {
  uint32_t head[2];
  memcpy(head, r->at, sizeof head);
  const char *at = (const char *)r->at + sizeof head;
  row->key = at;
  row->key_bytes = head[1];
  at += head[1];
  for (size_t f = 0; f < q->figures; f++) {
    uint32_t length = 0;
    row->text[f] = NULL;
    row->text_bytes[f] = 0;
    if (!is_text(q, f)) {
      memcpy(&row->value[f], at, sizeof row->value[f]);
      at += sizeof row->value[f];
      continue;
    }
    memcpy(&length, at, sizeof length);
    row->text[f] = at + sizeof length;
    row->text_bytes[f] = length;
    at += sizeof length + length;
  }
  return (const unsigned char *)at;
}

static void key_at(const struct run_reader *r, const char **key, size_t *bytes) {
  uint32_t head[2];
  memcpy(head, r->at, sizeof head);
  *key = (const char *)r->at + sizeof head;
  *bytes = head[1];
}

/* No key is in two runs. */
static bool before(const void *user, size_t a, size_t b) {
  const struct merge *const m = user;
  const char *x, *y;
  size_t n, k;
  key_at(&m->readers[a], &x, &n);
  key_at(&m->readers[b], &y, &k);
  return key_order_compare(&m->from->order, x, n, y, k) < 0;
}

static int next_entry(struct merge *m, size_t i, struct tree_entry *entry, struct failure *why) {
  struct run_reader *const r = &m->readers[i];
  for (;;) {
    const size_t have = (size_t)(r->end - r->at);
    size_t got = 0, key_bytes;
    uint32_t bytes;
    if (have >= sizeof bytes) {
      const char *key;
      memcpy(&bytes, r->at, sizeof bytes);
      if (have - sizeof bytes >= bytes) {
        key_at(r, &key, &key_bytes);
        *entry = (struct tree_entry){key_order_prefix(&m->from->order, key, key_bytes), i};
        return 0;
      }
    }
    if (interrupt_poll(NULL)) return fail(why, EXIT_INTERRUPTED, "interrupted");
    if (run_refill(r, &got, why) != 0) return -1;
    if (got > 0) continue;
    run_end(r);
    *entry = (struct tree_entry){UINT64_MAX, i + m->tree.ways};
    return 0;
  }
}

static int merge_loop(struct merge *m, group_take *take, void *user, struct failure *why) {
  while (m->tree.node[0].rank < m->tree.ways) {
    const size_t i = (size_t)m->tree.node[0].rank;
    struct run_reader *const r = &m->readers[i];
    struct tree_entry entry;
    struct group_row row;
    const unsigned char *const next = row_at(m->from->q, r, &row);
    if (take(user, &row, why) != 0) return -1;
    r->at = (unsigned char *)(uintptr_t)next;
    if (next_entry(m, i, &entry, why) != 0) return -1;
    tree_replace(&m->tree, i, entry);
  }
  return 0;
}

static int merge(struct result_runs *from, struct run *runs, size_t count, group_take *take,
                 void *user, struct failure *why) {
  struct merge m = {.from = from};
  if (count == 0) return 0;
  m.tree = (struct tree){.ways = count, .before = before, .user = &m};
  m.tree.node = command_allocate(2 * count, sizeof *m.tree.node, "runs", why);
  m.readers = m.tree.node ? runs_read(runs, count, from->memory, why) : NULL;
  int status = m.readers ? 0 : -1;
  for (size_t i = 0; i < count && status == 0; i++)
    status = next_entry(&m, i, &m.tree.node[count + i], why);
  if (status == 0) {
    tree_fill(&m.tree);
    status = merge_loop(&m, take, user, why);
  }
  runs_read_end(m.readers, count);
  free(m.tree.node);
  return status;
}

int results_merge(struct result_runs *from, group_take *take, void *user, struct failure *why) {
  return merge(from, from->runs.all, from->runs.count, take, user, why);
}

/* While there are too many runs of a level, makes one of them. */
static int fewer_runs(struct result_runs *r, struct failure *why) {
  struct runs *const runs = &r->runs;
  for (size_t n; (n = runs_to_merge(runs)) > 0; runs_replace(runs, n)) {
    struct to_run user = {.from = r};
    if (run_writer_open(runs, &user.writer, why) != 0) return -1;
    struct run *const first = user.writer.run - n;
    user.writer.run->level = first->level + 1;
    const int status = merge(r, first, n, write_row, &user, why);
    if (run_writer_close(&user.writer, status, why) != 0) return -1;
  }
  return 0;
}
