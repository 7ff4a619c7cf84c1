/* texts.h - the distinct texts of a column and how often each is there, up to a memory */
#ifndef HEDDLE_CLI_COMMANDS_DESCRIBE_TEXTS_H
#define HEDDLE_CLI_COMMANDS_DESCRIBE_TEXTS_H

#include "commands/group/rows/batch.h"

struct texts {
  struct keys keys;
  uint64_t *counts; /* of each */
  size_t room;
  bool full; /* others came as well, of which nothing is known */
};

/* The texts of a batch's rows; new ones as long as all take no more than `memory` bytes. */
int texts_add(struct texts *t, struct interned *from, size_t rows, size_t memory,
              struct failure *why);

struct texts_summary {
  uint64_t there, distinct; /* texts that are not missing: rows of those that are known */
  const char *top;          /* the most frequent, of several the least; NULL: none */
  size_t top_bytes;
  uint64_t frequency, missing;
};
/* missing: words that stand for no text, beside the empty one; NULL: none. */
void texts_sum_up(const struct texts *t, const struct text_missing *missing,
                  struct texts_summary *out);
void texts_free(struct texts *t);

#endif
