/* test_scan_rows.c - running totals along an axis: each row has the bits of the plain call on a copy of
 * it, whatever its neighbours are
 *
 * Method   Shapes lie around the boundaries of the CPU's strategies: vectors and strips of columns,
 *          blocks of 16 lines, chunks, rows too short for a vector, axes that merge. Every type meets
 *          every operator; options and kinds go round from call to call. In place, too.
 * Limits   test_scan.c is the judge of the plain call. */
#include "compare.h"

enum { DIMS = 4, MARGIN = 64 };

struct layout {
  size_t dims, shape[DIMS], axis;
  ptrdiff_t strides[DIMS]; /* all zero: C order */
  size_t first, span;      /* where element (0, ...) is, and the elements in all; 0: the shape's */
};

struct job {
  heddle_op op;
  heddle_scan_kind kind;
  heddle_type type, out_type;
  const heddle_options *options;
  heddle_rows rows;
  size_t count, length, elements; /* rows, of a row, of all */
  size_t in_bytes, out_bytes;
  ptrdiff_t tight[DIMS], strides[DIMS];
};

static int is_packed(const struct layout *layout) {
  for (size_t d = 0; d < layout->dims; d++)
    if (layout->strides[d]) return 0;
  return 1;
}

/* Where row r begins, in elements. */
static ptrdiff_t row_start(const struct job *job, const ptrdiff_t *strides, size_t r) {
  ptrdiff_t at = 0;
  for (size_t d = job->rows.dims; d-- > 0;) {
    if (d == job->rows.axis) continue;
    at += (ptrdiff_t)(r % job->rows.shape[d]) * strides[d];
    r /= job->rows.shape[d];
  }
  return at;
}

/* The plain call on a copy of each row. */
static char *expected_of(const struct job *job, heddle_context *ctx, const char *x) {
  char *all = allocate(job->elements * job->out_bytes + 1);
  char *row = allocate(job->length * job->in_bytes + 1);
  char *totals = allocate(job->length * job->out_bytes + 1);
  const size_t axis = job->rows.axis;
  for (size_t r = 0; r < job->count; r++) {
    const ptrdiff_t from = row_start(job, job->strides, r), to = row_start(job, job->tight, r);
    for (size_t k = 0; k < job->length; k++)
      memcpy(row + k * job->in_bytes,
             x + (from + (ptrdiff_t)k * job->strides[axis]) * (ptrdiff_t)job->in_bytes,
             job->in_bytes);
    same_status(
        HEDDLE_OK,
        heddle_scan(ctx, job->op, job->kind, job->type, row, job->length, totals, job->options),
        "scan of a copied row");
    for (size_t k = 0; k < job->length; k++)
      memcpy(all + (to + (ptrdiff_t)k * job->tight[axis]) * (ptrdiff_t)job->out_bytes,
             totals + k * job->out_bytes, job->out_bytes);
  }
  free(row);
  free(totals);
  return all;
}

static void check_on(const struct job *job, const machine *m, const char *x, char *out,
                     const char *expected, const char *where) {
  same_status(
      HEDDLE_OK,
      heddle_scan_rows(m->ctx, job->op, job->kind, job->type, x, &job->rows, out, job->options),
      "scan_rows %s of %s on %s", op_name(job->op), heddle_type_name(job->type), m->label);
  same_array(job->out_type, expected, out, job->elements,
             "scan_rows %s, kind %d, of %s to %s%s, axis %zu of %zu x %zu .., on %s",
             op_name(job->op), (int)job->kind, heddle_type_name(job->type),
             heddle_type_name(job->out_type), where, job->rows.axis, job->rows.shape[0],
             job->rows.dims > 1 ? job->rows.shape[1] : 1, m->label);
}

static void check_job(const struct job *job, const char *x, int packed) {
  const uint64_t name = compare_job("scan of rows", (int)job->op, job->type, job->options);
  const size_t bytes = job->elements * job->out_bytes;
  size_t at = 0;
  const machine *m = compare_next(&at, bytes, name);
  if (!m) return;
  char *expected = expected_of(job, m->ctx, x);
  char *arena = allocate(bytes + 2 * MARGIN), *out = arena + MARGIN, margin[MARGIN];
  memset(margin, 0xA5, MARGIN);
  for (; m; m = compare_next(&at, bytes, name)) {
    memset(arena, 0xA5, bytes + 2 * MARGIN);
    check_on(job, m, x, out, expected, "");
    if (packed && job->in_bytes == job->out_bytes) {
      memcpy(out, x, bytes);
      check_on(job, m, out, out, expected, " in place");
    }
    same_bytes(margin, arena, MARGIN, "before the output");
    same_bytes(margin, out + bytes, MARGIN, "behind the output");
  }
  free(arena);
  free(expected);
}

/* Options number `turn` that the operator and the type can have. */
static heddle_options options_of(size_t turn, heddle_op op, heddle_type type, const double *init) {
  const heddle_nan nan = nan_policies[turn % 2];
  const int is_float = data_size(type) && ref_is_float(type),
            sums = op == HEDDLE_SUM || op == HEDDLE_PROD;
  heddle_options options = make_options(nan, 0, type, NULL);
  if (turn % 5 == 1) options.out_type = 0;
  if (turn % 5 == 2 && is_float && sums) options = make_options(nan, HEDDLE_F64, HEDDLE_F64, NULL);
  if (turn % 5 == 3 && sums) options = make_options(nan, 0, HEDDLE_F64, init);
  if (turn % 5 == 4 && type == HEDDLE_F64) options = make_options(nan, 0, 0, init);
  return options;
}

static void check_layout(const struct layout *layout, heddle_type type, heddle_op op, size_t turn) {
  static const double init = 0.3;
  struct job job = {.op = op, .kind = scan_kinds[turn / 5 % 2], .type = type};
  const heddle_options options = options_of(turn, op, type, &init);
  job.options = &options;
  job.out_type = options.out_type ? options.out_type : type;
  job.rows = (heddle_rows)HEDDLE_ROWS_INIT;
  job.rows.dims = layout->dims;
  job.rows.axis = layout->axis;
  job.rows.shape = layout->shape;
  ptrdiff_t step = 1;
  const int packed = is_packed(layout);
  for (size_t d = layout->dims; d-- > 0;) {
    job.tight[d] = step;
    job.strides[d] = packed ? step : layout->strides[d];
    step *= (ptrdiff_t)layout->shape[d];
  }
  job.rows.strides = packed ? NULL : layout->strides;
  job.elements = (size_t)step;
  job.length = layout->shape[layout->axis];
  job.count = job.length ? job.elements / job.length : 0;
  job.in_bytes = data_size(type);
  job.out_bytes = data_size(job.out_type);
  const size_t span = layout->span ? layout->span : job.elements;
  char *x = data_new(turn % 3 == 2 ? DATA_SPECIAL : DATA_WIDE, type, turn, span);
  check_job(&job, x + layout->first * job.in_bytes, packed);
  free(x);
}

/* A few types and operators on each of many layouts; over all layouts every pair. */
static void check_next(const struct layout *layout, size_t calls) {
  static size_t turn;
  for (size_t i = 0; i < calls; turn++) {
    const heddle_type type = all_types[turn % type_count];
    const heddle_op op = all_ops[turn / type_count % op_count];
    if (!ref_scans(op, type)) continue;
    check_layout(layout, type, op, turn * 7 + turn / 60);
    i++;
  }
}

static void columns_of_every_width(void **state) {
  (void)state;
  static const size_t widths[] = {1,  2,  3,  4,   7,   8,   9,   15,  16,  17,  31,  32, 33,
                                  63, 64, 65, 127, 128, 129, 255, 256, 257, 385, 511, 520};
  static const size_t lines[] = {1, 2, 3, 8, 15, 16, 17, 31, 33, 50};
  for (size_t w = 0; w<sizeof widths / sizeof *widths; w += lightness()> 1 ? 3 : 1)
    for (size_t l = 0; l < sizeof lines / sizeof *lines; l++) {
      const struct layout c_order = {2, {lines[l], widths[w]}, 0, {0}, 0, 0};
      check_next(&c_order, 7);
    }
}

static void columns_about_a_chunk(void **state) {
  (void)state;
  static const size_t widths[] = {2, 3, 5, 13, 16, 33, 70};
  static const size_t lines[] = {1023, 1024, 1025, 2047, 2048, 2049, 4096, 6200};
  for (size_t w = 0; w<sizeof widths / sizeof *widths; w += lightness()> 1 ? 4 : 1)
    for (size_t l = 0; l < sizeof lines / sizeof *lines; l++) {
      const struct layout c_order = {2, {lines[l], widths[w]}, 0, {0}, 0, 0};
      check_next(&c_order, 5);
      /* Sums of floats are what chunks show in. */
      check_layout(&c_order, HEDDLE_F32, HEDDLE_SUM, 10 * w + l);
      check_layout(&c_order, HEDDLE_F64, HEDDLE_SUM, 10 * w + l + 5);
    }
}

static void short_rows(void **state) {
  (void)state;
  static const size_t rows[] = {1, 31, 32, 33, 255, 257, 600};
  for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
    for (size_t n = 1; n <= 40; n += n < 12 ? 1 : lightness() > 1 ? 9 : 3) {
      const struct layout c_order = {2, {rows[r], n}, 1, {0}, 0, 0};
      const struct layout gaps = {2, {rows[r], n},         1, {2 * (ptrdiff_t)n + 1, 2},
                                  0, rows[r] * (2 * n + 1)};
      check_next(&c_order, 4);
      check_next(&gaps, 3);
    }
}

static void layouts_of_all_kinds(void **state) {
  (void)state;
  static const struct layout layouts[] = {
      {1, {5000}, 0, {2}, 0, 10000},
      {1, {5000}, 0, {3}, 0, 15000},
      {1, {5000}, 0, {-1}, 4999, 5000},
      {1, {4099}, 0, {100}, 0, 409900},
      {2, {70, 300}, 0, {1, 70}, 0, 21000}, /* Fortran order */
      {2, {70, 300}, 1, {1, 70}, 0, 21000},
      {2, {2100, 40}, 0, {1, 2100}, 0, 84000},
      {2, {2100, 40}, 1, {1, 2100}, 0, 84000},
      {2, {90, 61}, 0, {200, 2}, 0, 18000}, /* every second column */
      {2, {90, 61}, 1, {200, 2}, 0, 18000},
      {2, {90, 61}, 0, {-61, -1}, 90 * 61 - 1, 90 * 61}, /* backwards */
      {2, {90, 61}, 1, {-61, -1}, 90 * 61 - 1, 90 * 61},
      {2, {50, 40}, 0, {0, 1}, 0, 40}, /* one line, repeated */
      {2, {50, 40}, 1, {0, 1}, 0, 40},
      {3, {5, 40, 3}, 1, {0}, 0, 0},
      {3, {3, 2060, 3}, 1, {0}, 0, 0}, /* narrow lines, beyond a chunk */
      {3, {40, 5, 2}, 1, {0}, 0, 0},
      {3, {7, 30, 33}, 1, {0}, 0, 0},
      {3, {17, 9, 33}, 0, {0}, 0, 0}, /* axes that merge */
      {3, {9, 33, 5}, 2, {0}, 0, 0},
      {3, {20, 33, 9}, 0, {9, 180, 1}, 0, 5940}, /* axes exchanged */
      {3, {20, 33, 9}, 1, {9, 180, 1}, 0, 5940},
      {3, {20, 33, 9}, 2, {9, 180, 1}, 0, 5940},
      {4, {6, 5, 4, 3}, 0, {0}, 0, 0},
      {4, {6, 5, 4, 3}, 1, {0}, 0, 0},
      {4, {6, 5, 4, 3}, 2, {0}, 0, 0},
      {4, {6, 1, 50, 1}, 2, {0}, 0, 0},
      {4, {1, 7, 1, 1}, 3, {0}, 0, 0},
      {3, {6, 0, 4}, 0, {0}, 0, 0}, /* nothing, and rows of nothing */
      {3, {6, 0, 4}, 1, {0}, 0, 0},
      {2, {300, 700}, 0, {0}, 0, 0}, /* enough for threads */
      {2, {4000, 66}, 0, {0}, 0, 0},
      {3, {40, 1500, 3}, 1, {0}, 0, 0},
      {2, {40000, 5}, 1, {0}, 0, 0},
  };
  for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++) {
    if (lightness() > 1 && layouts[i].span > 100000) continue;
    check_next(&layouts[i], lightness() > 1 ? 6 : 24);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(columns_of_every_width),
      cmocka_unit_test(columns_about_a_chunk),
      cmocka_unit_test(short_rows),
      cmocka_unit_test(layouts_of_all_kinds),
  };
  return cmocka_run_group_tests_name("scan_rows", tests, compare_setup, compare_teardown);
}
