/* reader.c - each thread takes the next block, parses it, and waits for its turn to hand its rows on
 *
 * Method  One lock is held to read, so that blocks are numbered as they come; another to hand on, in the order of the
 *         numbers. Of a table with types the threads share a batch, and the next one is read once all are through with it. What comes, and the first error, are those of one thread. */
#include "reader.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "commands/command.h"
#include "commands/missing.h"
#include "input/table/table.h"
#include "output/interrupt.h"
#include "rows/typed.h"

enum { THREADS_MOST = 64, PIECE_ROWS = 1 << 14 };

struct reading {
  const struct reader *of;
  struct wanted wanted;

  pthread_mutex_t read, add;
  pthread_cond_t turn;
  bool ended;      /* of reading: nothing comes behind */
  uint64_t blocks; /* taken so far */
  uint64_t added;  /* blocks */
  bool stopped;    /* of adding: by an error, or by who takes the rows: */
  int status;
  struct failure why;

  uint64_t lines, bad, comments, rows;
  struct typed_rows typed; /* of a table with types: from where on they are not taken yet */
  unsigned parsing;        /* who has rows of its latest batch */
  pthread_cond_t parsed;   /* one has not any more */
};

/* The next block and its number; 1: there is none. */
static int take_block(struct reading *r, struct records_block *block, uint64_t *number, int *status,
                      struct failure *why) {
  uint64_t done = 0, total = 0;
  (void)pthread_mutex_lock(&r->read);
  if (r->ended) {
    (void)pthread_mutex_unlock(&r->read);
    return 1;
  }
  interrupt_waiting(true);
  *status = records_block(r->of->records, block, why);
  interrupt_waiting(false);
  if (*status == 0 && interrupt_poll(NULL)) *status = fail(why, EXIT_INTERRUPTED, "interrupted");
  input_progress(r->of->src->in, &done, &total);
  progress_update(&r->of->src->progress, done, total);
  r->ended = *status != 0 || block->bytes == 0;
  *number = r->blocks++;
  (void)pthread_mutex_unlock(&r->read);
  return 0;
}

/* Has rows of the latest batch, or of the next one, which comes once nobody has rows of the latest: 1; 0 at the end. */
static int find_rows(struct reading *r, struct failure *why) {
  struct typed_rows *const rows = &r->typed;
  const struct table *const table = input_table(r->of->src->in);
  while (!r->ended && rows->first == table->rows) {
    if (r->parsing > 0) {
      (void)pthread_cond_wait(&r->parsed, &r->read);
      continue;
    }
    rows->before += table->rows;
    rows->first = 0;
    const int next = source_batch(r->of->src, why);
    r->ended = next <= 0;
    if (next < 0) return -1;
  }
  return !r->ended;
}

/* The next rows of a table with types, and their number; 1: there are none. The batch that they are of stays until all
 * that have rows of it are through. */
static int take_typed(struct reading *r, struct batch *b, uint64_t *number, int *status,
                      struct failure *why) {
  (void)pthread_mutex_lock(&r->read);
  const int found = find_rows(r, why);
  struct typed_rows mine = r->typed;
  *status = found < 0 ? -1 : 0;
  if (found > 0) {
    const size_t left = input_table(r->of->src->in)->rows - mine.first;
    mine.count = left < PIECE_ROWS ? left : PIECE_ROWS;
    r->typed.first += mine.count;
    r->parsing += 1;
  }
  if (found != 0) *number = r->blocks++;
  (void)pthread_mutex_unlock(&r->read);
  if (found <= 0) return found == 0;
  *status = batch_typed(b, &mine, why);
  (void)pthread_mutex_lock(&r->read);
  r->parsing -= 1;
  r->ended |= *status != 0;
  (void)pthread_cond_broadcast(&r->parsed);
  (void)pthread_mutex_unlock(&r->read);
  return 0;
}

/* --nan error: a number that is missing. */
static int look_for_missing(const struct reading *r, const struct batch *b, struct failure *why) {
  const struct asked *const q = r->of->q;
  const char *const path = r->of->src->path;
  size_t first;
  for (size_t c = 0; c < q->columns && q->s->nan_error; c++)
    if (!q->column[c].text && !b->column[c].words &&
        missing_find(b->column[c].type, b->column[c].values, b->rows, &first))
      return missing_fail(path, q->column[c].name ? q->column[c].name : "", r->rows + first, why);
  return 0;
}

static int add_batch(struct reading *r, struct batch *b, struct failure *why) {
  const uint64_t first = r->lines;
  if (look_for_missing(r, b, why) != 0) return -1;
  const size_t rows = b->rows;
  const int status = r->of->take(r->of->user, b, why);
  if (status != 0) return status;
  r->rows += rows;
  r->lines += b->lines;
  r->bad += b->bad;
  r->comments += b->comments;
  if (!b->failed) return 0;
  return fail(why, b->why.exit_code, "%s:%llu:%zu: %s", command_file_label(r->of->src->path),
              (unsigned long long)(first + b->fail_line), b->fail_column, b->why.text);
}

/* Waits until all blocks before are added. false: an error was among them. */
static bool await(struct reading *r, uint64_t number) {
  (void)pthread_mutex_lock(&r->add);
  while (r->added != number && !r->stopped) (void)pthread_cond_wait(&r->turn, &r->add);
  return !r->stopped;
}

static void *work(void *user) {
  struct reading *const r = user;
  struct records_block block = {NULL, 0, 0, false};
  struct batch b;
  struct failure why;
  uint64_t number = 0;
  int status = 0;
  batch_start(&b, r->of->q);
  for (const bool typed = input_table(r->of->src->in) != NULL;;) {
    batch_clear(&b);
    if ((typed ? take_typed(r, &b, &number, &status, &why)
               : take_block(r, &block, &number, &status, &why)) != 0)
      break;
    if (status == 0 && !typed) status = batch_parse(&b, &r->wanted, &block, &why);
    bool goes_on = await(r, number);
    if (goes_on) {
      if (status == 0) status = add_batch(r, &b, &why);
      if (status != 0) r->why = why;
      r->status = status;
      r->stopped = status != 0;
      r->added += 1;
      goes_on = status == 0;
      (void)pthread_cond_broadcast(&r->turn);
    }
    (void)pthread_mutex_unlock(&r->add);
    if (goes_on) continue;
    (void)pthread_mutex_lock(&r->read);
    r->ended = true;
    (void)pthread_mutex_unlock(&r->read);
  }
  batch_free(&b);
  free(block.text);
  return NULL;
}

/* The calling thread is one of them; those that cannot be started are not missed. */
static void work_together(struct reading *r, unsigned threads) {
  pthread_t others[THREADS_MOST];
  unsigned started = 0;
  while (started + 1 < threads && started < THREADS_MOST &&
         pthread_create(&others[started], NULL, work, r) == 0)
    started++;
  (void)work(r);
  for (unsigned i = 0; i < started; i++) (void)pthread_join(others[i], NULL);
}

static void note(const struct reading *r) {
  if (r->bad > 0)
    command_note(r->of->src->settings, "%s: %llu bad line%s passed over",
                 command_file_label(r->of->src->path), (unsigned long long)r->bad,
                 r->bad == 1 ? "" : "s");
}

int reader_read(const struct reader *of, struct failure *why) {
  struct reading r = {.of = of};
  r.typed.in = of->src->in;
  if (of->records) {
    batch_wanted(records_layout(of->records), of->options, &r.wanted);
    r.wanted.ends &= !of->q->lines; /* those stay whole */
    r.lines = records_next_line(of->records);
  }
  (void)pthread_mutex_init(&r.read, NULL);
  (void)pthread_mutex_init(&r.add, NULL);
  (void)pthread_cond_init(&r.turn, NULL);
  (void)pthread_cond_init(&r.parsed, NULL);
  work_together(&r, of->threads);
  (void)pthread_cond_destroy(&r.parsed);
  (void)pthread_cond_destroy(&r.turn);
  (void)pthread_mutex_destroy(&r.add);
  (void)pthread_mutex_destroy(&r.read);
  if (r.status == 0) note(&r);
  if (of->comments) *of->comments = r.comments;
  if (r.status < 0) *why = r.why;
  return r.status;
}

int reader_open(const struct asked *q, struct input_options *options, struct source *src,
                struct failure *why) {
  if (args_input_options(q->s, q->path, options, why) != 0) return -1;
  options->records = true;
  options->format = INPUT_TEXT; /* only text has columns, and tables that become such */
  struct input_options opened = *options;
  opened.column_count = asked_names(q, opened.columns);
  opened.only_columns = true;
  opened.typed = opened.typed_all = !q->condition;
  return source_open_options(q->s, &opened, src, why);
}

int reader_records(const struct asked *q, const struct source *src, struct records **records,
                   struct failure *why) {
  const char *names[INPUT_MAX_COLUMNS];
  *records = NULL;
  if (input_table(src->in)) return 0;
  return records_open(src->in, names, asked_names(q, names), false, records, why);
}

unsigned reader_threads(heddle_context *ctx) {
  heddle_device_info info = HEDDLE_DEVICE_INFO_INIT;
  if (heddle_info(ctx, &info) != HEDDLE_OK || strncmp(info.device, "cpu", 3) != 0) return 1;
  return info.threads;
}
