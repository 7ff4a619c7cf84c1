/* test_exact_rows.c - exact sums, sums of squares and dots of rows: an axis of a strided array, segments; on
 * every machine, against sums made digit by digit */
#include <math.h>

#include "compare.h"
#include "reference_exact.h"

struct layout {
  size_t shape[3], axis, elements;
  ptrdiff_t strides[3], start;
};

static size_t length_of(const heddle_rows *rows, size_t r) {
  return rows->offsets ? (size_t)(rows->offsets[r + 1] - rows->offsets[r])
                       : rows->shape[rows->axis];
}

static void gather(const heddle_rows *rows, heddle_type type, const char *x, size_t r, char *to) {
  const ptrdiff_t size = (ptrdiff_t)data_size(type);
  ptrdiff_t at = 0, step = 1;
  if (rows->offsets) {
    memcpy(to, x + (ptrdiff_t)rows->offsets[r] * size, length_of(rows, r) * (size_t)size);
    return;
  }
  for (size_t d = rows->dims; d-- > 0;) {
    if (d == rows->axis) continue;
    at += (ptrdiff_t)(r % rows->shape[d]) * rows->strides[d];
    r /= rows->shape[d];
  }
  step = rows->strides[rows->axis];
  for (size_t k = 0; k < rows->shape[rows->axis]; k++)
    memcpy(to + (ptrdiff_t)k * size, x + (at + (ptrdiff_t)k * step) * size, (size_t)size);
}

static void check_rows(const heddle_rows *rows, size_t count, enum exact_what what,
                       heddle_type type, const char *x, const char *y,
                       const heddle_options *options, const char *label) {
  const size_t size = data_size(options->out_type);
  char *expected = allocate(count * size + 1), *got = allocate(count * size + 1);
  for (size_t r = 0; r < count; r++) {
    const size_t n = length_of(rows, r);
    char *a = allocate(n * 8 + 1), *b = allocate(n * 8 + 1);
    gather(rows, type, x, r, a);
    gather(rows, type, y, r, b);
    exact_expect(what, type, a, b, n, options, expected + r * size);
    free(a);
    free(b);
  }
  const uint64_t job = compare_job("exact rows", (int)what, type, options);
  size_t at = 0;
  for (const machine *m; (m = compare_next(&at, 1 << 20, job));) {
    memset(got, 0, count * size);
    same_status(HEDDLE_OK,
                what == EXACT_DOT
                    ? heddle_dot_rows(m->ctx, type, x, y, rows, got, options)
                    : heddle_reduce_rows(m->ctx, exact_op(what), type, x, rows, got, options),
                "%s: %s", m->label, heddle_message());
    same_array(options->out_type, expected, got, count, "%s: %s of rows of %s, %s, to %s", m->label,
               exact_names[what], heddle_type_name(type), label,
               heddle_type_name(options->out_type));
  }
  free(expected);
  free(got);
}

static void axes(void **state) {
  static const struct layout layouts[] = {
      {{1, 300, 17}, 2, 5100, {5100, 17, 1}, 0},      {{1, 70, 700}, 1, 49000, {49000, 700, 1}, 0},
      {{1, 700, 70}, 1, 49000, {49000, 70, 1}, 0},    {{3, 40, 50}, 1, 6000, {2000, 50, 1}, 0},
      {{3, 40, 50}, 0, 6000, {2000, 50, 1}, 0},       {{1, 6, 2600}, 2, 15600, {15600, 2600, 1}, 0},
      {{1, 40, 30}, 2, 3600, {3600, 90, 3}, 0},       {{1, 40, 30}, 2, 1200, {1200, 30, -1}, 29},
      {{1, 5, 5000}, 1, 25000, {25000, 5000, 1}, 0},  {{1, 1, 9000}, 2, 9000, {9000, 9000, 1}, 0},
      {{1, 3, 2049}, 2, 12294, {12294, 4098, 2}, 0},  {{1, 9, 1}, 2, 9, {9, 1, 1}, 0},
      {{1, 900, 33}, 1, 29700, {29700, 33, 1}, 0},    {{1, 4, 0}, 2, 1, {1, 1, 1}, 0},
      {{1, 9100, 16}, 1, 145600, {145600, 16, 1}, 0},
  };
  (void)state;
  for (size_t l = 0; l < sizeof layouts / sizeof *layouts; l++)
    for (size_t t = 0; t < float_type_count; t++)
      for (enum exact_what what = 0; what < EXACT_WHATS; what++) {
        const struct layout *layout = &layouts[l];
        const heddle_type type = float_types[t];
        heddle_rows rows = HEDDLE_ROWS_INIT;
        rows.dims = 3, rows.axis = layout->axis;
        rows.shape = layout->shape, rows.strides = layout->strides;
        size_t count = 1;
        for (size_t d = 0; d < 3; d++) count *= d == layout->axis ? 1 : layout->shape[d];
        const enum data_kind kind = (l + t) % 3 ? DATA_WIDE : DATA_SPECIAL;
        char *x = data_new(kind, type, 77, layout->elements);
        char *y = data_new(DATA_WIDE, type, 78, layout->elements);
        heddle_options options = exact_options(nan_policies[l % 2], float_types[(l + t) % 4]);
        const size_t skip = (size_t)layout->start * data_size(type);
        check_rows(&rows, count, what, type, x + skip, y + skip, &options, "an axis");
        if (what != EXACT_DOT) {
          options.divisor = 1 + (double)l;
          check_rows(&rows, count, what, type, x + skip, y + skip, &options, "an axis, divided");
        }
        free(x);
        free(y);
      }
}

/* Numbers up to `spread` powers of two apart, most of them of the greatest, of which four cancel with the next four but
 * for their last bits, which are the sum then; lanes have sums of one sign. Behind so many zeros. */
static void check_far_apart(heddle_type type, size_t rows_count, size_t length, unsigned spread,
                            size_t zeros) {
  const size_t shape[2] = {rows_count, length}, count = rows_count * length;
  const ptrdiff_t strides[2] = {(ptrdiff_t)length, 1};
  const int bits = type == HEDDLE_F64 ? 53 : 24;
  heddle_rows rows = HEDDLE_ROWS_INIT;
  rows.dims = 2, rows.axis = 1, rows.shape = shape, rows.strides = strides;
  double *x = allocate(count * sizeof *x);
  for (size_t i = 0; i < count; i++) {
    const size_t pair = i & ~(size_t)4;
    const uint64_t word = data_word(spread, pair) >> (64 - bits), odd = data_word(10, i) % 4;
    const double whole = (double)((word & ~(uint64_t)255) | 127) + (double)(i & 4 ? odd : 0);
    const unsigned below = data_word(11, pair) % 4 ? 0 : (unsigned)(data_word(9, pair) % spread);
    const double value = ldexp(i & 4 ? -whole : whole, (int)(spread - below) - bits);
    const double element = i % length < zeros ? 0 : value;
    if (type == HEDDLE_F64)
      x[i] = element;
    else
      ((float *)(void *)x)[i] = (float)element;
  }
  heddle_options options = exact_options(HEDDLE_NAN_PROPAGATE, HEDDLE_F64);
  for (enum exact_what what = EXACT_SUM; what < EXACT_WHATS; what++)
    check_rows(&rows, rows_count, what, type, (char *)x, (char *)x, &options, "far apart");
  free(x);
}

/* Some lanes' rows, of every number of lanes, and longer ones: what windows hold, and what they do not. */
static void far_apart(void **state) {
  static const struct {
    size_t rows, length, zeros;
  } shapes[] = {{70, 30, 0},  {37, 68, 0},  {70, 300, 0},    {21, 128, 0}, {19, 256, 256},
                {9, 516, 70}, {5, 1028, 0}, {4, 2052, 1100}, {3, 4099, 0}, {35, 3, 1}};
  static const unsigned spreads[] = {1, 20, 24, 28, 38, 42, 66, 72, 120};
  (void)state;
  for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++)
    for (size_t s = 0; s < sizeof spreads / sizeof *spreads; s++) {
      check_far_apart(HEDDLE_F64, shapes[k].rows, shapes[k].length, spreads[s], shapes[k].zeros);
      check_far_apart(HEDDLE_F32, shapes[k].rows, shapes[k].length, spreads[s], shapes[k].zeros);
    }
}

static void segments(void **state) {
  uint64_t offsets[] = {3, 3, 4, 20, 21, 1000, 1000, 3048, 3056, 9000, 20000};
  (void)state;
  for (size_t t = 0; t < float_type_count; t++)
    for (enum exact_what what = 0; what < EXACT_WHATS; what++) {
      heddle_rows rows = HEDDLE_ROWS_INIT;
      rows.offsets = offsets, rows.segments = 10;
      char *x = data_new(DATA_WIDE, float_types[t], 7, 20000);
      char *y = data_new(DATA_HOLES, float_types[t], 8, 20000);
      heddle_options options = exact_options(HEDDLE_NAN_SKIP, HEDDLE_F64);
      check_rows(&rows, 10, what, float_types[t], x, y, &options, "segments");
      free(x);
      free(y);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(axes), cmocka_unit_test(far_apart),
                                     cmocka_unit_test(segments)};
  return cmocka_run_group_tests(tests, compare_setup, compare_teardown);
}
