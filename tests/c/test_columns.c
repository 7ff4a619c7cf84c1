/* test_columns.c - many rows at once, side by side or short ones behind one another: every one has the
 * bits of its copy's fold
 *
 * Method   The columns are copied, each into a segment of an array, and folded there on one scalar thread,
 *          which test_rows.c holds to the reference. Widths and lengths lie around the ends of vectors,
 *          strips, leaves of 8 lines and chunks; lines and runs have gaps between them or go backwards. */
#include "compare.h"

/* Runs of neighbouring columns: element (r, l, c) is at r * apart + l * pitch + c * across. Columns that
 * are short rows have a pitch of 1. */
struct shape {
  size_t runs, lines, width;
  ptrdiff_t pitch, across, apart;
  size_t first, span; /* where element (0, 0, 0) is, and the elements in all */
};

static heddle_context *plain;

static int setup(void **state) {
  plain = open_cpu("scalar", 1);
  return !plain || compare_setup(state);
}
static int teardown(void **state) {
  heddle_close(plain);
  return compare_teardown(state);
}

/* Columns `across` elements apart; `gap` elements between lines. */
static struct shape spread(size_t runs, size_t lines, size_t width, ptrdiff_t across, size_t gap,
                           int backwards) {
  const size_t step = (size_t)(across < 0 ? -across : across), line = width * step;
  struct shape s = {runs, lines, width, (ptrdiff_t)(line + gap), across, 0, 0, 0};
  s.apart = s.pitch * (ptrdiff_t)lines + (gap ? 5 : 0);
  s.span = (runs - 1) * (size_t)s.apart + (lines - 1) * (size_t)s.pitch + line;
  if (backwards) {
    s.first = (lines - 1) * (size_t)s.pitch;
    s.pitch = -s.pitch;
  }
  if (across < 0) s.first += (width - 1) * step;
  return s;
}

static struct shape shape_of(size_t runs, size_t lines, size_t width, size_t gap, int backwards) {
  return spread(runs, lines, width, 1, gap, backwards);
}

/* Runs within a line, `gap` elements behind each. */
static struct shape together(size_t runs, size_t lines, size_t width, ptrdiff_t across, size_t gap,
                             int backwards) {
  struct shape s = {runs, lines, width, 0, across, 0, 0, 0};
  s.apart = (ptrdiff_t)(width * (size_t)across + gap);
  s.pitch = (ptrdiff_t)runs * s.apart + 3;
  s.span = (lines - 1) * (size_t)s.pitch + (runs - 1) * (size_t)s.apart +
           (width - 1) * (size_t)across + 1;
  if (backwards) {
    s.first = (lines - 1) * (size_t)s.pitch;
    s.pitch = -s.pitch;
  }
  return s;
}

/* Rows of n neighbouring elements. */
static struct shape rows_of(size_t runs, size_t n, size_t rows, size_t gap, int backwards) {
  struct shape s = {runs, n, rows, 1, (ptrdiff_t)(n + gap), 0, 0, 0};
  s.apart = s.across * (ptrdiff_t)rows + (gap ? 7 : 0);
  s.span = (runs - 1) * (size_t)s.apart + (rows - 1) * (size_t)s.across + n;
  if (backwards) {
    s.first = (rows - 1) * (size_t)s.across;
    s.across = -s.across;
  }
  return s;
}

/* A copy of every column, one after the other. */
static void *copied(heddle_type type, const void *in, const struct shape *s) {
  const size_t size = data_size(type);
  char *copy = allocate(s->runs * s->lines * s->width * size), *to = copy;
  for (size_t r = 0; r < s->runs; r++)
    for (size_t c = 0; c < s->width; c++)
      for (size_t l = 0; l < s->lines; l++, to += size) {
        const ptrdiff_t at =
            (ptrdiff_t)s->first + (ptrdiff_t)c * s->across + (ptrdiff_t)r * s->apart;
        memcpy(to, (const char *)in + (at + (ptrdiff_t)l * s->pitch) * (ptrdiff_t)size, size);
      }
  return copy;
}

/* op is HEDDLE_OP_CUSTOM for dot. */
static heddle_status fold(heddle_context *ctx, heddle_op op, heddle_type type, const void *x,
                          const void *y, const heddle_rows *rows, void *out,
                          const heddle_options *options) {
  return y ? heddle_dot_rows(ctx, type, x, y, rows, out, options)
           : heddle_reduce_rows(ctx, op, type, x, rows, out, options);
}

static void check(heddle_op op, heddle_type type, const void *x, const void *y,
                  const struct shape *s, const heddle_options *options) {
  const size_t count = s->runs * s->width, size = data_size(ref_out_type(op, type, options));
  const size_t skipped = s->first * data_size(type), bytes = s->span * data_size(type);
  const size_t shape[] = {s->runs, s->lines, s->width};
  const ptrdiff_t strides[] = {s->apart, s->pitch, s->across};
  const heddle_rows lines = {
      .size = sizeof lines, .dims = 3, .shape = shape, .strides = strides, .axis = 1};
  unsigned char *got = allocate(count * size + 8), *expected = allocate(count * size);
  uint64_t *offsets = allocate((count + 1) * sizeof *offsets);
  void *cx = copied(type, x, s), *cy = y ? copied(type, y, s) : NULL;
  for (size_t i = 0; i <= count; i++) offsets[i] = i * s->lines;
  const heddle_rows segments = {.size = sizeof segments, .offsets = offsets, .segments = count};
  same_status(HEDDLE_OK, fold(plain, op, type, cx, cy, &segments, expected, options), "segments");
  size_t at = 0;
  const uint64_t job = compare_job("columns", (int)op + (y ? 100 : 0), type, options);
  for (const machine *m = compare_next(&at, bytes, job); m; m = compare_next(&at, bytes, job)) {
    if (m->spare) continue;
    memset(got, 0xA5, count * size + 8);
    same_status(HEDDLE_OK,
                fold(m->ctx, op, type, (const char *)x + skipped, y ? (const char *)y + skipped : y,
                     &lines, got, options),
                "%s of %s on %s", op_name(op), heddle_type_name(type), m->label);
    for (size_t i = 0; i < count; i++)
      same_bytes(expected + i * size, got + i * size, size,
                 "%s%s of %s, %zu runs of %zu lines of %zu: column %zu on %s", y ? "dot " : "",
                 op_name(op), heddle_type_name(type), s->runs, s->lines, s->width, i, m->label);
    assert_int_equal(got[count * size], 0xA5);
  }
  free(got), free(expected), free(offsets), free(cx), free(cy);
}

/* Every policy, accumulator and result that the operator takes; `all` of them, or the defaults alone. */
static void check_options(heddle_op op, heddle_type type, const struct shape *s, int all) {
  const enum data_kind kind = all ? DATA_SPECIAL : op == HEDDLE_PROD ? DATA_NEAR1 : DATA_HOLES;
  void *x = data_new(kind, type, s->lines + 77 * s->width, s->span);
  void *y = data_new(DATA_WIDE, type, s->lines, s->span);
  const int is_float = ref_is_float(type), sums = op == HEDDLE_SUM;
  const double init = 3;
  for (size_t p = 0; p < (is_float ? 2 : 1); p++) {
    heddle_options options =
        make_options(nan_policies[p], HEDDLE_TYPE_DEFAULT, HEDDLE_TYPE_DEFAULT, NULL);
    check(op, type, x, NULL, s, &options);
    if (sums) check(op, type, x, y, s, &options);
    if (!all) continue;
    if (is_float && ref_class_of(op) == REF_ARITHMETIC) {
      options = make_options(nan_policies[p], HEDDLE_F64, HEDDLE_TYPE_DEFAULT, NULL);
      check(op, type, x, NULL, s, &options);
      if (sums) check(op, type, x, y, s, &options);
      options = make_options(nan_policies[p], HEDDLE_F64, HEDDLE_F32, NULL);
      check(op, type, x, NULL, s, &options);
    }
    options = make_options(nan_policies[p], HEDDLE_TYPE_DEFAULT, HEDDLE_F64, &init);
    if (ref_is_numeric(op)) check(op, type, x, NULL, s, &options);
    options.init = NULL;
    if (ref_is_numeric(op)) check(op, type, x, NULL, s, &options);
  }
  free(x), free(y);
}

static void every_operator_and_type(void **state) {
  (void)state;
  static const size_t lines[] = {1, 2, 3, 5, 7, 8, 9, 15, 16, 17, 31, 40, 95};
  static const size_t widths[] = {2, 3, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 129, 200};
  static const ptrdiff_t steps[] = {1, 2, 1, -1, 3, 1, 5, -2, 4, 1, 1};
  enum { LINES = sizeof lines / sizeof *lines, WIDTHS = sizeof widths / sizeof *widths };
  enum { STEPS = sizeof steps / sizeof *steps };
  size_t i = 0;
  for (size_t o = 0; o < op_count; o++)
    for (size_t t = 0; t < type_count; t++) {
      if (!ref_reduces(all_ops[o], all_types[t])) continue;
      for (size_t k = 0; k < 6; k++, i++) {
        const struct shape s = spread(1 + i % 3, lines[i % LINES], widths[i % WIDTHS],
                                      steps[i % STEPS], i % 4, i % 5 == 0);
        check_options(all_ops[o], all_types[t], &s, k == 0);
      }
    }
}

/* Runs of few columns and few lines, of which several go together, and some that are too large for it. */
static void narrow_runs(void **state) {
  (void)state;
  static const size_t runs[] = {2, 3, 17, 64, 65, 130},
                      lines[] = {1, 2, 3, 7, 8, 9, 17, 42, 43, 128};
  static const size_t widths[] = {1, 2, 3, 4, 5, 7, 15, 16, 31, 32, 33};
  static const ptrdiff_t steps[] = {1, 2, 1, -1, 3};
  size_t i = 0;
  for (size_t o = 0; o < op_count; o++)
    for (size_t t = 0; t < type_count; t++) {
      if (!ref_reduces(all_ops[o], all_types[t])) continue;
      for (size_t k = 0; k < 5; k++, i++) {
        const struct shape s = spread(runs[i % 6], lines[i % 10], widths[i % 11], steps[i / 3 % 5],
                                      1 + i % 3, i % 4 == 0);
        check_options(all_ops[o], all_types[t], &s, k == 0);
      }
      const struct shape s = rows_of(runs[t % 6], 1 + t, 1 + t % 9, 2, t % 2);
      check_options(all_ops[o], all_types[t], &s, 0);
    }
}

/* Short runs with gaps between them, which go down the lines together: fewer than a vector in all, as wide as
 * several strips, too far from each other for it; lines fewer than a leaf and more than a chunk. */
static void runs_together(void **state) {
  (void)state;
  static const size_t runs[] = {2, 3, 5, 21, 64, 130, 700}, widths[] = {1, 2, 3, 4, 6, 8, 16, 33};
  static const size_t lines[] = {2, 3, 7, 8, 9, 17, 43, 130, 300}, gaps[] = {1, 3, 2, 9, 40};
  static const size_t longer[] = {1030, 2050, 8200};
  size_t i = 0;
  for (size_t o = 0; o < op_count; o++)
    for (size_t t = 0; t < type_count; t++) {
      if (!ref_reduces(all_ops[o], all_types[t])) continue;
      for (size_t k = 0; k < 4; k++, i++) {
        const struct shape s =
            together(runs[i % 7], lines[i % 9], widths[i % 8], i % 3 ? 1 : 2 + (ptrdiff_t)(i % 2),
                     gaps[i % 5], i % 4 == 0);
        if (lightness() > 1 && s.span > 30000) continue;
        check_options(all_ops[o], all_types[t], &s, k == 0 && s.span < 30000);
      }
    }
  for (size_t k = 0; k < 3; k++) {
    const struct shape s = together(7 + 9 * k, longer[k], 3 + k, 1, 2, 0);
    if (lightness() > 1 && k) continue;
    check_options(HEDDLE_SUM, HEDDLE_F32, &s, 0);
    check_options(HEDDLE_PROD, HEDDLE_F64, &s, 0);
    check_options(HEDDLE_SUM, HEDDLE_U8, &s, 0);
    check_options(HEDDLE_MAX, HEDDLE_BF16, &s, 0);
  }
}

/* Rows of one element without gaps, which are copied where they are what is asked for. */
static void rows_of_one_element(void **state) {
  (void)state;
  static const size_t widths[] = {1, 3, 8, 15, 16, 17, 33, 64, 65, 200};
  for (size_t o = 0; o < op_count; o++)
    for (size_t t = 0; t < type_count; t++) {
      const struct shape s = shape_of(1 + (o + t) % 3, 1, widths[(o + 3 * t) % 10], 0, 0);
      if (ref_reduces(all_ops[o], all_types[t])) check_options(all_ops[o], all_types[t], &s, 1);
    }
}

/* Lengths around the squares of a transpose, what is transposed at all, and a chunk; as many rows as leave
 * groups whole, cut and shorter than a vector. */
static void short_rows(void **state) {
  (void)state;
  static const size_t rows[] = {1, 5, 15, 16, 17, 63, 64, 65, 130, 513, 1030};
  static const size_t longer[] = {95, 127, 128, 129, 255, 1023, 1024, 2047, 4095, 8191};
  enum { ROWS = sizeof rows / sizeof *rows, LONGER = sizeof longer / sizeof *longer, MOST = 66 };
  size_t i = 0;
  for (size_t o = 0; o < op_count; o++)
    for (size_t t = 0; t < type_count; t++)
      for (size_t k = 0; k < 4; k++, i++) {
        if (!ref_reduces(all_ops[o], all_types[t])) continue;
        const size_t n = k < 3 ? 1 + (i * 7 + k) % MOST : longer[i % LONGER];
        const struct shape s =
            rows_of(1 + i % 3, n, k < 3 ? rows[i % ROWS] : 1 + i % 21, i % 3, i % 5 == 0);
        check_options(all_ops[o], all_types[t], &s, k == 0 && n < 40);
      }
  for (size_t n = 1; n <= MOST; n++) {
    const struct shape s = rows_of(1, n, 70 + n, n % 2, 0);
    check_options(HEDDLE_SUM, HEDDLE_F32, &s, 0);
    check_options(HEDDLE_SUM, HEDDLE_F64, &s, 0);
    check_options(HEDDLE_MIN, HEDDLE_U8, &s, 0);
    check_options(HEDDLE_MAX, HEDDLE_F16, &s, 0);
  }
}

/* Groups for several threads. */
static void short_rows_for_threads(void **state) {
  (void)state;
  static const size_t lengths[] = {3, 60, 100};
  for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
    if (lightness() > 1 && k) continue;
    const struct shape s = rows_of(1, lengths[k], 180000 / lengths[k], k % 2, 0);
    check_options(HEDDLE_SUM, HEDDLE_F32, &s, 0);
    check_options(HEDDLE_MIN, HEDDLE_I16, &s, 0);
  }
}

/* The strips of one run, and chunks: as many elements as an operator's order can see. */
static void strips_and_chunks(void **state) {
  (void)state;
  static const struct {
    size_t lines, width;
  } sizes[] = {{3, 511},   {9, 512},    {4, 513},    {17, 1024},  {9, 1025},  {2, 5000},
               {40, 2049}, {1023, 17},  {1024, 17},  {1025, 33},  {2047, 16}, {2048, 19},
               {2049, 31}, {4096, 16},  {6149, 18},  {8191, 8},   {8192, 9},  {8193, 64},
               {10240, 8}, {14343, 16}, {3000, 300}, {2060, 700}, {4099, 3},  {2048, 2},
               {9000, 5},  {6144, 15}};
  static const ptrdiff_t steps[] = {1, 2, 1, -1, 1, 3, 9};
  enum { SIZES = sizeof sizes / sizeof *sizes, STEPS = sizeof steps / sizeof *steps };
  for (size_t k = 0; k < SIZES; k++) {
    if (lightness() > 1 && sizes[k].lines * sizes[k].width > 200000) continue;
    const struct shape s =
        spread(1, sizes[k].lines, sizes[k].width, steps[k % STEPS], k % 3, k % 4 == 3);
    check_options(HEDDLE_SUM, HEDDLE_F32, &s, 0);
    for (size_t o = 0; o < op_count; o++)
      for (size_t t = (k + o) % 9; t < type_count; t += 9)
        if (ref_reduces(all_ops[o], all_types[t])) check_options(all_ops[o], all_types[t], &s, 0);
  }
}

/* Lines by the megabyte, narrow and wide. */
static void many_lines(void **state) {
  (void)state;
  static const size_t bytes[] = {20, 130, 700, 1500, 4100, 9001};
  enum { WIDTHS = sizeof bytes / sizeof *bytes };
  for (size_t t = 0; t < type_count; t++)
    for (size_t o = 0; o < op_count; o++) {
      const size_t k = (t + 5 * o) % WIDTHS, width = bytes[k] / data_size(all_types[t]) + o % 3 + 1,
                   lines = (1 << 20) / (width * data_size(all_types[t])) + 7 + o;
      if ((t + o) % (lightness() > 1 ? 24 : 4) || !ref_reduces(all_ops[o], all_types[t])) continue;
      const struct shape s = shape_of(1, lines, width, 0, 0);
      check_options(all_ops[o], all_types[t], &s, 0);
    }
}

/* Few columns of many lines, which threads cut. */
static void lines_for_threads(void **state) {
  (void)state;
  static const size_t lines[] = {16384, 65536 + 2048, 70001, 131072 - 1};
  for (size_t k = 0; k < sizeof lines / sizeof *lines; k++) {
    if (lightness() > 1 && k) continue;
    const struct shape s = spread(1 + k % 2, lines[k], 16 + k, k == 1 ? 2 : 1, k % 2, k == 2),
                       few = shape_of(1, lines[k], 3 + k, k == 3, 0);
    check_options(HEDDLE_SUM, HEDDLE_F32, &few, 0);
    check_options(HEDDLE_MIN, HEDDLE_U8, &few, 0);
    check_options(HEDDLE_SUM, HEDDLE_F32, &s, 0);
    check_options(HEDDLE_PROD, HEDDLE_F64, &s, 0);
    check_options(HEDDLE_SUM, k % 2 ? HEDDLE_U8 : HEDDLE_I16, &s, 0);
    check_options(HEDDLE_MAX, k % 2 ? HEDDLE_F32 : HEDDLE_I64, &s, 0);
  }
}

/* A narrow sum's lanes hold no more than some lines of the greatest values. */
static void greatest_values(void **state) {
  (void)state;
  static const heddle_type narrow[] = {HEDDLE_U8, HEDDLE_U16, HEDDLE_I8, HEDDLE_I16};
  const struct shape s = shape_of(1, 70000, 16, 0, 0);
  for (size_t t = 0; t < 4; t++) {
    unsigned char *x = allocate(s.span * data_size(narrow[t]));
    for (size_t i = 0; i < s.span * data_size(narrow[t]); i++) x[i] = 0xff;
    if (ref_is_signed(narrow[t]))
      for (size_t i = 0; i < s.span; i++)
        data_put(narrow[t], x, i, (uint64_t)1 << (8 * data_size(narrow[t]) - 1));
    check(HEDDLE_SUM, narrow[t], x, NULL, &s, NULL);
    free(x);
  }
}

/* Columns of nothing but NaN, which skipping leaves without a value. */
static void columns_without_values(void **state) {
  (void)state;
  const struct shape s = shape_of(2, 19, 37, 0, 0);
  for (size_t t = 0; t < float_type_count; t++) {
    void *x = data_new(DATA_HOLES, float_types[t], 5, s.span);
    const uint64_t nan = float_types[t] == HEDDLE_F64 ? UINT64_MAX >> 1 : UINT64_MAX;
    for (size_t l = 0; l < s.lines; l++)
      for (size_t c = 0; c < s.width; c += 7) data_put(float_types[t], x, l * s.width + c, nan);
    for (size_t o = 0; o < op_count; o++)
      for (size_t p = 0; p < 2; p++) {
        const heddle_options options =
            make_options(nan_policies[p], HEDDLE_TYPE_DEFAULT, HEDDLE_TYPE_DEFAULT, NULL);
        if (ref_reduces(all_ops[o], float_types[t]))
          check(all_ops[o], float_types[t], x, NULL, &s, &options);
      }
    free(x);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_operator_and_type),
      cmocka_unit_test(strips_and_chunks),
      cmocka_unit_test(many_lines),
      cmocka_unit_test(lines_for_threads),
      cmocka_unit_test(greatest_values),
      cmocka_unit_test(columns_without_values),
      cmocka_unit_test(short_rows),
      cmocka_unit_test(short_rows_for_threads),
      cmocka_unit_test(narrow_runs),
      cmocka_unit_test(runs_together),
      cmocka_unit_test(rows_of_one_element),
  };
  return cmocka_run_group_tests_name("columns", tests, setup, teardown);
}
