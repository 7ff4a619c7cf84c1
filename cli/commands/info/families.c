/* families.c - the calls of heddle info --plan as questions to heddle_explain
 *
 * Method  A row a call: what it is asked for beside its operator and type, and what its size counts. */
#include "families.h"

#include <stdio.h>
#include <string.h>

#include "text/types.h"

enum { BINS = 256, FIRST = 10, SHARES = 3, GROUPS = 1000, AXES = 2, AXIS_BINS = 100 };
#define MOST_ELEMENTS ((uint64_t)1 << 34)
#define ROW_ELEMENTS ((uint64_t)1 << 24) /* of all rows together; rows that go into n groups */
#define BIN_ELEMENTS ((uint64_t)1 << 28) /* that go into n bins */
#define MOST_AXIS ((uint64_t)1 << 14)    /* bins of an axis of a grid: 2^28 in all */

/* What n counts. */
enum shape {
  WHOLE,
  ROWS,
  COLUMNS,
  SEGMENT,
  INTO_BINS,
  BY_BINS,
  BY_KEYS,
  INTO_GROUPS,
  BY_GROUPS,
  INTO_GRID,
  BY_GRID
};

struct family {
  const char *name;
  heddle_verb verb;
  enum shape shape;
  heddle_type type; /* that it is shown for where --type does not say */
  bool second;      /* shown only then */
  heddle_sort_verb sort;
  heddle_call call;
};
static const struct family families[] = {
    {"reduce", HEDDLE_REDUCE, WHOLE, HEDDLE_F32, false, 0, 0},
    {"reduce", HEDDLE_REDUCE, WHOLE, HEDDLE_I32, true, 0, 0},
    {"dot", HEDDLE_DOT, WHOLE, HEDDLE_F32, false, 0, 0},
    {"argmin", HEDDLE_ARGREDUCE, WHOLE, HEDDLE_F32, false, 0, 0},
    {"describe", HEDDLE_DESCRIBE, WHOLE, HEDDLE_F32, false, 0, 0},
    {"scan", HEDDLE_SCAN, WHOLE, HEDDLE_F32, false, 0, 0},
    {"scan", HEDDLE_SCAN, WHOLE, HEDDLE_I32, true, 0, 0},
    {"histogram", HEDDLE_REDUCE, INTO_BINS, HEDDLE_F32, false, 0, 0},
    {"histogram", HEDDLE_REDUCE, BY_BINS, HEDDLE_I32, false, 0, 0},
    {"reduce", HEDDLE_REDUCE, ROWS, HEDDLE_F32, false, 0, 0},
    {"reduce", HEDDLE_REDUCE, COLUMNS, HEDDLE_F32, false, 0, 0},
    {"reduce", HEDDLE_REDUCE, SEGMENT, HEDDLE_F32, false, 0, 0},
    {"scan", HEDDLE_SCAN, ROWS, HEDDLE_F32, false, 0, 0},
    {"scan", HEDDLE_SCAN, SEGMENT, HEDDLE_F32, false, 0, 0},
    {"sort", HEDDLE_REDUCE, WHOLE, HEDDLE_F32, false, HEDDLE_SORT_KEYS, 0},
    {"argsort", HEDDLE_REDUCE, WHOLE, HEDDLE_F32, false, HEDDLE_ARGSORT, 0},
    {"sort", HEDDLE_REDUCE, ROWS, HEDDLE_F32, false, HEDDLE_SORT_KEYS, 0},
    {"nth", HEDDLE_REDUCE, WHOLE, HEDDLE_F32, false, 0, HEDDLE_CALL_NTH},
    {"quantiles", HEDDLE_REDUCE, WHOLE, HEDDLE_F32, false, 0, HEDDLE_CALL_QUANTILES},
    {"partial_sort", HEDDLE_REDUCE, WHOLE, HEDDLE_F32, false, 0, HEDDLE_CALL_PARTIAL_SORT},
    {"partial_sort", HEDDLE_REDUCE, ROWS, HEDDLE_F32, false, 0, HEDDLE_CALL_PARTIAL_SORT},
    {"select", HEDDLE_REDUCE, WHOLE, HEDDLE_F32, false, 0, HEDDLE_CALL_SELECT},
    {"reduce_by_key", HEDDLE_REDUCE, BY_KEYS, HEDDLE_F32, false, 0, HEDDLE_CALL_REDUCE_BY_KEY},
    {"scan_by_key", HEDDLE_SCAN, BY_KEYS, HEDDLE_F32, false, 0, HEDDLE_CALL_SCAN_BY_KEY},
    {"groups_reduce", HEDDLE_REDUCE, INTO_GROUPS, HEDDLE_F32, false, 0, HEDDLE_CALL_GROUPS_REDUCE},
    {"groups_reduce", HEDDLE_REDUCE, BY_GROUPS, HEDDLE_F32, false, 0, HEDDLE_CALL_GROUPS_REDUCE},
    {"scatter_reduce", HEDDLE_REDUCE, INTO_GROUPS, HEDDLE_F32, false, 0,
     HEDDLE_CALL_SCATTER_REDUCE},
    {"scatter_reduce", HEDDLE_REDUCE, BY_GROUPS, HEDDLE_F32, false, 0, HEDDLE_CALL_SCATTER_REDUCE},
    {"histogram_nd", HEDDLE_REDUCE, INTO_GRID, HEDDLE_F32, false, 0, HEDDLE_CALL_HISTOGRAM_ND},
    {"histogram_nd", HEDDLE_REDUCE, BY_GRID, HEDDLE_F32, false, 0, HEDDLE_CALL_HISTOGRAM_ND},
};
enum { FAMILIES = sizeof families / sizeof *families };

static const struct {
  const char *unit, *title;
  uint64_t most;
} shapes[] = {
    [WHOLE] = {"elements", "", MOST_ELEMENTS},
    [ROWS] = {"a row", " along rows, 2^24 elements in all", ROW_ELEMENTS},
    [COLUMNS] = {"a column", " along columns, 2^24 elements in all", ROW_ELEMENTS},
    [SEGMENT] = {"elements", " of one segment", MOST_ELEMENTS},
    [INTO_BINS] = {"elements", " into 256 even bins", MOST_ELEMENTS},
    [BY_BINS] = {"bins", " of 2^28 elements into integer bins", BIN_ELEMENTS},
    [BY_KEYS] = {"elements", " with keys i32", MOST_ELEMENTS},
    [INTO_GROUPS] = {"rows", " by ids i32 into 1,000 groups", MOST_ELEMENTS},
    [BY_GROUPS] = {"groups", " of 2^24 rows by ids i32", ROW_ELEMENTS},
    [INTO_GRID] = {"points", " into 100 x 100 even bins", MOST_ELEMENTS},
    [BY_GRID] = {"bins", " of 2^24 points, even bins of each of 2 axes", MOST_AXIS},
};

/* ---- what is shown ----------------------------------------------------------------------------- */

/* Whether its operator is one of its arguments. */
static bool is_by_op(const struct family *family) {
  switch (family->shape) {
  case INTO_BINS:
  case BY_BINS:
  case INTO_GRID:
  case BY_GRID: return false;
  case BY_KEYS:
  case INTO_GROUPS:
  case BY_GROUPS: return true;
  default:
    return !family->sort && !family->call &&
           (family->verb == HEDDLE_REDUCE || family->verb == HEDDLE_SCAN);
  }
}

bool families_get(size_t i, const struct settings *s, struct subject *subject, bool *shown) {
  if (i >= FAMILIES) return false;
  const struct family *family = &families[i];
  const bool by_op = is_by_op(family), counts = family->shape == INTO_BINS;
  subject->family = family;
  subject->op = (heddle_op)s->op;
  subject->type = s->type ? (heddle_type)s->type : family->type;
  subject->unit = shapes[family->shape].unit;
  subject->most = shapes[family->shape].most;
  (void)snprintf(subject->title, sizeof subject->title, "%s%s%s %s%s", family->name,
                 by_op ? " " : "", by_op ? operator_name(s->op) : "",
                 heddle_type_name(subject->type), shapes[family->shape].title);
  if (s->type && family->second)
    *shown = false;
  else if (family->shape == BY_BINS)
    *shown = !type_is_float(subject->type);
  else
    *shown = counts || family->sort || (family->call && !by_op) ||
             !heddle_result_type(family->verb, subject->op, subject->type, NULL, NULL, NULL);
  return true;
}

/* ---- asking ------------------------------------------------------------------------------------ */

/* What a question points to. */
struct parts {
  size_t shape[2];
  uint64_t offsets[2];
  heddle_rows rows;
  heddle_bins bins[AXES];
  heddle_where where;
};

static void set_rows(const struct subject *t, uint64_t n, struct parts *parts, heddle_question *q) {
  const enum shape shape = t->family->shape;
  const size_t many = n < ROW_ELEMENTS ? (size_t)(ROW_ELEMENTS / n) : 1;
  parts->rows = (heddle_rows)HEDDLE_ROWS_INIT;
  q->rows = &parts->rows;
  if (shape == SEGMENT) {
    parts->offsets[0] = 0;
    parts->offsets[1] = n;
    parts->rows.offsets = parts->offsets;
    parts->rows.segments = 1;
    return;
  }
  parts->shape[shape == ROWS] = (size_t)n;
  parts->shape[shape != ROWS] = many;
  parts->rows.dims = 2;
  parts->rows.axis = shape == ROWS;
  parts->rows.shape = parts->shape;
}

static void set_bins(const struct subject *t, uint64_t n, struct parts *parts, heddle_question *q) {
  const enum shape shape = t->family->shape;
  heddle_bins *bins = parts->bins;
  *bins = (heddle_bins)HEDDLE_BINS_INIT;
  bins->kind = shape == BY_BINS ? HEDDLE_BINS_INTEGER : HEDDLE_BINS_EVEN;
  bins->count = shape == INTO_BINS ? BINS : shape == INTO_GRID ? AXIS_BINS : (size_t)n;
  bins->hi = 1;
  for (size_t d = 1; d < AXES; d++) bins[d] = bins[0];
  q->bins = bins;
}

/* Of a call that has a name: an element of one rank, quartiles, the first ten with their places, what is not 0, keys
 * and ids, axes. */
static void set_call(const struct subject *t, uint64_t n, struct parts *parts, heddle_question *q) {
  q->call = t->family->call;
  switch (q->call) {
  case HEDDLE_CALL_QUANTILES: q->wanted = SHARES; break;
  case HEDDLE_CALL_PARTIAL_SORT:
    q->wanted = n < FIRST ? (size_t)n : FIRST;
    q->value_bytes = sizeof(uint64_t);
    break;
  case HEDDLE_CALL_SELECT:
    parts->where = (heddle_where)HEDDLE_WHERE_INIT;
    parts->where.type = t->type;
    q->where = &parts->where;
    q->value_bytes = heddle_type_size(t->type);
    break;
  case HEDDLE_CALL_GROUPS_REDUCE:
  case HEDDLE_CALL_SCATTER_REDUCE: q->wanted = t->family->shape == BY_GROUPS ? (size_t)n : GROUPS;
  /* fallthrough */
  case HEDDLE_CALL_REDUCE_BY_KEY:
  case HEDDLE_CALL_SCAN_BY_KEY: q->key_type = HEDDLE_I32; break;
  case HEDDLE_CALL_HISTOGRAM_ND: q->wanted = AXES; break;
  default: q->wanted = 1;
  }
}

heddle_status families_ask(heddle_context *ctx, const struct subject *subject, uint64_t n,
                           heddle_plan *plan) {
  const struct family *family = subject->family;
  const enum shape shape = family->shape;
  struct parts parts;
  heddle_question q = HEDDLE_QUESTION_INIT;
  q.verb = family->verb;
  q.op = subject->op;
  q.type = subject->type;
  q.sort = family->sort;
  q.value_bytes = q.sort == HEDDLE_ARGSORT ? 8 : 0;
  q.count = (size_t)(shape == BY_BINS                         ? BIN_ELEMENTS
                     : shape == BY_GROUPS || shape == BY_GRID ? ROW_ELEMENTS
                                                              : n);
  if (shape == ROWS || shape == COLUMNS || shape == SEGMENT) set_rows(subject, n, &parts, &q);
  if (shape == INTO_BINS || shape == BY_BINS || shape == INTO_GRID || shape == BY_GRID)
    set_bins(subject, n, &parts, &q);
  if (family->call) set_call(subject, n, &parts, &q);
  *plan = (heddle_plan)HEDDLE_PLAN_INIT;
  return heddle_explain(ctx, &q, plan);
}
