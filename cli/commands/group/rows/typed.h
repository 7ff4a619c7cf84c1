/* typed.h - rows of a table with types as rows of a batch, without a way through text */
#ifndef HEDDLE_CLI_COMMANDS_GROUP_ROWS_TYPED_H
#define HEDDLE_CLI_COMMANDS_GROUP_ROWS_TYPED_H

#include "batch.h"

/* Rows of the latest batch of the input's table (input_table), from `first` on, count of them; `before` is how many came
 * before that batch. */
struct typed_rows {
  const struct input *in;
  size_t first, count;
  uint64_t before;
};
int batch_typed(struct batch *b, const struct typed_rows *rows, struct failure *why);

#endif
