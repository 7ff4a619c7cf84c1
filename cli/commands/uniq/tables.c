/* tables.c - the threads' tables in order, by as many threads, then merged by a tree of losers
 *
 * Method  As merge.c does with runs: first eight bytes in the tree, then whole keys. */
#include <pthread.h>
#include <stdlib.h>

#include "commands/command.h"
#include "commands/sort/tree.h"
#include "uniq.h"

struct ordering {
  struct line_table *t;
  heddle_context *ctx;
  int status;
  struct failure why;
};

static void *order(void *user) {
  struct ordering *const o = user;
  o->status = line_table_order(o->t, o->ctx, &o->why);
  return NULL;
}

/* The library's sorts take turns, and what they leave is compared meanwhile. */
static int order_all(struct uniq *q, struct failure *why) {
  pthread_t others[UNIQ_THREADS_MOST];
  struct ordering all[UNIQ_THREADS_MOST];
  size_t started = 0;
  int status = 0;
  for (size_t i = 0; i < q->table_count; i++)
    all[i] = (struct ordering){.t = &q->tables[i], .ctx = q->g.ctx};
  while (started + 1 < q->table_count && all[started + 1].t->count > 0 &&
         pthread_create(&others[started], NULL, order, &all[started + 1]) == 0)
    started++;
  (void)order(&all[0]);
  for (size_t i = started + 1; i < q->table_count; i++) (void)order(&all[i]);
  for (size_t i = 0; i < started; i++) (void)pthread_join(others[i], NULL);
  for (size_t i = 0; i < q->table_count && status == 0; i++) {
    if (all[i].status != 0) *why = all[i].why;
    status = all[i].status;
  }
  return status;
}

struct merge {
  struct uniq *q;
  size_t at[UNIQ_THREADS_MOST]; /* in the order of each table */
};

static const struct line_entry *entry_of(const struct merge *m, size_t i) {
  return line_table_ordered(&m->q->tables[i], m->at[i]);
}

static bool before(const void *user, size_t a, size_t b) {
  const struct merge *const m = user;
  const struct line_entry *const x = entry_of(m, a), *const y = entry_of(m, b);
  return key_compare(m->q->tables[a].text + x->text + x->key_at, x->key_bytes,
                     m->q->tables[b].text + y->text + y->key_at, y->key_bytes) < 0;
}

static struct tree_entry next_of(const struct merge *m, size_t i) {
  const struct line_table *const t = &m->q->tables[i];
  if (m->at[i] < t->count) return (struct tree_entry){t->prefix[m->at[i]], i};
  return (struct tree_entry){UINT64_MAX, i + m->q->table_count};
}

static void write_entry(struct uniq *q, size_t table, const struct line_entry *e, uint64_t count) {
  writer_line(&q->out, q->s, count, q->tables[table].text + e->text, e->line_bytes);
}

/* No key is in two tables. */
static void merge_all(struct merge *m, struct tree *tree) {
  struct uniq *const q = m->q;
  for (size_t i = 0; i < tree->ways; i++) tree->node[tree->ways + i] = next_of(m, i);
  tree_fill(tree);
  while (tree->node[0].rank < tree->ways && !q->out.out.failed) {
    const size_t i = (size_t)tree->node[0].rank;
    const struct line_entry *const e = entry_of(m, i);
    write_entry(q, i, e, e->count);
    m->at[i] += 1;
    tree_replace(tree, i, next_of(m, i));
  }
}

int uniq_merge_tables(struct uniq *q, struct failure *why) {
  struct merge m = {.q = q};
  struct tree tree = {.ways = q->table_count, .before = before, .user = &m};
  if (order_all(q, why) != 0) return -1;
  if (q->table_count == 1) {
    const struct line_table *const t = q->tables;
    for (size_t i = 0; i < t->count && !q->out.out.failed; i++) {
      const struct line_entry *const e = line_table_ordered(t, i);
      write_entry(q, 0, e, e->count);
    }
    return 0;
  }
  tree.node = command_allocate(2 * tree.ways, sizeof *tree.node, "tables", why);
  if (!tree.node) return -1;
  merge_all(&m, &tree);
  free(tree.node);
  return 0;
}
