/* test_strips.c - argmin, argmax and describe of neighbouring columns have the bits of the plain call on
 * a copy of each
 *
 * Lines and columns stand around every boundary: a vector, a strip, a leaf of 8 lines, what a lane can
 * count, a chunk. The columns lie inside longer lines, so that one that is read beyond its end shows. */
#include <math.h>

#include "compare.h"

enum { GAP = 5, LARGEST = 1 << 17 /* elements of one case */ };

static const size_t lines_of[] = {1,   2,   3,   7,    8,    9,    15,   17,   100,  127,   128,
                                  129, 257, 700, 1000, 1023, 1024, 1025, 2049, 3100, 33000, 65600};
static const size_t columns_of[] = {1,  3,  4,  5,  7,   8,   9,   15,  16,  17,
                                    31, 33, 63, 65, 129, 200, 257, 600, 1100};
enum {
  LINES = sizeof lines_of / sizeof *lines_of,
  COLUMNS = sizeof columns_of / sizeof *columns_of
};

/* Runs of columns, `columns` in all, of `lines` lines each. */
typedef struct matrix {
  heddle_type type;
  size_t lines, columns, pitch, shape[3];
  ptrdiff_t strides[3];
  const char *in; /* element 0 of line 0 */
  char *memory, *copy;
  heddle_rows rows;
} matrix;

/* Where element (0, 0) of a matrix is among those of its memory, and how far apart others are. */
enum layout {
  BESIDE,
  UPWARDS,
  EVERY_SECOND,
  BACKWARDS,
  ROWS,
  TIGHT,
  TOGETHER,
  TOGETHER_SECOND,
  LAYOUTS,
  ROWS_APART = LAYOUTS
};

static size_t place(matrix *m, size_t width, enum layout layout) {
  const size_t second = layout == EVERY_SECOND || layout == TOGETHER_SECOND ? 2 : 1;
  const size_t last = width - 1;
  m->pitch = second * width + GAP;
  m->strides[0] = (ptrdiff_t)((m->lines + GAP) * (2 * width + GAP));
  m->strides[1] = (ptrdiff_t)m->pitch, m->strides[2] = (ptrdiff_t)second;
  switch (layout) {
  case UPWARDS: m->strides[1] = -m->strides[1]; return (m->lines - 1) * m->pitch;
  case BACKWARDS: m->strides[2] = -1; return last;
  case ROWS: m->strides[1] = 1, m->strides[2] = (ptrdiff_t)(m->lines + GAP); return 0;
  case ROWS_APART: m->strides[1] = 2, m->strides[2] = (ptrdiff_t)(2 * m->lines + GAP); return 0;
  case TOGETHER: /* runs within a line */
  case TOGETHER_SECOND:
    m->strides[0] = (ptrdiff_t)(second * width + GAP);
    m->strides[1] = (ptrdiff_t)(m->columns / width) * m->strides[0];
    return 0;
  case TIGHT: /* at the end of the memory */
    m->strides[1] = (ptrdiff_t)width;
    return (size_t)m->strides[0] - m->lines * width;
  default: return 0;
  }
}

static void runs_open(matrix *m, heddle_type type, enum data_kind kind, size_t runs, size_t lines,
                      size_t width, enum layout layout) {
  const size_t size = data_size(type);
  *m = (matrix){.type = type, .lines = lines, .columns = runs * width};
  const size_t first = place(m, width, layout);
  const size_t of_runs = runs * (size_t)m->strides[0];
  const size_t of_lines = layout < TOGETHER ? 0 : lines * (size_t)m->strides[1];
  m->memory = data_new(kind, type, 7 + lines, of_runs > of_lines ? of_runs : of_lines);
  m->copy = allocate(lines * m->columns * size);
  m->in = m->memory + first * size;
  m->shape[0] = runs, m->shape[1] = lines, m->shape[2] = width;
  for (size_t c = 0; c < m->columns; c++)
    for (size_t l = 0; l < lines; l++) {
      const ptrdiff_t at = (ptrdiff_t)(c / width) * m->strides[0] + (ptrdiff_t)l * m->strides[1] +
                           (ptrdiff_t)(c % width) * m->strides[2];
      memcpy(m->copy + (c * lines + l) * size, m->in + at * (ptrdiff_t)size, size);
    }
  m->rows = (heddle_rows)HEDDLE_ROWS_INIT;
  m->rows.dims = 3, m->rows.axis = 1;
  m->rows.shape = m->shape, m->rows.strides = m->strides;
}

static void matrix_open(matrix *m, heddle_type type, enum data_kind kind, size_t lines,
                        size_t columns, enum layout layout) {
  runs_open(m, type, kind, 1, lines, columns, layout);
}

static void matrix_close(matrix *m) {
  free(m->memory);
  free(m->copy);
}

static void check_describe(const matrix *m, const heddle_options *options, const char *kind) {
  const machine *on = &compare_on.of[0];
  heddle_description *expected = allocate(m->columns * sizeof *expected);
  heddle_description *got = allocate(m->columns * sizeof *got);
  for (size_t c = 0; c < m->columns; c++) {
    expected[c] = (heddle_description)HEDDLE_DESCRIPTION_INIT;
    assert_int_equal(heddle_describe(on->ctx, m->type, m->copy + c * m->lines * data_size(m->type),
                                     m->lines, &expected[c], options),
                     HEDDLE_OK);
  }
  size_t at = 0;
  const uint64_t job = compare_job("describe_rows", (int)options->figures, m->type, options);
  const size_t bytes = m->lines * m->columns * data_size(m->type);
  for (const machine *o; (o = compare_next(&at, bytes, job));) {
    if (compare_is_device(o)) continue; /* its figures are those that were found */
    for (size_t c = 0; c < m->columns; c++) got[c] = (heddle_description)HEDDLE_DESCRIPTION_INIT;
    same_status(HEDDLE_OK, heddle_describe_rows(o->ctx, m->type, m->in, &m->rows, got, options),
                "describe_rows");
    for (size_t c = 0; c < m->columns; c++)
      same_description(&expected[c], &got[c], "figures %d, %s %s, column %zu of %zu, %zu lines, %s",
                       (int)options->figures, heddle_type_name(m->type), kind, c, m->columns,
                       m->lines, o->label);
  }
  free(expected);
  free(got);
}

/* The one figure is that of the description. */
static void check_figure(const matrix *m, const heddle_options *options, const char *kind) {
  const machine *on = &compare_on.of[0];
  double *got = allocate((m->columns + 1) * sizeof *got);
  double *expected = allocate(m->columns * sizeof *expected);
  for (size_t c = 0; c < m->columns; c++) {
    heddle_description d = HEDDLE_DESCRIPTION_INIT;
    assert_int_equal(heddle_describe(on->ctx, m->type, m->copy + c * m->lines * data_size(m->type),
                                     m->lines, &d, options),
                     HEDDLE_OK);
    expected[c] = options->figures == HEDDLE_FIGURES_MEAN ? d.mean : d.variance;
  }
  size_t at = 0;
  const uint64_t job = compare_job("figure_rows", (int)options->figures, m->type, options);
  const size_t bytes = m->lines * m->columns * data_size(m->type);
  for (const machine *o; (o = compare_next(&at, bytes, job));) {
    if (compare_is_device(o)) continue;
    memset(got, 0xA5, (m->columns + 1) * sizeof *got);
    same_status(HEDDLE_OK, heddle_figure_rows(o->ctx, m->type, m->in, &m->rows, got, options),
                "figure_rows");
    for (size_t c = 0; c < m->columns; c++)
      same_bytes(&expected[c], &got[c], sizeof *got,
                 "figure %d of %s %s, column %zu of %zu, %zu lines, %s", (int)options->figures,
                 heddle_type_name(m->type), kind, c, m->columns, m->lines, o->label);
    assert_int_equal(((unsigned char *)(got + m->columns))[0], 0xA5);
  }
  free(expected);
  free(got);
}

static void check_arg(const matrix *m, heddle_extreme which, const heddle_options *options,
                      const char *kind) {
  const machine *on = &compare_on.of[0];
  const size_t size = data_size(m->type), bytes = m->lines * m->columns * size;
  uint64_t *expected = allocate(2 * m->columns * sizeof *expected), *got = expected + m->columns;
  char *values = allocate(2 * m->columns * size), *found = values + m->columns * size;
  memset(values, 0xA5, 2 * m->columns * size);
  for (size_t c = 0; c < m->columns; c++) {
    const heddle_status status =
        heddle_argreduce(on->ctx, which, m->type, m->copy + c * m->lines * size, m->lines,
                         values + c * size, &expected[c], options);
    if (status == HEDDLE_EMPTY) expected[c] = UINT64_MAX;
  }
  size_t at = 0;
  const uint64_t job = compare_job("argreduce_rows", (int)which, m->type, options);
  for (const machine *o; (o = compare_next(&at, bytes, job));) {
    memset(found, 0xA5, m->columns * size);
    same_status(HEDDLE_OK,
                heddle_argreduce_rows(o->ctx, which, m->type, m->in, &m->rows, found, got, options),
                "argreduce_rows");
    for (size_t c = 0; c < m->columns; c++) {
      same_bytes(&expected[c], &got[c], sizeof *got,
                 "%d of %s %s, column %zu of %zu, %zu lines, %s", (int)which,
                 heddle_type_name(m->type), kind, c, m->columns, m->lines, o->label);
      same_bytes(values + c * size, found + c * size, size, "value of column %zu, %zu lines, %s", c,
                 m->lines, o->label);
    }
  }
  free(expected);
  free(values);
}

static void check(heddle_type type, enum data_kind kind, size_t runs, size_t lines, size_t width,
                  enum layout layout) {
  matrix m;
  runs_open(&m, type, kind, runs, lines, width, layout);
  for (size_t nan = 0; nan < 2; nan++) {
    heddle_options options =
        make_options(nan_policies[nan], HEDDLE_TYPE_DEFAULT, HEDDLE_TYPE_DEFAULT, NULL);
    if (options.nan == HEDDLE_NAN_SKIP && !ref_is_float(type)) continue;
    for (size_t e = 0; e < 2; e++) check_arg(&m, extremes[e], &options, data_name(kind));
    for (size_t f = 0; f < 3; f++) {
      options.figures = every_figures[f];
      check_describe(&m, &options, data_name(kind));
      if (options.figures != HEDDLE_FIGURES_ALL) check_figure(&m, &options, data_name(kind));
    }
  }
  matrix_close(&m);
}

/* Each kind of data meets each count of lines, with columns that walk on from one to the next. */
static void every_type_and_shape(void **state) {
  (void)state;
  size_t walk = 0;
  for (size_t t = 0; t < type_count; t++)
    for (size_t l = 0; l < LINES; l++)
      for (unsigned k = 0; k < DATA_KINDS; k++) {
        size_t c = walk++ % COLUMNS;
        if (k == DATA_TINY && !ref_is_float(all_types[t])) continue;
        if (lightness() > 1 && (lines_of[l] > 3000 || (t + l + k) % 5)) continue;
        while (c && lines_of[l] * columns_of[c] > LARGEST) c /= 2;
        check(all_types[t], (enum data_kind)k, 1, lines_of[l], columns_of[c], walk / 3 % LAYOUTS);
      }
}

/* Runs of few columns and few lines, of which several make a strip, and some that are too large for it. */
static void narrow_runs(void **state) {
  (void)state;
  static const size_t runs[] = {2, 3, 9, 65, 150}, lines[] = {1, 2, 5, 8, 9, 17, 40, 128};
  static const size_t widths[] = {1, 2, 3, 4, 5, 9, 15, 31, 32, 33};
  size_t i = 0;
  for (size_t t = 0; t < type_count; t++)
    for (size_t l = 0; l < sizeof lines / sizeof *lines; l++)
      for (size_t k = 0; k < 6; k++, i++) {
        if (lightness() > 1 && (t + l + k) % 5) continue;
        check(all_types[t], k % 2 ? DATA_SPECIAL : DATA_WIDE, runs[i / 2 % 5], lines[l],
              widths[i % 10], i / 4 % LAYOUTS);
      }
}

/* Runs within a line, so many that they are several strips. */
static void runs_together(void **state) {
  (void)state;
  static const size_t runs[] = {2, 5, 21, 64, 130, 333}, lines[] = {2, 3, 9, 40, 129, 300};
  static const size_t widths[] = {1, 2, 3, 4, 5, 9, 16, 33, 64};
  size_t i = 0;
  for (size_t t = 0; t < type_count; t++)
    for (size_t k = 0; k < 18; k++, i++) {
      const size_t width = widths[i % 9], n = runs[i % 6] * width > 1000 ? 9 : lines[i / 2 % 6];
      if (lightness() > 1 && (t + k) % 5) continue;
      check(all_types[t], k % 2 ? DATA_SPECIAL : DATA_SMALL, runs[i % 6], n, width,
            i % 4 ? TOGETHER : TOGETHER_SECOND);
    }
}

/* Few columns, whose lines lie one behind the other: several are one, but for the last ones. */
static void lines_behind(void **state) {
  (void)state;
  static const size_t widths[] = {2, 3, 4, 7, 8, 15, 16, 17},
                      lines[] = {511, 512, 513, 2100, 5441, 9001, 20011};
  static const enum data_kind kinds[] = {DATA_WIDE, DATA_SMALL, DATA_SPECIAL, DATA_HOLES};
  size_t i = 0;
  for (size_t t = 0; t < type_count; t++)
    for (size_t w = 0; w < sizeof widths / sizeof *widths; w++)
      for (size_t nan = 0; nan < (ref_is_float(all_types[t]) ? 2 : 1); nan++, i++) {
        const enum data_kind kind = kinds[i % 4];
        const heddle_options options =
            make_options(nan_policies[nan], HEDDLE_TYPE_DEFAULT, HEDDLE_TYPE_DEFAULT, NULL);
        matrix m;
        if (lightness() > 1 && i % 5) continue;
        matrix_open(&m, all_types[t], kind, lines[i % 7], widths[w], TIGHT);
        for (size_t e = 0; e < 2; e++) check_arg(&m, extremes[e], &options, data_name(kind));
        matrix_close(&m);
      }
}

/* Nothing but NaN in a column. */
static void column_of_nan(matrix *m, size_t c) {
  const uint64_t nan = ~UINT64_C(0) >> (64 - 8 * data_size(m->type));
  for (size_t l = 0; l < m->lines; l++) {
    data_put(m->type, (unsigned char *)m->memory,
             c * (size_t)m->strides[2] + l * (size_t)m->strides[1], nan);
    data_put(m->type, (unsigned char *)m->copy, c * m->lines + l, nan);
  }
}

/* Rows of neighbours, and of every second: of lengths around a vector, groups of them, a chunk and several. */
static void rows_of_neighbours(void **state) {
  (void)state;
  static const size_t lengths[] = {3,    4,    5,    7,    8,    9,    15,   16,    17,
                                   31,   32,   33,   47,   63,   64,   65,   95,    127,
                                   128,  129,  191,  255,  256,  257,  383,  513,   1023,
                                   1024, 1025, 2047, 4097, 8191, 8192, 8193, 32512, 32769};
  static const enum data_kind kinds[] = {DATA_WIDE, DATA_SMALL, DATA_SPECIAL, DATA_HOLES};
  size_t walk = 0;
  for (size_t t = 0; t < type_count; t++)
    for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++, walk++)
      for (size_t nan = 0; nan < (ref_is_float(all_types[t]) ? 2 : 1); nan++) {
        const enum data_kind kind = kinds[(l + walk / 7 + nan) % 4];
        const heddle_options options =
            make_options(nan_policies[nan], HEDDLE_TYPE_DEFAULT, HEDDLE_TYPE_DEFAULT, NULL);
        matrix m;
        if (lightness() > 1 && (lengths[l] > 3000 || walk % 5)) continue;
        matrix_open(&m, all_types[t], kind, lengths[l], lengths[l] < 1000 ? 67 : 5,
                    walk % 3 ? ROWS : ROWS_APART);
        if (ref_is_float(all_types[t]) && walk % 2) column_of_nan(&m, 1);
        for (size_t e = 0; e < 2; e++) check_arg(&m, extremes[e], &options, data_name(kind));
        matrix_close(&m);
      }
}

/* Numbers whose sums, or whose distances, f64 does not hold, in a few columns among others. */
static void largest_in_some_columns(void **state) {
  (void)state;
  for (size_t lines = 2; lines < 2200; lines = lines * 9 / 4 + 1) {
    matrix m;
    matrix_open(&m, HEDDLE_F64, DATA_NEAR1, lines, 37, BESIDE);
    double *in = (double *)(void *)m.memory, *copy = (double *)(void *)m.copy;
    for (size_t c = 3; c < 37; c += 7)
      for (size_t l = 0; l < lines; l++) {
        const double sign = (l * 2654435761u >> 7) % 3 || c == 3 ? 1 : -1;
        in[l * m.pitch + c] = copy[c * lines + l] =
            sign * (l % 5 ? 0x1.fp1023 : 0x1.fffffffffffffp1023);
      }
    for (size_t nan = 0; nan < 2; nan++)
      for (size_t f = 0; f < 3; f++) {
        heddle_options options =
            make_options(nan_policies[nan], HEDDLE_TYPE_DEFAULT, HEDDLE_TYPE_DEFAULT, NULL);
        options.figures = every_figures[f];
        check_describe(&m, &options, "largest");
        if (options.figures != HEDDLE_FIGURES_ALL) check_figure(&m, &options, "largest");
      }
    matrix_close(&m);
  }
}

/* Nothing but NaN in some columns, which have no figure even where NaN are skipped. */
static void columns_of_nan(void **state) {
  (void)state;
  static const size_t lines[] = {1, 5, 8, 1030}, columns[] = {2, 9};
  for (size_t l = 0; l < sizeof lines / sizeof *lines; l++)
    for (size_t w = 0; w < sizeof columns / sizeof *columns; w++) {
      matrix m;
      matrix_open(&m, HEDDLE_F64, DATA_NEAR1, lines[l], columns[w], BESIDE);
      double *in = (double *)(void *)m.memory, *copy = (double *)(void *)m.copy;
      for (size_t c = 1; c < columns[w]; c += 3)
        for (size_t i = 0; i < lines[l]; i++)
          in[i * m.pitch + c] = copy[c * lines[l] + i] = (double)NAN;
      for (size_t nan = 0; nan < 2; nan++)
        for (size_t f = 0; f < 3; f++) {
          heddle_options options =
              make_options(nan_policies[nan], HEDDLE_TYPE_DEFAULT, HEDDLE_TYPE_DEFAULT, NULL);
          options.figures = every_figures[f];
          check_describe(&m, &options, "NaN");
          if (options.figures != HEDDLE_FIGURES_ALL) check_figure(&m, &options, "NaN");
        }
      matrix_close(&m);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_type_and_shape), cmocka_unit_test(largest_in_some_columns),
      cmocka_unit_test(columns_of_nan),       cmocka_unit_test(narrow_runs),
      cmocka_unit_test(rows_of_neighbours),   cmocka_unit_test(runs_together),
      cmocka_unit_test(lines_behind),
  };
  return cmocka_run_group_tests_name("strips", tests, compare_setup, compare_teardown);
}
