/* reader.h - a file's rows, batch after batch: blocks of text are parsed by several threads, and come in their order */
#ifndef HEDDLE_CLI_COMMANDS_GROUP_READER_H
#define HEDDLE_CLI_COMMANDS_GROUP_READER_H

#include "commands/group/rows/batch.h"
#include "commands/source.h"

/* By one thread at a time. 1: no more is wanted. */
typedef int reader_take(void *user, struct batch *b, struct failure *why);

struct reader {
  struct source *src;
  struct records *
      records; /* of the source, with the columns of q; NULL: it is a table with types (input_table) */
  const struct input_options *options;
  const struct asked *q;
  unsigned threads;
  reader_take *take;
  void *user;
  uint64_t *comments; /* that were passed over; NULL: not asked for */
};

/* The file of q, of whose columns a table with types reads those that are asked for; options: for a reader. */
int reader_open(const struct asked *q, struct input_options *options, struct source *src,
                struct failure *why);
/* Its records, or NULL. */
int reader_records(const struct asked *q, const struct source *src, struct records **records,
                   struct failure *why);
/* 0: to the end; 1: as far as was wanted. */
int reader_read(const struct reader *reader, struct failure *why);
/* As many as the context's device has of a CPU. */
unsigned reader_threads(heddle_context *ctx);

#endif
