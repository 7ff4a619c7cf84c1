/* blocks.c - heddle uniq on text: blocks of lines, each taken by one of the threads, counted in tables that they share
 *
 * Method  One lock is held to read, so that blocks are numbered as they come. A line's place is its block's number and
 *         its own in it: of equal keys the line of the lowest place is the first of the file. Which table has a key its
 *         tag says, so that none is in two. Lines are looked up many at a time, table by table: each is locked
 *         for all that are its own, and what it has of them is fetched ahead. Threads begin with different tables.
 * Errors  Blocks before one that fails were read before it, and are counted to their ends: the error that is told is the
 *         first of the file, as with one thread. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "commands/command.h"
#include "uniq.h"

enum { AT_ONCE = 1 << 10, PLACE_BITS = 32, SLOT_AHEAD = 24, ENTRY_AHEAD = 16, TEXT_AHEAD = 8 };

struct counting {
  struct uniq *q;
  pthread_mutex_t read, runs, table[UNIQ_THREADS_MOST];
  bool ended;      /* of reading: nothing comes behind */
  uint64_t blocks; /* taken so far */
  uint64_t *lines; /* of each block, where keys are fields */
  size_t room;

  uint64_t failed; /* the block of the first error; UINT64_MAX: there is none */
  struct failure why;
  uint64_t line; /* that it is on, in the block, from 0; */
  size_t column; /* and the character there, from 1; 0: it is no error of a line */
  uint64_t bad, comments;
};

/* What one thread has. */
struct counter {
  struct counting *c;
  size_t first; /* the table that it begins with */
  struct records_block block;
  struct records_walk walk;
  uint64_t number, bad;
  size_t count; /* of the lines that are looked up together */
  struct counted_line line[AT_ONCE];
  uint32_t order[AT_ONCE]; /* table by table */
  char *copy[AT_ONCE];     /* a line's key, to be freed, where its field has doubled quotes */
};

/* The next block and its number; 1: there is none. */
static int take_block(struct counter *t, int *status, struct failure *why) {
  struct counting *const c = t->c;
  (void)pthread_mutex_lock(&c->read);
  const bool ended = c->ended;
  if (!ended) {
    *status = source_block(&c->q->g.src, c->q->records, &t->block, why);
    if (*status == 0 && c->q->s->key_count > 0 && c->blocks == c->room) {
      const size_t room = 2 * c->room + 64;
      uint64_t *const lines = realloc(c->lines, room * sizeof *lines);
      if (lines) c->lines = lines;
      if (lines) c->room = room;
      if (!lines) *status = fail(why, EXIT_DATA, "out of memory after %zu blocks", c->room);
    }
    t->number = c->blocks++;
    c->ended = *status != 0 || t->block.bytes == 0;
  }
  (void)pthread_mutex_unlock(&c->read);
  return ended || (*status == 0 && t->block.bytes == 0);
}

/* Keeps the first error of the file. `at`, in the record of the walk, is what is wrong; NULL: nothing in the text is. */
static void set_failure(struct counter *t, const char *at, const struct failure *why) {
  struct counting *const c = t->c;
  (void)pthread_mutex_lock(&c->read);
  c->ended = true;
  if (t->number < c->failed) {
    size_t down = 0;
    c->failed = t->number;
    c->why = *why;
    c->column = at ? text_column_of(t->walk.begin, at, &down) : 0;
    c->line = down;
    for (const char *p = t->block.text; at && p < t->walk.begin; p++) c->line += *p == '\n';
  }
  (void)pthread_mutex_unlock(&c->read);
}

static int fail_at(struct counter *t, const char *at, const char *what) {
  struct failure why;
  (void)fail(&why, EXIT_DATA, "%s", what);
  set_failure(t, at, &why);
  return -1;
}

/* The key of the walk's record, as line number t->count; 1: it is a bad line, and passed over. */
static int find_key(struct counter *t) {
  const struct uniq *const q = t->c->q;
  struct counted_line *const l = &t->line[t->count];
  char **const copy = &t->copy[t->count];
  struct text_field f;
  const char *at;
  *copy = NULL;
  l->key = l->line = t->walk.begin;
  l->key_bytes = l->line_bytes = (size_t)(t->walk.end - t->walk.begin);
  if (q->s->key_count == 0) return 0;
  const char *const what = records_split(q->records, t->walk.begin, t->walk.end, &f, &at);
  if (what) {
    t->bad += 1;
    return q->s->skip_bad ? 1 : fail_at(t, at, what);
  }
  l->key = f.begin;
  l->key_bytes = (size_t)(f.end - f.begin);
  if (!f.quoted || !memchr(f.begin, '"', l->key_bytes)) return 0;
  *copy = text_field_copy(&f);
  if (!*copy) return fail_at(t, f.start, "there is no memory for this field");
  l->key = *copy;
  l->key_bytes = strlen(*copy);
  return 0;
}

/* The next lines of the block, their keys and what they are found by. */
static int gather(struct counter *t) {
  int next = RECORDS_ONE;
  t->count = 0;
  while (t->count < AT_ONCE &&
         (next = records_walk(t->c->q->records, &t->block, &t->walk)) == RECORDS_ONE) {
    struct counted_line *const l = &t->line[t->count];
    const int found = find_key(t);
    if (found < 0) return -1;
    if (found > 0) continue;
    l->place = t->number << PLACE_BITS | t->walk.records;
    l->tag = line_table_tag(l->key, l->key_bytes);
    t->count += 1;
  }
  return next < 0 ? fail_at(t, t->walk.end, "this quote is not closed") : 0;
}

/* The full table becomes a run, and starts anew. */
static int make_run(struct counting *c, struct line_table *table, struct failure *why) {
  (void)pthread_mutex_lock(&c->runs);
  int status = uniq_add_run(c->q, table, why);
  if (status == 0) status = uniq_merge_levels(c->q, why);
  (void)pthread_mutex_unlock(&c->runs);
  return status;
}

/* Fills t->order; the lines of table k are those from ends[k - 1], or 0, to ends[k]. */
static void order_lines(struct counter *t, size_t tables, uint32_t *ends) {
  uint32_t next[UNIQ_THREADS_MOST + 1] = {0};
  for (size_t i = 0; i < t->count; i++) next[line_table_of(t->line[i].tag, tables) + 1] += 1;
  for (size_t k = 0; k < tables; k++) next[k + 1] += next[k];
  for (size_t i = 0; i < t->count; i++)
    t->order[next[line_table_of(t->line[i].tag, tables)]++] = (uint32_t)i;
  memcpy(ends, next, tables * sizeof *ends);
}

/* n lines of one table. */
static int add_lines(struct counter *t, struct line_table *table, const uint32_t *order, size_t n,
                     struct failure *why) {
  const struct uniq *const q = t->c->q;
  const size_t memory = q->g.memory / q->table_count;
  const struct counted_line *const line = t->line;
  for (size_t i = 0; i < n; i++) {
    bool full;
    if (i + SLOT_AHEAD < n) line_table_fetch_slot(table, line[order[i + SLOT_AHEAD]].tag);
    if (i + ENTRY_AHEAD < n) line_table_fetch_entry(table, line[order[i + ENTRY_AHEAD]].tag);
    if (i + TEXT_AHEAD < n) line_table_fetch_text(table, line[order[i + TEXT_AHEAD]].tag);
    if (line_table_add(table, &line[order[i]], memory, &full, why) != 0) return -1;
    if (!full) continue;
    if (make_run(t->c, table, why) != 0) return -1;
    if (line_table_add(table, &line[order[i]], memory, &full, why) != 0) return -1;
  }
  return 0;
}

static int count_lines(struct counter *t) {
  struct counting *const c = t->c;
  const size_t tables = c->q->table_count;
  uint32_t ends[UNIQ_THREADS_MOST];
  struct failure why;
  order_lines(t, tables, ends);
  for (size_t turn = 0; turn < tables; turn++) {
    const size_t k = (t->first + turn) % tables;
    const uint32_t from = k > 0 ? ends[k - 1] : 0;
    if (ends[k] == from) continue;
    (void)pthread_mutex_lock(&c->table[k]);
    const int status = add_lines(t, &c->q->tables[k], t->order + from, ends[k] - from, &why);
    (void)pthread_mutex_unlock(&c->table[k]);
    if (status == 0) continue;
    set_failure(t, NULL, &why);
    return -1;
  }
  return 0;
}

static int count_block(struct counter *t) {
  int status = 0;
  t->walk = (struct records_walk){.next = 0};
  do {
    status = gather(t);
    if (status == 0) status = count_lines(t);
    for (size_t i = 0; i < t->count; i++) free(t->copy[i]);
  } while (status == 0 && t->walk.next < t->block.bytes);
  return status;
}

static void *work(void *user) {
  struct counter *const t = user;
  struct counting *const c = t->c;
  struct failure why;
  for (int status = 0; take_block(t, &status, &why) == 0;) {
    if (status != 0) set_failure(t, NULL, &why);
    if (status != 0 || count_block(t) != 0) break;
    (void)pthread_mutex_lock(&c->read);
    if (c->lines) c->lines[t->number] = t->walk.lines;
    c->comments += t->walk.comments;
    (void)pthread_mutex_unlock(&c->read);
  }
  (void)pthread_mutex_lock(&c->read);
  c->bad += t->bad;
  (void)pthread_mutex_unlock(&c->read);
  free(t->block.text);
  return NULL;
}

/* The calling thread is one of them; those that cannot be started are not missed. */
static void work_together(struct counter *all, size_t count) {
  pthread_t others[UNIQ_THREADS_MOST];
  size_t started = 0;
  while (started + 1 < count &&
         pthread_create(&others[started], NULL, work, &all[started + 1]) == 0)
    started++;
  (void)work(&all[0]);
  for (size_t i = 0; i < started; i++) (void)pthread_join(others[i], NULL);
}

/* The first error of the file, with the line it is on. */
static int tell(const struct counting *c, struct failure *why) {
  uint64_t line = records_next_line(c->q->records) + c->line;
  *why = c->why;
  if (c->column == 0) return -1;
  for (uint64_t i = 0; i < c->failed; i++) line += c->lines[i];
  return fail(why, c->why.exit_code, "%s:%llu:%zu: %s", command_file_label(c->q->g.src.path),
              (unsigned long long)line, c->column, c->why.text);
}

int uniq_blocks(struct uniq *q, struct failure *why) {
  struct counting c = {.q = q, .failed = UINT64_MAX};
  struct counter *const all =
      command_allocate(q->table_count, sizeof *all, "the threads' tables", why);
  if (!all) return -1;
  memset(all, 0, q->table_count * sizeof *all);
  for (size_t i = 0; i < q->table_count; i++) {
    all[i].c = &c;
    all[i].first = i;
    (void)pthread_mutex_init(&c.table[i], NULL);
  }
  (void)pthread_mutex_init(&c.read, NULL);
  (void)pthread_mutex_init(&c.runs, NULL);
  work_together(all, q->table_count);
  for (size_t i = 0; i < q->table_count; i++) (void)pthread_mutex_destroy(&c.table[i]);
  (void)pthread_mutex_destroy(&c.runs);
  (void)pthread_mutex_destroy(&c.read);
  q->bad = c.bad;
  q->comments = c.comments;
  const int status = c.failed == UINT64_MAX ? 0 : tell(&c, why);
  free(c.lines);
  free(all);
  return status;
}
