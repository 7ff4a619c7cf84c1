/* values.c - columns of any types as blocks of one type
 *
 * Method  Columns of one type are delivered as they lie in the batch. Else the type is the least that holds all:
 *         i64 or u64 of integers, f64 where one is a float or where neither holds them; f32 of f32 and f16. Where
 *         integers are missing it is f64, and what is missing is NaN. */
#include "values.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "text/record.h"
#include "text/types.h"

enum { BLOCK_ROWS = 1 << 18 };

static const struct table_column *chosen(const struct table_values *v, const struct table *t,
                                         size_t k) {
  return &t->column[v->layout.field[k]];
}

static heddle_type type_of(const struct table_column *c) {
  return c->kind == TABLE_BITS ? HEDDLE_U8 : c->type;
}

bool table_values_need_scan(const struct table_values *v, const struct table *t) {
  for (size_t k = 0; k < v->layout.wanted; k++) {
    const struct table_column *const c = chosen(v, t, k);
    if (c->nulls &&
        (c->kind == TABLE_BITS || (c->kind == TABLE_NUMBERS && !type_is_float(c->type))))
      return true;
  }
  return false;
}

static int check_numbers(const struct table *t, const struct table_column *c, struct failure *why) {
  char shown[60];
  text_show(c->name, strlen(c->name), shown, sizeof shown);
  if (c->kind == TABLE_TEXT)
    return fail(why, EXIT_DATA,
                "%s: column '%s' holds text, not numbers; heddle group and heddle select read text",
                t->name, shown);
  if (c->kind == TABLE_OTHER)
    return fail(why, EXIT_DATA,
                "%s: column '%s' is of type %s, which is not read; cast it to numbers or text",
                t->name, shown, c->what);
  return 0;
}

/* What holds the values of both. */
static heddle_type common(heddle_type a, heddle_type b) {
  if (a == b) return a;
  if (type_is_float(a) && type_is_float(b) && heddle_type_size(a) <= 4 && heddle_type_size(b) <= 4)
    return HEDDLE_F32;
  if (type_is_float(a) || type_is_float(b)) return HEDDLE_F64;
  if (type_is_signed(a) == type_is_signed(b)) return type_widest(a);
  const heddle_type u = type_is_signed(a) ? b : a;
  return heddle_type_size(u) < 8 ? HEDDLE_I64 : HEDDLE_F64;
}

int table_values_start(struct table_values *v, const struct table *t, struct failure *why) {
  bool missing = false;
  size_t size = sizeof(double);
  for (size_t k = 0; k < v->layout.wanted; k++) {
    const struct table_column *const c = chosen(v, t, k);
    if (check_numbers(t, c, why) != 0) return -1;
    v->type = k == 0 ? type_of(c) : common(v->type, type_of(c));
    missing |= c->nulls;
  }
  if (missing && !type_is_float(v->type)) v->type = HEDDLE_F64;
  for (size_t k = 0; k < v->layout.wanted; k++) {
    v->block[k] = malloc(BLOCK_ROWS * size);
    if (!v->block[k]) return fail(why, EXIT_DATA, "%s: no memory for a block", t->name);
  }
  v->widened = malloc(BLOCK_ROWS);
  return v->widened ? 0 : fail(why, EXIT_DATA, "%s: no memory for a block", t->name);
}

/* ---- blocks -------------------------------------------------------------------------------- */

static void put_missing(heddle_type type, void *to, size_t i) {
  const double nan64 = (double)NAN;
  const float nan32 = NAN;
  const uint16_t nan16 = type == HEDDLE_F16 ? 0x7e00 : 0x7fc0;
  const size_t size = heddle_type_size(type);
  const void *const value = size == 8   ? (const void *)&nan64
                            : size == 4 ? (const void *)&nan32
                                        : &nan16;
  memcpy((unsigned char *)to + i * size, value, size);
}

/* Whether f64 has changed one of these integers of 64 bits. */
static bool has_rounded(heddle_type type, const void *from, size_t n) {
  const uint64_t limit = UINT64_C(1) << 53;
  bool beyond = false;
  for (size_t i = 0; i < n; i++) {
    uint64_t value;
    memcpy(&value, (const unsigned char *)from + 8 * i, sizeof value);
    if (type == HEDDLE_I64 && value >> 63) value = 0 - value;
    beyond |= value > limit;
  }
  return beyond;
}

/* Rows row to row + n - 1 of a column, as elements of the common type. */
static int take_column(struct table_values *v, const struct table *t, size_t k, size_t row,
                       size_t n, const void **out, struct failure *why) {
  const struct table_column *const c = chosen(v, t, k);
  const struct table_part *const part = &t->part[v->layout.field[k]];
  const heddle_type type = type_of(c);
  const void *from = part->values + (c->kind == TABLE_BITS ? 0 : row * heddle_type_size(type));
  if (c->kind == TABLE_BITS) {
    unsigned char *const bytes = v->widened;
    for (size_t i = 0; i < n; i++) bytes[i] = table_bit(part->values, row + i);
    from = bytes;
  }
  if (part->valid && !type_is_float(v->type))
    return fail(why, EXIT_DATA, "%s: it changed while it was being read: values are missing now",
                t->name);
  *out = from;
  if (type == v->type && !part->valid && from != v->widened) return 0;
  *out = v->block[k];
  if (type == v->type)
    memcpy(v->block[k], from, n * heddle_type_size(type));
  else if (heddle_convert(type, from, v->type, v->block[k], n) != HEDDLE_OK)
    return fail(why, EXIT_DATA, "%s: %s", t->name, heddle_message());
  if (v->type == HEDDLE_F64 && heddle_type_size(type) == 8 && !type_is_float(type))
    v->rounded[k] |= has_rounded(type, from, n);
  for (size_t i = 0; part->valid && i < n; i++)
    if (!table_bit(part->valid, row + i)) put_missing(v->type, v->block[k], i);
  return 0;
}

/* Rows that are left of the latest batch, or of the next one that has some; 0 at the end. */
static int find_rows(struct table_values *v, struct table *t, size_t *rows, struct failure *why) {
  *rows = 0;
  while (v->row == t->rows) {
    const int next = t->format->next(t, why);
    if (next <= 0) return next;
    v->row = 0;
    const uint64_t skip = v->offset - v->passed < t->rows ? v->offset - v->passed : t->rows;
    v->passed += skip;
    v->row = (size_t)skip;
  }
  *rows = t->rows - v->row;
  return 0;
}

int table_values_next(struct table_values *v, struct table *t, const void *data[], size_t *count,
                      struct failure *why) {
  size_t n = 0;
  *count = 0;
  if (v->delivered == v->count) return 0;
  if (find_rows(v, t, &n, why) != 0) return -1;
  if (n > BLOCK_ROWS) n = BLOCK_ROWS;
  if (n > v->count - v->delivered) n = (size_t)(v->count - v->delivered);
  for (size_t k = 0; n > 0 && k < v->layout.wanted; k++)
    if (take_column(v, t, k, v->row, n, &data[k], why) != 0) return -1;
  v->row += n;
  v->delivered += n;
  *count = n;
  return 0;
}

void table_values_restart(struct table_values *v) {
  v->passed = v->delivered = 0;
  v->row = 0;
}

void table_values_free(struct table_values *v) {
  text_free_labels(&v->layout);
  for (size_t k = 0; k < INPUT_MAX_COLUMNS; k++) free(v->block[k]);
  free(v->widened);
}
