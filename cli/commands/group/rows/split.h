/* split.h - the fields of a record that are wanted, as they stand in the text */
#ifndef HEDDLE_CLI_COMMANDS_GROUP_ROWS_SPLIT_H
#define HEDDLE_CLI_COMMANDS_GROUP_ROWS_SPLIT_H

#include "batch.h"

/* A field that is wanted, and where it begins in the text, quote included. */
struct piece {
  const char *begin, *end, *start;
};

enum split {
  SPLIT_DONE,
  SPLIT_SHORT, /* there are too few fields */
  SPLIT_ODD    /* it is text/record.h's */
};

/* Of a record without quotes, or of one that may have some; NUMBER_PADDING bytes behind it are readable, and the
 * delimiter is one character. */
enum split split_plain(const struct wanted *w, const char *record, const char *end,
                       struct piece *pieces);
enum split split_quoted(const struct wanted *w, const char *record, const char *end,
                        struct piece *pieces);

#endif
