/* lazy_queue.c - operations of the lazy driver, and the order that they run in; see lazy_driver.c
 *
 * Method   An operation that is due runs with all before it on its stream; one of the default stream
 *          with all before it on every stream that waits for that one, and the other way round. A wait
 *          for an event runs the event's stream up to the record.
 * Limits   nothing is forgotten: streams and events are found by their handles in lists */
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "lazy.h"

struct lazy_real real;

struct stream {
  struct stream *next;
  void *handle;
  int apart; /* from the default stream */
  struct op *first, **last;
};

static struct stream *streams;
static struct event *events;
static uint64_t numbers;
static int bad; /* the first code of an operation that nobody has heard of */
static pthread_mutex_t lock;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* ---- the driver behind this one ------------------------------------------------------------------ */

static const struct {
  const char *symbol;
  void *place;
} entries[] = {
#define X(member, symbol, arguments) {symbol, &real.member},
    LAZY_ENTRIES(X)
#undef X
};

static void start(void) {
  pthread_mutexattr_t recursive;
  pthread_mutexattr_init(&recursive);
  pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&lock, &recursive);
  for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
    void *found = dlsym(RTLD_NEXT, entries[i].symbol);
    if (!found) abort();
    memcpy(entries[i].place, &found, sizeof found);
  }
}

void lazy_enter(void) {
  pthread_once(&once, start);
  pthread_mutex_lock(&lock);
}

int lazy_leave(int code) {
  pthread_mutex_unlock(&lock);
  return code;
}

/* ---- what is known of streams and events ----------------------------------------------------------- */

static struct stream *stream_of(void *handle) {
  struct stream *s = streams;
  while (s && s->handle != handle) s = s->next;
  if (s) return s;
  s = calloc(1, sizeof *s);
  if (!s) abort();
  *s = (struct stream){.next = streams, .handle = handle};
  s->last = &s->first;
  return streams = s;
}

struct event *event_of(void *handle) {
  struct event *e = events;
  while (e && e->handle != handle) e = e->next;
  if (e) return e;
  e = calloc(1, sizeof *e);
  if (!e) abort();
  *e = (struct event){.next = events, .handle = handle};
  return events = e;
}

void set_apart(void *stream) { stream_of(stream)->apart = 1; }

int is_captured(void *stream) {
  int status = 0;
  return real.capturing(stream, &status) || status;
}

struct op *put(void *stream, enum kind kind) {
  struct stream *s = stream_of(handle_of(stream));
  struct op *op = calloc(1, sizeof *op);
  if (!op) abort();
  op->kind = kind;
  op->number = ++numbers;
  *s->last = op;
  s->last = &op->next;
  return op;
}

/* ---- doing it --------------------------------------------------------------------------------------- */

static void run(struct stream *s, uint64_t before);

void reach(struct event *e, uint64_t version, void *stream) {
  struct stream *s = stream_of(stream);
  while (e->done < version && s->first) run(s, s->first->number + 1);
}

static int execute(void *stream, const struct op *op) {
  switch (op->kind) {
  case COPY_IN: return real.copy_in(op->to, op->from, op->bytes, stream);
  case COPY_OUT: return real.copy_out(op->to, op->from, op->bytes, stream);
  case COPY_DEVICE: return real.copy_device(op->to, op->from, op->bytes, stream);
  case COPY_ANY: return real.copy_any(op->to, op->from, op->bytes, stream);
  case FILL: return real.fill(op->to, (unsigned char)op->value, op->bytes, stream);
  case GRAPH: return real.graph(op->object, stream);
  case LAUNCH:
    return real.launch(op->object, op->grid[0], op->grid[1], op->grid[2], op->block[0],
                       op->block[1], op->block[2], op->shared, stream, op->arguments, NULL);
  case WAIT: reach(event_of(op->object), op->version, (void *)op->from); return 0;
  case RECORD: {
    struct event *e = event_of(op->object);
    if (e->done < op->version) e->done = op->version;
    return real.record(op->object, stream);
  }
  }
  return 0;
}

/* Operations of a stream whose numbers are below `before`, each after what it waits for. */
static void run(struct stream *s, uint64_t before) {
  while (s->first && s->first->number < before) {
    struct op *op = s->first;
    if (!s->handle)
      for (struct stream *other = streams; other; other = other->next)
        if (other != s && !other->apart) run(other, op->number);
    if (s->handle && !s->apart) run(stream_of(NULL), op->number);
    if (s->first != op) continue; /* it came to its turn meanwhile */
    s->first = op->next;
    if (!s->first) s->last = &s->first;
    int code = execute(s->handle, op);
    if (code && !bad) bad = code;
    free(op->arguments);
    free(op->data);
    free(op);
  }
}

void run_one(void *stream) { run(stream_of(handle_of(stream)), UINT64_MAX); }

void run_all(void) {
  for (struct stream *s = streams; s; s = s->next) run(s, UINT64_MAX);
}

void run_for(void *stream) {
  if (handle_of(stream)) {
    run(stream_of(stream), UINT64_MAX);
    return;
  }
  for (struct stream *s = streams; s; s = s->next)
    if (!s->apart) run(s, UINT64_MAX);
}

int heard(void) {
  const int code = bad;
  bad = 0;
  return code;
}
