/* describing.h - what columns.c and again.c share: a table that is being described */
#ifndef HEDDLE_CLI_COMMANDS_DESCRIBE_DESCRIBING_H
#define HEDDLE_CLI_COMMANDS_DESCRIBE_DESCRIBING_H

#include "columns.h"
#include "commands/group/reader.h"
#include "texts.h"

/* That are read in one pass, and share the memory. */
enum { DESCRIBE_COLUMNS = 16 };

struct column {
  heddle_state *state;
  uint64_t rows;
  struct ranks ranks;
  struct texts texts;
  bool words, rounded;
  heddle_state *passes; /* for quartiles that are not in the brackets */
  int again;
};

struct describing {
  const struct settings *s;
  heddle_context *ctx;
  struct source *src;
  struct input_options options;
  struct asked q;
  struct column column[DESCRIBE_COLUMNS];
  double *real, *there; /* a batch's values, and those that are no NaN */
  size_t room;
  size_t memory, budget; /* of each half; left of the brackets' one */
  bool words;
  size_t columns; /* of the whole table */
};

/* Room for a batch of so many rows. */
int describing_room(struct describing *d, size_t rows, struct failure *why);
/* A batch's column as f64. */
const double *describing_values(struct describing *d, const struct batch *b, size_t c,
                                struct failure *why);
int describing_open(struct describing *d, struct records **records, struct failure *why);
/* All rows to `to`; 1: it wanted no more. */
int describing_pass(struct describing *d, struct records *records, reader_take *to,
                    struct failure *why);
/* again.c: the quartiles of columns that are marked, into their rows. */
int describing_again(struct describing *d, struct column_row *rows, struct failure *why);
/* histograms.c: the bins of columns of numbers, by their least and greatest values. */
int describing_histograms(struct describing *d, struct column_row *rows, struct failure *why);

#endif
