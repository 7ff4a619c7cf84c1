/* typed_table.c - batches of a table with types as typed rows
 *
 * Limits  Dates and times become texts (ISO 8601), truth values u8. */
#include <string.h>

#include "commands/command.h"
#include "input/table/dates.h"
#include "input/table/table.h"
#include "typed.h"

static void take_types(const struct source *src, const struct table *table, struct typed *t) {
  t->columns = input_columns(src->in);
  for (size_t k = 0; k < t->columns; k++) {
    const struct table_column *const from = &table->column[input_table_column(src->in, k)];
    t->column[k].name = from->name;
    t->column[k].text = from->kind == TABLE_TEXT || from->unit != UNIT_NONE;
    t->column[k].type = from->kind == TABLE_BITS ? HEDDLE_U8 : from->type;
  }
}

static int put_date(const struct table_column *from, const unsigned char *element, struct typed *t,
                    size_t k, struct failure *why) {
  char text[DATE_TEXT];
  int64_t wide;
  int32_t narrow;
  memcpy(&narrow, element, sizeof narrow);
  wide = narrow;
  if (from->type == HEDDLE_I64) memcpy(&wide, element, sizeof wide);
  const int length = date_text(text, from->unit, wide, from->utc);
  return typed_put_text(t, k, text, (size_t)length, why);
}

static int put(const struct table *table, size_t column, size_t row, struct typed *t, size_t k,
               struct failure *why) {
  const struct table_column *const from = &table->column[column];
  const struct table_part *const part = &table->part[column];
  const char *text;
  size_t bytes;
  if (part->valid && !table_bit(part->valid, row)) {
    typed_put_missing(t, k);
    return 0;
  }
  if (from->kind == TABLE_TEXT) {
    table->format->text(table, column, row, &text, &bytes);
    return typed_put_text(t, k, text, bytes, why);
  }
  if (from->kind == TABLE_BITS) {
    const unsigned char bit = table_bit(part->values, row);
    typed_put_number(t, k, &bit);
    return 0;
  }
  const unsigned char *const element = part->values + row * heddle_type_size(from->type);
  if (from->unit != UNIT_NONE) return put_date(from, element, t, k, why);
  typed_put_number(t, k, element);
  return 0;
}

static int take_rows(struct source *src, const struct table *table, size_t first, size_t end,
                     struct typed *t, typed_take *take, void *user, struct failure *why) {
  for (size_t row = first; row < end; row++) {
    for (size_t k = 0; k < t->columns; k++)
      if (put(table, input_table_column(src->in, k), row, t, k, why) != 0) return -1;
    typed_next(t);
    if (!typed_is_full(t)) continue;
    if (take(user, t, why) != 0) return -1;
    typed_clear(t);
  }
  return 0;
}

int typed_table_read(struct source *src, struct typed *t,
                     int begin(void *user, struct typed *t, struct failure *why), typed_take *take,
                     void *user, struct failure *why) {
  const struct table *const table = input_table(src->in);
  uint64_t skip = src->settings->offset, left = src->settings->count;
  int next = 1;
  take_types(src, table, t);
  if (typed_start(t, why) != 0 || begin(user, t, why) != 0) return -1;
  while (left > 0 && (next = source_batch(src, why)) == 1) {
    const size_t rows = table->rows, first = skip < rows ? (size_t)skip : rows;
    const size_t count = rows - first < left ? rows - first : (size_t)left;
    skip -= first;
    left -= count;
    if (take_rows(src, table, first, first + count, t, take, user, why) != 0) return -1;
  }
  if (next < 0) return -1;
  return t->rows > 0 ? take(user, t, why) : 0;
}
