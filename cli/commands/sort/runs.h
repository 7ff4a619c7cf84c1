/* runs.h - sorted runs in temporary files, and what is read back of many at a time */
#ifndef HEDDLE_CLI_COMMANDS_SORT_RUNS_H
#define HEDDLE_CLI_COMMANDS_SORT_RUNS_H

#include <stdbool.h>

#include "heddle.h"
#include "input/spool.h"
#include "options/args.h"
#include "report/progress.h"

struct run {
  struct spool *file;
  uint64_t items;
  unsigned level;                      /* 0: sorted; else merged, so many times */
  heddle_type type[INPUT_MAX_COLUMNS]; /* that its keys are of */
};

/* More than so many of one level are merged into one of the next. */
enum { RUNS_AT_ONCE = 64 };

struct runs {
  struct run *all; /* in the order of what they hold */
  size_t count, room;
  struct spool_use use;
};

/* A new last run without items. */
int runs_add(struct runs *runs, struct run **out, struct failure *why);
/* Whether so many of the last runs are to become one; 0: none. */
size_t runs_to_merge(const struct runs *runs);
/* The last run takes the place of the `count` before it, which are merged into it. */
void runs_replace(struct runs *runs, size_t count);
uint64_t runs_items(const struct runs *runs);
uint64_t runs_bytes(const struct runs *runs);
void runs_close(struct runs *runs);

/* A new last run that is written through a buffer; closed with the status of the work so far. */
struct run_writer {
  struct run *run;
  unsigned char *buffer;
  size_t used;
};
int run_writer_open(struct runs *runs, struct run_writer *w, struct failure *why);
int run_write(struct run_writer *w, const void *data, size_t bytes, struct failure *why);
int run_writer_close(struct run_writer *w, int status, struct failure *why);

/* One run that is read: [at, end) is in memory. */
struct run_reader {
  struct run *run;
  uint64_t offset; /* in the file, of what follows */
  unsigned char *buffer, *at, *end;
  size_t capacity;
};

/* Readers of `count` runs, which share `memory` bytes; NULL and *why. */
struct run_reader *runs_read(struct run *runs, size_t count, size_t memory, struct failure *why);
/* More behind what is left, [at, end), which moves to the buffer's start. A buffer that is full grows.
 * *got 0 at the end. */
int run_refill(struct run_reader *reader, size_t *got, struct failure *why);
/* What was read is not needed again: the file goes. */
void run_end(struct run_reader *reader);
void runs_read_end(struct run_reader *readers, size_t count);

#endif
