/* text_pool.c - a ring of blocks: each is read and cut by one thread at a time, parsed by any
 *
 * Method  A thread that finds room in the ring and nobody reading reads the next block; else it parses the
 *         oldest one that is read. So a slow stream is always being read, and unpacked, while the others parse.
 *         The caller's own thread parses while it waits, and never reads: a pipe may be silent for long.
 *         What follows a block's last whole record is carried to the next. */
#define _GNU_SOURCE
#include "text_pool.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "input/internal.h"

size_t text_block_bytes = 1 << 19;

enum { BLOCKS_A_THREAD = 2, SLOT_SPARE = NUMBER_PADDING + 1 };

struct slot {
  struct text_slot shown;
  char *text,
      *filtered; /* the latter a copy, for the text may begin within a record, and is then fed as it is */
  size_t bytes;
  bool parsed, whole, last, failed; /* whole: it ends with a record's end; last: the text as well */
  struct failure why;
};

struct text_pool {
  struct text_pool_spec spec;
  pthread_mutex_t lock;
  pthread_cond_t work, done;
  struct slot *slots;
  size_t slot_count, room; /* bytes of text that a slot has */
  /* Blocks so far that were read, given to who parses them, passed on: a block's slot is its number modulo
   * slot_count. */
  uint64_t read, begun, passed;
  bool reading, ended, stopping, over;
  char *carry;
  size_t carry_bytes;
  struct found_state state; /* of the columns, as far as is known */
  size_t fed;               /* bytes of the next block */
  pthread_t *threads;
  size_t thread_count;
};

static struct slot *slot_of(const struct text_pool *p, uint64_t number) {
  return &p->slots[number % p->slot_count];
}

/* ---- reading and cutting ------------------------------------------------------------------- */

/* The lock is not held; nobody else has the slot, the stream and what is carried. */
static void read_block(struct text_pool *p, struct slot *s) {
  size_t got = 0;
  memcpy(s->text, p->carry, p->carry_bytes);
  s->bytes = p->carry_bytes;
  s->failed = stream_read(p->spec.stream, s->text + s->bytes, p->room - s->bytes, &got, &s->why);
  stream_progress(p->spec.stream, &s->shown.done, &s->shown.total);
  s->last = s->failed || got < p->room - s->bytes;
  if (p->spec.lone_cr)
    for (char *c = s->text + s->bytes; c < s->text + s->bytes + got; c++)
      if (*c == '\r') *c = '\n';
  s->bytes += got;
  p->carry_bytes = 0;
  s->whole = true;
  if (s->last) {
    if (s->bytes > 0 && s->text[s->bytes - 1] != '\n') s->text[s->bytes++] = '\n';
  } else {
    const size_t cut = text_block_cut(s->text, s->bytes, &p->spec.model->rows);
    s->whole = cut > 0;
    if (s->whole) {
      p->carry_bytes = s->bytes - cut;
      memcpy(p->carry, s->text + cut, p->carry_bytes);
      s->bytes = cut;
    }
  }
  memset(s->text + s->bytes, 0, NUMBER_PADDING);
}

static bool may_read(const struct text_pool *p) {
  return !p->reading && !p->ended && p->read - p->passed < p->slot_count;
}

/* Both with the lock held, which they give up meanwhile. */
static void read_next(struct text_pool *p) {
  struct slot *const s = slot_of(p, p->read);
  p->reading = true;
  (void)pthread_mutex_unlock(&p->lock);
  read_block(p, s);
  (void)pthread_mutex_lock(&p->lock);
  s->parsed = s->shown.clean = false;
  p->reading = false;
  p->ended = s->last;
  p->read += 1;
  (void)pthread_cond_broadcast(&p->work);
  (void)pthread_cond_signal(&p->done); /* the caller may parse it */
}

static void parse_next(struct text_pool *p) {
  struct slot *const s = slot_of(p, p->begun++);
  struct text_block *const b = &s->shown.block;
  s->shown.before = p->state;
  (void)pthread_mutex_unlock(&p->lock);
  bool clean = s->whole && !s->failed;
  char *const text = p->spec.filter ? s->filtered : s->text, *const end = text + s->bytes;
  if (clean && p->spec.filter) {
    memcpy(text, s->text, s->bytes + NUMBER_PADDING);
    clean = text_filter_records(p->spec.filter, text, end, NULL) == end;
  }
  if (clean) {
    if (p->spec.finds) found_set(&b->found, &b->rows, &s->shown.before);
    if (b->lines) text_lines_again(b->lines);
    clean = text_block_parse(b, text, end, p->spec.skip_bad, &s->shown.lines, &s->shown.bad);
    if (clean && p->spec.finds) found_block(&b->found, &b->rows, b->count);
  }
  (void)pthread_mutex_lock(&p->lock);
  s->shown.clean = clean;
  s->parsed = true;
  (void)pthread_cond_signal(&p->done);
}

static void *run(void *argument) {
  struct text_pool *const p = argument;
  (void)pthread_mutex_lock(&p->lock);
  while (!p->stopping) {
    if (may_read(p))
      read_next(p);
    else if (p->begun < p->read)
      parse_next(p);
    else
      (void)pthread_cond_wait(&p->work, &p->lock);
  }
  (void)pthread_mutex_unlock(&p->lock);
  return NULL;
}

/* ---- handing on ---------------------------------------------------------------------------- */

int text_pool_next(struct text_pool *pool, const struct found_state *state, struct text_slot **out,
                   struct failure *why) {
  struct slot *const s = slot_of(pool, pool->passed);
  *out = NULL;
  if (pool->over) return 0;
  (void)pthread_mutex_lock(&pool->lock);
  if (state) pool->state = *state;
  while (pool->read == pool->passed || !s->parsed)
    if (pool->begun < pool->read)
      parse_next(pool);
    else
      (void)pthread_cond_wait(&pool->done, &pool->lock);
  (void)pthread_mutex_unlock(&pool->lock);
  if (s->failed) {
    *why = s->why;
    return -1;
  }
  *out = &s->shown;
  return 0;
}

void text_pool_pass(struct text_pool *pool) {
  (void)pthread_mutex_lock(&pool->lock);
  pool->over = slot_of(pool, pool->passed)->last;
  pool->fed = 0;
  pool->passed += 1;
  (void)pthread_cond_signal(&pool->work);
  (void)pthread_mutex_unlock(&pool->lock);
}

int text_pool_feed(struct text_pool *pool, char *buffer, size_t capacity, size_t *got, bool *ended,
                   struct failure *why) {
  struct text_slot *next;
  *got = 0;
  *ended = true;
  if (text_pool_next(pool, NULL, &next, why) != 0) return -1;
  if (!next) return 0;
  const struct slot *const s = slot_of(pool, pool->passed);
  const size_t left = s->bytes - pool->fed;
  *got = left < capacity ? left : capacity;
  memcpy(buffer, s->text + pool->fed, *got);
  pool->fed += *got;
  *ended = s->last && *got == left;
  if (*got == left) text_pool_pass(pool);
  return 0;
}

bool text_pool_is_between(const struct text_pool *pool) { return pool->fed == 0; }

/* ---- start and end ------------------------------------------------------------------------- */

/* A row of the columns wanted has so many bytes at least. */
static size_t row_least(const struct text_rows *t) {
  const size_t last = t->field[t->fields - 1];
  return last + 1 < 2 ? 2 : last + 1;
}

static int open_slot(const struct text_pool *p, struct slot *s) {
  const struct text_block *const model = p->spec.model;
  struct text_block *const b = &s->shown.block;
  b->rows = model->rows;
  memset(b->rows.values, 0, sizeof b->rows.values);
  b->rows.rounded = b->found.rounded;
  s->text = malloc(p->room + SLOT_SPARE);
  s->filtered = p->spec.filter ? malloc(p->room + SLOT_SPARE) : NULL;
  if (text_block_allocate(b, p->room / row_least(&b->rows) + 2, p->spec.finds,
                          model->lines != NULL) != 0)
    return -1;
  if (b->lines) b->lines->begun = true;
  return s->text && (s->filtered || !p->spec.filter) ? 0 : -1;
}

/* Signals are the first thread's, whose handler knows what it waits for. */
static void start_threads(struct text_pool *p) {
  sigset_t all, former;
  (void)sigfillset(&all);
  if (pthread_sigmask(SIG_SETMASK, &all, &former) != 0) return;
  while (p->thread_count < p->spec.threads - 1 &&
         pthread_create(&p->threads[p->thread_count], NULL, run, p) == 0)
    p->thread_count += 1;
  (void)pthread_sigmask(SIG_SETMASK, &former, NULL);
}

struct text_pool *text_pool_start(const struct text_pool_spec *spec) {
  struct text_pool *const p = calloc(1, sizeof *p);
  if (!p) return NULL;
  p->spec = *spec;
  stream_may_give_up(spec->stream);
  p->room = text_block_bytes + spec->carry_bytes;
  p->slot_count = BLOCKS_A_THREAD * spec->threads;
  (void)pthread_mutex_init(&p->lock, NULL);
  (void)pthread_cond_init(&p->work, NULL);
  (void)pthread_cond_init(&p->done, NULL);
  p->slots = calloc(p->slot_count, sizeof *p->slots);
  p->threads = calloc(spec->threads, sizeof *p->threads);
  p->carry = malloc(p->room);
  bool good = p->slots && p->threads && p->carry;
  for (size_t i = 0; good && i < p->slot_count; i++) good = open_slot(p, &p->slots[i]) == 0;
  if (good) {
    memcpy(p->carry, spec->carry, spec->carry_bytes);
    p->carry_bytes = spec->carry_bytes;
    if (spec->finds) found_get(&spec->model->found, &spec->model->rows, &p->state);
    start_threads(p);
  }
  if (good && p->thread_count > 0) return p;
  text_pool_stop(p, false);
  return NULL;
}

void text_pool_stop(struct text_pool *pool, bool for_good) {
  if (!pool) return;
  (void)pthread_mutex_lock(&pool->lock);
  pool->stopping = true;
  (void)pthread_cond_broadcast(&pool->work);
  (void)pthread_mutex_unlock(&pool->lock);
  if (for_good && pool->thread_count > 0) stream_give_up(pool->spec.stream);
  for (size_t i = 0; i < pool->thread_count; i++) (void)pthread_join(pool->threads[i], NULL);
  for (size_t i = 0; pool->slots && i < pool->slot_count; i++) {
    text_block_free(&pool->slots[i].shown.block);
    free(pool->slots[i].text);
    free(pool->slots[i].filtered);
  }
  (void)pthread_cond_destroy(&pool->done);
  (void)pthread_cond_destroy(&pool->work);
  (void)pthread_mutex_destroy(&pool->lock);
  free(pool->threads);
  free(pool->slots);
  free(pool->carry);
  free(pool);
}
