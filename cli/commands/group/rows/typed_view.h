/* typed_view.h - a column of a table with types, by the rows that are wanted: its elements, and any of them as text */
#ifndef HEDDLE_CLI_COMMANDS_GROUP_ROWS_TYPED_VIEW_H
#define HEDDLE_CLI_COMMANDS_GROUP_ROWS_TYPED_VIEW_H

#include "batch.h"
#include "input/table/table.h"
#include "text/element.h"

enum { TYPED_SCRATCH = (int)NUMBER_TEXT + (int)DATE_TEXT };

struct view {
  const struct table *table;
  size_t column, first, rows;
  const struct table_column *of;
  const struct table_part *part;
  size_t size; /* of a number's element */
};

static inline bool view_is_there(const struct view *v, size_t row) {
  return !v->part->valid || table_bit(v->part->valid, v->first + row);
}

static inline const unsigned char *view_element(const struct view *v, size_t row) {
  return v->part->values + (v->first + row) * v->size;
}

/* typed_texts.c: numbers as the shortest decimals, truth values as 0 and 1, dates as ISO 8601, what is missing as nothing.
 * It lies in the table or in scratch. */
struct table_text view_text(const struct view *v, size_t row, char scratch[TYPED_SCRATCH]);

/* The texts of all rows to ids of `to`; `added`, unless NULL, is told of each that is new. */
typedef void text_added(struct batch *b, const char *text, size_t bytes);
int view_intern(const struct view *v, struct interned *to, text_added *added, struct batch *b,
                struct failure *why);

#endif
