/* runs.c - a file a run, that goes as soon as it is read
 *
 * Method  Runs are merged like the digits of a counter: whenever there are RUNS_AT_ONCE of one level, into
 *         one of the next, so that few files are open and few buffers share the memory, and neighbours
 *         stay neighbours. Most inputs have fewer runs and are merged once. */
#include "runs.h"

#include <stdlib.h>
#include <string.h>

/* More a buffer than this reads no faster, and leaves the cache; fewer read slowly. */
enum { BUFFER_MOST = 1 << 18, BUFFER_LEAST = 1 << 12, WRITER_BYTES = 1 << 18 };

int runs_add(struct runs *runs, struct run **out, struct failure *why) {
  if (runs->count == runs->room) {
    const size_t room = runs->room == 0 ? 16 : 2 * runs->room;
    struct run *const larger = realloc(runs->all, room * sizeof *larger);
    if (!larger) return fail(why, EXIT_DATA, "%s: no memory to sort it in parts", runs->use.name);
    runs->all = larger;
    runs->room = room;
  }
  struct run *const run = &runs->all[runs->count];
  memset(run, 0, sizeof *run);
  if (spool_open(&runs->use, &run->file, why) != 0) return -1;
  runs->count += 1;
  *out = run;
  return 0;
}

size_t runs_to_merge(const struct runs *runs) {
  size_t alike = 1;
  if (runs->count < RUNS_AT_ONCE) return 0;
  while (alike < runs->count &&
         runs->all[runs->count - 1 - alike].level == runs->all[runs->count - 1].level)
    alike++;
  return alike >= RUNS_AT_ONCE ? alike : 0;
}

void runs_replace(struct runs *runs, size_t count) {
  struct run *const first = &runs->all[runs->count - 1 - count], last = runs->all[runs->count - 1];
  for (size_t i = 0; i < count; i++) spool_close(first[i].file);
  *first = last;
  runs->count -= count;
}

uint64_t runs_items(const struct runs *runs) {
  uint64_t items = 0;
  for (size_t i = 0; i < runs->count; i++) items += runs->all[i].items;
  return items;
}

uint64_t runs_bytes(const struct runs *runs) {
  uint64_t bytes = 0;
  for (size_t i = 0; i < runs->count; i++) bytes += spool_bytes(runs->all[i].file);
  return bytes;
}

void runs_close(struct runs *runs) {
  for (size_t i = 0; i < runs->count; i++) spool_close(runs->all[i].file);
  free(runs->all);
}

int run_writer_open(struct runs *runs, struct run_writer *w, struct failure *why) {
  w->used = 0;
  w->buffer = malloc(WRITER_BYTES);
  if (!w->buffer) return fail(why, EXIT_DATA, "%s: no memory to sort it in parts", runs->use.name);
  if (runs_add(runs, &w->run, why) == 0) return 0;
  free(w->buffer);
  return -1;
}

int run_write(struct run_writer *w, const void *data, size_t bytes, struct failure *why) {
  if (bytes > WRITER_BYTES - w->used) {
    const size_t used = w->used;
    w->used = 0;
    if (spool_append(w->run->file, w->buffer, used, why) != 0) return -1;
    if (bytes >= WRITER_BYTES) return spool_append(w->run->file, data, bytes, why);
  }
  memcpy(w->buffer + w->used, data, bytes);
  w->used += bytes;
  return 0;
}

int run_writer_close(struct run_writer *w, int status, struct failure *why) {
  if (status == 0) status = spool_append(w->run->file, w->buffer, w->used, why);
  free(w->buffer);
  return status;
}

struct run_reader *runs_read(struct run *runs, size_t count, size_t memory, struct failure *why) {
  struct run_reader *const readers = calloc(count, sizeof *readers);
  size_t capacity = memory / count / 64 * 64;
  if (capacity > BUFFER_MOST) capacity = BUFFER_MOST;
  if (capacity < BUFFER_LEAST) capacity = BUFFER_LEAST;
  bool failed = !readers;
  for (size_t i = 0; i < count && !failed; i++) {
    struct run_reader *const r = &readers[i];
    r->run = &runs[i];
    r->capacity = capacity;
    r->buffer = r->at = r->end = malloc(capacity);
    failed = !r->buffer;
  }
  if (!failed) return readers;
  runs_read_end(readers, count);
  (void)fail(why, EXIT_DATA, "no memory for %zu buffers of %zu bytes; give more by -S", count,
             capacity);
  return NULL;
}

int run_refill(struct run_reader *reader, size_t *got, struct failure *why) {
  const size_t left = (size_t)(reader->end - reader->at);
  *got = 0;
  if (!reader->run->file) return 0;
  if (left == reader->capacity) {
    unsigned char *const larger = realloc(reader->buffer, 2 * reader->capacity);
    if (!larger) return fail(why, EXIT_DATA, "no memory for a line of more than %zu bytes", left);
    reader->buffer = reader->at = larger;
    reader->capacity *= 2;
  }
  memmove(reader->buffer, reader->at, left);
  if (spool_read(reader->run->file, reader->offset, reader->buffer + left, reader->capacity - left,
                 got, why) != 0)
    return -1;
  reader->offset += *got;
  reader->at = reader->buffer;
  reader->end = reader->buffer + left + *got;
  return 0;
}

void run_end(struct run_reader *reader) {
  spool_close(reader->run->file);
  reader->run->file = NULL;
}

void runs_read_end(struct run_reader *readers, size_t count) {
  for (size_t i = 0; readers && i < count; i++) free(readers[i].buffer);
  free(readers);
}
