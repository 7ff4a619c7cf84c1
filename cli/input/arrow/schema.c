/* schema.c - fields as columns: what they hold, and where it lies in a batch
 *
 * Method  A batch has a flat list of nodes and one of buffers, of all fields and what is within them, in order. So
 *         those that are not read, too, are walked through and counted.
 * Limits  Fields nested more than 64 deep are refused; what is not read is told when it is asked for. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "reader.h"

enum { DEPTH_MOST = 64, COLUMNS_MOST = 1 << 17 };

enum arrow_type {
  TYPE_NULL = 1,
  TYPE_INT,
  TYPE_FLOAT,
  TYPE_BINARY,
  TYPE_UTF8,
  TYPE_BOOL,
  TYPE_DECIMAL,
  TYPE_DATE,
  TYPE_TIME,
  TYPE_TIMESTAMP,
  TYPE_INTERVAL,
  TYPE_LIST,
  TYPE_STRUCT,
  TYPE_UNION,
  TYPE_FIXED_BINARY,
  TYPE_FIXED_LIST,
  TYPE_MAP,
  TYPE_DURATION,
  TYPE_LARGE_BINARY,
  TYPE_LARGE_UTF8,
  TYPE_LARGE_LIST,
  TYPE_RUNS,
  TYPE_BINARY_VIEW,
  TYPE_UTF8_VIEW,
  TYPE_LIST_VIEW,
  TYPE_LARGE_LIST_VIEW,
  TYPES
};

/* Buffers of a field of the type; unions have one more where they are dense. */
static const struct {
  const char *what;
  unsigned char buffers;
  bool views;
} kinds[TYPES] = {
    [TYPE_NULL] = {"null", 0, false},
    [TYPE_INT] = {"integer of another width", 2, false},
    [TYPE_FLOAT] = {"float of another width", 2, false},
    [TYPE_BINARY] = {"binary", 3, false},
    [TYPE_UTF8] = {"utf8", 3, false},
    [TYPE_BOOL] = {"bool", 2, false},
    [TYPE_DECIMAL] = {"decimal", 2, false},
    [TYPE_DATE] = {"date", 2, false},
    [TYPE_TIME] = {"time", 2, false},
    [TYPE_TIMESTAMP] = {"timestamp", 2, false},
    [TYPE_INTERVAL] = {"interval", 2, false},
    [TYPE_LIST] = {"list", 2, false},
    [TYPE_STRUCT] = {"struct", 1, false},
    [TYPE_UNION] = {"union", 1, false},
    [TYPE_FIXED_BINARY] = {"fixed-size binary", 2, false},
    [TYPE_FIXED_LIST] = {"fixed-size list", 1, false},
    [TYPE_MAP] = {"map", 2, false},
    [TYPE_DURATION] = {"duration", 2, false},
    [TYPE_LARGE_BINARY] = {"binary", 3, false},
    [TYPE_LARGE_UTF8] = {"utf8", 3, false},
    [TYPE_LARGE_LIST] = {"list", 2, false},
    [TYPE_RUNS] = {"run-end encoded", 0, false},
    [TYPE_BINARY_VIEW] = {"binary view", 2, true},
    [TYPE_UTF8_VIEW] = {"utf8 view", 2, true},
    [TYPE_LIST_VIEW] = {"list view", 3, false},
    [TYPE_LARGE_LIST_VIEW] = {"list view", 3, false},
};

struct walk {
  struct flat *flat;
  size_t nodes, buffers, views;
  size_t fields; /* seen, which a hostile file may make many by naming one often */
  bool bad;
};

static heddle_type integer_type(struct flat *f, const struct flat_table *type) {
  static const heddle_type types[2][4] = {{HEDDLE_U8, HEDDLE_U16, HEDDLE_U32, HEDDLE_U64},
                                          {HEDDLE_I8, HEDDLE_I16, HEDDLE_I32, HEDDLE_I64}};
  const int64_t bits = flat_number(f, type, 0, 4, 0);
  const bool is_signed = flat_number(f, type, 1, 1, 0) != 0;
  for (int i = 0; i < 4; i++)
    if (bits == 8 << i) return types[is_signed][i];
  return HEDDLE_TYPE_DEFAULT;
}

static heddle_type float_type(struct flat *f, const struct flat_table *type) {
  static const heddle_type types[] = {HEDDLE_F16, HEDDLE_F32, HEDDLE_F64};
  const int64_t precision = flat_number(f, type, 0, 2, 0);
  return precision >= 0 && precision < 3 ? types[precision] : HEDDLE_TYPE_DEFAULT;
}

/* Elements of a type that is a number, or stands for one. */
static heddle_type number_type(struct flat *f, int64_t kind, const struct flat_table *type) {
  switch (kind) {
  case TYPE_INT: return integer_type(f, type);
  case TYPE_FLOAT: return float_type(f, type);
  case TYPE_DATE: return flat_number(f, type, 0, 2, 1) == 0 ? HEDDLE_I32 : HEDDLE_I64;
  case TYPE_TIME: return flat_number(f, type, 1, 4, 32) == 32 ? HEDDLE_I32 : HEDDLE_I64;
  case TYPE_TIMESTAMP:
  case TYPE_DURATION: return HEDDLE_I64;
  default: return HEDDLE_TYPE_DEFAULT;
  }
}

static enum table_unit unit_of(struct flat *f, int64_t kind, const struct flat_table *type) {
  if (kind == TYPE_DATE) return flat_number(f, type, 0, 2, 1) == 0 ? UNIT_DAYS : UNIT_DAYS_IN_MS;
  const int64_t unit = kind == TYPE_TIMESTAMP ? flat_number(f, type, 0, 2, 0) : -1;
  return unit < 0 || unit > 3 ? UNIT_NONE : (enum table_unit)(UNIT_S + unit);
}

static enum arrow_layout layout_of(int64_t kind, heddle_type type) {
  if (type != HEDDLE_TYPE_DEFAULT) return ARROW_PLAIN;
  return kind == TYPE_BOOL         ? ARROW_BITS
         : kind == TYPE_UTF8       ? ARROW_TEXT
         : kind == TYPE_LARGE_UTF8 ? ARROW_TEXT_64
         : kind == TYPE_UTF8_VIEW  ? ARROW_TEXT_VIEW
                                   : ARROW_NONE;
}

/* Counts what a field and all within it take of a batch. */
static void count_field(struct walk *w, const struct flat_table *field, unsigned depth) {
  const struct flat_table dictionary = flat_child(w->flat, field, 4);
  const int64_t kind = flat_number(w->flat, field, 2, 1, 0);
  const struct flat_table type = flat_child(w->flat, field, 3);
  w->bad |= depth > DEPTH_MOST || kind <= 0 || kind >= TYPES || ++w->fields > COLUMNS_MOST;
  if (w->bad || w->flat->bad) return;
  w->nodes += 1;
  if (dictionary.at != 0) {
    w->buffers += 2;
    return;
  }
  w->buffers += kinds[kind].buffers;
  w->buffers += kind == TYPE_UNION && flat_number(w->flat, &type, 0, 2, 0) == 1;
  w->views += kinds[kind].views;
  const struct flat_vector children = flat_list(w->flat, field, 5, 4);
  for (size_t i = 0; i < children.count && !w->bad && !w->flat->bad; i++) {
    const struct flat_table child = flat_element(w->flat, &children, i);
    count_field(w, &child, depth + 1);
  }
}

static void take_dictionary(struct flat *f, const struct flat_table *dictionary,
                            struct arrow_column *c) {
  const struct flat_table index = flat_child(f, dictionary, 1);
  c->dictionary = true;
  c->id = flat_number(f, dictionary, 0, 8, 0);
  c->index = index.at == 0 ? HEDDLE_I32 : integer_type(f, &index);
  if (c->index == HEDDLE_TYPE_DEFAULT) c->layout = ARROW_NONE;
}

static int take_field(struct arrow_reader *r, struct walk *w, const struct flat_table *field,
                      size_t i, struct failure *why) {
  struct table_column *const t = &r->table.column[i];
  struct arrow_column *const c = &r->column[i];
  size_t bytes;
  const char *const name = flat_text(w->flat, field, 0, &bytes);
  const int64_t kind = flat_number(w->flat, field, 2, 1, 0);
  const struct flat_table type = flat_child(w->flat, field, 3);
  const struct flat_table dictionary = flat_child(w->flat, field, 4);
  c->node = w->nodes;
  c->buffer = w->buffers;
  c->view = w->views;
  count_field(w, field, 0);
  if (w->bad || w->flat->bad) return arrow_damaged(r, "its schema has no sense", why);
  t->name = strndup(name, bytes);
  if (!t->name) return fail(why, EXIT_DATA, "%s: no memory for its columns", r->table.name);
  t->nulls = flat_number(w->flat, field, 1, 1, 0) != 0;
  t->what = kinds[kind].what;
  c->type = t->type = number_type(w->flat, kind, &type);
  c->layout = layout_of(kind, c->type);
  t->unit = unit_of(w->flat, kind, &type);
  t->utc = kind == TYPE_TIMESTAMP && flat_list(w->flat, &type, 1, 1).count > 0;
  if (dictionary.at != 0) take_dictionary(w->flat, &dictionary, c);
  if (c->dictionary && c->layout == ARROW_BITS) c->layout = ARROW_NONE;
  t->kind = c->layout == ARROW_NONE    ? TABLE_OTHER
            : c->layout == ARROW_PLAIN ? TABLE_NUMBERS
            : c->layout == ARROW_BITS  ? TABLE_BITS
                                       : TABLE_TEXT;
  return 0;
}

int arrow_take_schema(struct arrow_reader *r, struct flat *flat, const struct flat_table *schema,
                      struct failure *why) {
  struct walk w = {.flat = flat};
  if (flat_number(w.flat, schema, 0, 2, 0) != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__))
    return fail(why, EXIT_DATA,
                "%s has Arrow data in the other byte order, which are not read; write them on a "
                "machine of this order",
                r->table.name);
  const struct flat_vector fields = flat_list(w.flat, schema, 1, 4);
  if (fields.count > COLUMNS_MOST) return arrow_damaged(r, "its schema has no sense", why);
  r->column = calloc(fields.count + 1, sizeof *r->column);
  if (!r->column || table_reserve(&r->table, fields.count, why) != 0)
    return fail(why, EXIT_DATA, "%s: no memory for its columns", r->table.name);
  for (size_t i = 0; i < fields.count; i++) {
    const struct flat_table field = flat_element(w.flat, &fields, i);
    if (take_field(r, &w, &field, i, why) != 0) return -1;
  }
  r->views = w.views;
  return w.flat->bad ? arrow_damaged(r, "its schema has no sense", why) : 0;
}
