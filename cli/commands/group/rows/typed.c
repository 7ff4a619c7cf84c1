/* typed.c - numbers as they are, texts as their bytes (typed_texts.c)
 *
 * Result  Integers are i64, or f64 where that does not hold them; floats f64. Keys and figures of text have numbers as
 *         the shortest decimals, truth values as 0 and 1, dates as ISO 8601.
 * Missing NaN as a number, and the column is f64 then; empty as a text. */
#include "typed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "commands/command.h"
#include "text/number.h"
#include "text/types.h"
#include "typed_view.h"

static struct view view_of(const struct typed_rows *rows, size_t wanted) {
  const struct table *const t = input_table(rows->in);
  const size_t column = input_table_column(rows->in, wanted);
  const struct table_column *const of = &t->column[column];
  return (struct view){t,
                       column,
                       rows->first,
                       rows->count,
                       of,
                       &t->part[column],
                       of->kind == TABLE_NUMBERS ? heddle_type_size(of->type) : 0};
}

/* ---- keys -------------------------------------------------------------------------------------------- */

static int add_to_key(struct batch *b, size_t *used, struct table_text text, bool last,
                      struct failure *why) {
  const uint32_t bytes = (uint32_t)text.bytes;
  if (text.bytes > UINT32_MAX / 4)
    return fail(why, EXIT_DATA, "%s: a key of %zu bytes", command_file_label(b->q->path),
                text.bytes);
  const size_t most = *used + text.bytes + sizeof bytes;
  if (most > b->key_room) {
    char *const larger = realloc(b->key, 2 * most);
    if (!larger) return fail(why, EXIT_DATA, "%s: out of memory", command_file_label(b->q->path));
    b->key = larger;
    b->key_room = 2 * most;
  }
  if (!last) {
    memcpy(b->key + *used, &bytes, sizeof bytes);
    *used += sizeof bytes;
  }
  if (bytes > 0) memcpy(b->key + *used, text.at, bytes);
  *used += bytes;
  return 0;
}

/* Several fields as one text (keys.h). */
static int take_joined(struct batch *b, const struct typed_rows *rows, struct failure *why) {
  struct view views[INPUT_MAX_COLUMNS];
  char scratch[TYPED_SCRATCH];
  bool fresh;
  for (size_t k = 0; k < b->q->keys; k++) views[k] = view_of(rows, k);
  for (size_t row = 0; row < rows->count; row++) {
    size_t used = 0;
    for (size_t k = 0; k < b->q->keys; k++)
      if (add_to_key(b, &used, view_text(&views[k], row, scratch), k + 1 == b->q->keys, why) != 0)
        return -1;
    if (batch_intern(&b->groups, row, b->key, used, &fresh, why) != 0) return -1;
    if (fresh) batch_look_at_key(b, b->key, used);
  }
  return 0;
}

static int take_keys(struct batch *b, const struct typed_rows *rows, struct failure *why) {
  if (b->q->keys == 0) return 0;
  if (b->q->keys > 1) return take_joined(b, rows, why);
  const struct view v = view_of(rows, 0);
  return view_intern(&v, &b->groups, batch_look_at_key, b, why);
}

/* ---- numbers ----------------------------------------------------------------------------------------- */

static int widen(struct batch_column *to, size_t rows, struct failure *why) {
  if (to->type == HEDDLE_F64) return 0;
  if (batch_widen(to->values, rows, &to->rounded, why) != 0) return -1;
  to->type = HEDDLE_F64;
  return 0;
}

static int no_number(const struct batch *b, const struct typed_rows *rows, const struct view *v,
                     size_t row, struct table_text text, struct failure *why) {
  char shown[60];
  text_show(text.at, text.bytes, shown, sizeof shown);
  return fail(
      why, EXIT_DATA,
      "%s: column '%s', row %llu: '%s' is no number; figures of text are count, first, last and "
      "distinct",
      command_file_label(b->q->path), v->of->name,
      (unsigned long long)(rows->before + v->first + row + 1), shown);
}

/* Numbers that are written as text. */
static int take_written(struct batch *b, const struct typed_rows *rows, const struct view *v,
                        struct batch_column *to, bool any, struct failure *why) {
  char scratch[TYPED_SCRATCH];
  for (size_t row = 0; row < v->rows; row++) {
    const struct table_text text = view_text(v, row, scratch);
    uint64_t *const out = &to->values[row];
    int64_t whole = 0;
    double real;
    if (to->type == HEDDLE_I64 &&
        number_parse(text.at, text.bytes, HEDDLE_I64, &whole) == NUMBER_OK &&
        !(whole == 0 && *text.at == '-')) {
      memcpy(out, &whole, sizeof whole);
      continue;
    }
    if (number_parse(text.at, text.bytes, HEDDLE_F64, &real) != NUMBER_OK) {
      if (!any) return no_number(b, rows, v, row, text, why);
      to->words = true;
      *out = 0; /* as in parse.c */
      continue;
    }
    if (widen(to, row, why) != 0) return -1;
    to->rounded |= fabs(real) >= 0x1p53 && number_is_digits(text.at, text.at + text.bytes) &&
                   number_is_rounded(text.at, text.bytes, real);
    memcpy(out, &real, sizeof real);
  }
  return 0;
}

static bool is_beyond(const struct view *v) {
  bool beyond = false;
  for (size_t row = 0; row < v->rows && v->of->type == HEDDLE_U64; row++)
    beyond |= view_element(v, row)[__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? 0 : 7] > 127;
  return beyond;
}

/* Integers of u64 that i64 does not hold, as f64. */
static void take_beyond(const struct view *v, struct batch_column *to) {
  for (size_t row = 0; row < v->rows; row++) {
    uint64_t whole;
    memcpy(&whole, view_element(v, row), sizeof whole);
    const double real = (double)whole;
    to->rounded |= real >= 0x1p64 || (uint64_t)real != whole;
    memcpy(&to->values[row], &real, sizeof real);
  }
}

static int take_elements(const struct view *v, struct batch_column *to, struct failure *why) {
  const bool whole = v->of->kind == TABLE_BITS || !type_is_float(v->of->type);
  const bool beyond = v->of->kind == TABLE_NUMBERS && is_beyond(v);
  if (!whole || beyond) to->type = HEDDLE_F64;
  if (v->of->kind == TABLE_BITS) {
    for (size_t row = 0; row < v->rows; row++)
      to->values[row] = table_bit(v->part->values, v->first + row);
  } else if (beyond) {
    take_beyond(v, to);
  } else if (command_check(heddle_convert(v->of->type, view_element(v, 0),
                                          whole ? HEDDLE_I64 : HEDDLE_F64, to->values, v->rows),
                           NULL, why) != 0) {
    return -1;
  }
  if (whole && !beyond && to->type == HEDDLE_F64)
    return batch_widen(to->values, v->rows, &to->rounded, why);
  return 0;
}

static int take_numbers(struct batch *b, const struct typed_rows *rows, size_t c,
                        struct failure *why) {
  struct batch_column *const to = &b->column[c];
  const struct view v = view_of(rows, b->q->keys + c);
  const double nan = (double)NAN;
  if (v.of->kind == TABLE_TEXT || v.of->unit != UNIT_NONE)
    return take_written(b, rows, &v, to, b->q->column[c].any, why);
  if (take_elements(&v, to, why) != 0) return -1;
  bool missing = false;
  for (size_t row = 0; row < v.rows && v.part->valid; row++) missing |= !view_is_there(&v, row);
  if (missing && widen(to, v.rows, why) != 0) return -1;
  for (size_t row = 0; row < v.rows && missing; row++)
    if (!view_is_there(&v, row)) memcpy(&to->values[row], &nan, sizeof nan);
  return 0;
}

/* ---- rows -------------------------------------------------------------------------------------------- */

static int make_room(struct batch *b, size_t rows, struct failure *why) {
  while (b->room < rows) {
    b->rows = b->room;
    if (batch_grow(b, why) != 0) return -1;
  }
  b->rows = 0;
  return 0;
}

int batch_typed(struct batch *b, const struct typed_rows *rows, struct failure *why) {
  if (make_room(b, rows->count, why) != 0 || take_keys(b, rows, why) != 0) return -1;
  for (size_t c = 0; c < b->q->columns; c++) {
    const struct view v = view_of(rows, b->q->keys + c);
    if (b->q->column[c].text ? view_intern(&v, &b->column[c].texts, NULL, b, why) != 0
                             : take_numbers(b, rows, c, why) != 0)
      return -1;
  }
  b->rows = rows->count;
  return 0;
}
