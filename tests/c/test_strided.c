/* test_strided.c - folds of strided rows have the bits of the plain call on a copy of each
 *
 * Steps of both signs meet every length that a gathered piece can end at, and rows that lie closer
 * together or further apart than their own elements. What lies between the elements is data like
 * them, so that one taken from beside its place shows. */
#include "compare.h"

enum { ROWS = 3, STEP_LEAST = -3, STEP_MOST = 4, WIDEST = 37, SHORT = 70 };

static const size_t long_lengths[] = {255,  256,  257,  1023, 1024, 1025,
                                      2047, 2048, 2049, 8191, 8193};

/* Three rows of n elements inside an array; row r is that of `copy` from r * n on. */
typedef struct strided {
  heddle_type type;
  size_t n, shape[2];
  ptrdiff_t strides[2];
  char *memory, *copy;
  const char *in;
  heddle_rows rows;
} strided;

static void strided_open(strided *s, heddle_type type, enum data_kind kind, size_t n,
                         ptrdiff_t step, ptrdiff_t apart) {
  const size_t size = data_size(type);
  const ptrdiff_t end = (ptrdiff_t)(n ? n - 1 : 0) * step, last = (ROWS - 1) * apart;
  const ptrdiff_t before = (end < 0 ? -end : 0) + (last < 0 ? -last : 0);
  const ptrdiff_t after = (end > 0 ? end : 0) + (last > 0 ? last : 0);
  *s = (strided){.type = type, .n = n, .shape = {ROWS, n}, .strides = {apart, step}};
  s->memory = data_new(kind, type, 11 + n, (size_t)(before + after) + 1);
  s->in = s->memory + before * (ptrdiff_t)size;
  s->copy = allocate(ROWS * n * size + 1);
  for (ptrdiff_t r = 0; r < ROWS; r++)
    for (ptrdiff_t e = 0; e < (ptrdiff_t)n; e++)
      memcpy(s->copy + (r * (ptrdiff_t)n + e) * (ptrdiff_t)size,
             s->in + (r * apart + e * step) * (ptrdiff_t)size, size);
  s->rows = (heddle_rows)HEDDLE_ROWS_INIT;
  s->rows.dims = 2, s->rows.axis = 1;
  s->rows.shape = s->shape, s->rows.strides = s->strides;
}

static void strided_close(strided *s) {
  free(s->memory);
  free(s->copy);
}

static const char *row_of(const strided *s, size_t r) {
  return s->copy + r * s->n * data_size(s->type);
}

static void check_reduce(const strided *s, heddle_op op, const heddle_options *options) {
  const machine *plain = &compare_on.of[0];
  const size_t size = data_size(ref_out_type(op, s->type, options));
  unsigned char expected[ROWS * 8], got[ROWS * 8];
  for (size_t r = 0; r < ROWS; r++)
    if (heddle_reduce(plain->ctx, op, s->type, row_of(s, r), s->n, expected + r * size, options))
      return; /* rows that are empty have results of their own: test_rows.c */
  size_t at = 0;
  const uint64_t job = compare_job("reduce of an axis", (int)op, s->type, options);
  for (const machine *m; (m = compare_next(&at, s->n * ROWS * data_size(s->type), job));) {
    memset(got, 0xA5, sizeof got);
    same_status(HEDDLE_OK, heddle_reduce_rows(m->ctx, op, s->type, s->in, &s->rows, got, options),
                "reduce_rows");
    same_bytes(expected, got, ROWS * size,
               "%s of %s, %zu elements, step %td, rows %td apart, on %s", op_name(op),
               heddle_type_name(s->type), s->n, s->strides[1], s->strides[0], m->label);
  }
}

static void check_arg(const strided *s, heddle_extreme which, const heddle_options *options) {
  const machine *plain = &compare_on.of[0];
  uint64_t expected[ROWS], got[ROWS];
  for (size_t r = 0; r < ROWS; r++)
    if (heddle_argreduce(plain->ctx, which, s->type, row_of(s, r), s->n, NULL, &expected[r],
                         options))
      return;
  size_t at = 0;
  const uint64_t job = compare_job("argreduce of an axis", 2 * (int)which, s->type, options);
  for (const machine *m; (m = compare_next(&at, s->n * ROWS * data_size(s->type), job));) {
    same_status(HEDDLE_OK,
                heddle_argreduce_rows(m->ctx, which, s->type, s->in, &s->rows, NULL, got, options),
                "argreduce_rows");
    same_bytes(expected, got, sizeof got, "%d of %s, %zu elements, step %td on %s", (int)which,
               heddle_type_name(s->type), s->n, s->strides[1], m->label);
  }
}

/* y is x from behind, so that operands taken for each other show. */
static void check_dot(const strided *s) {
  const machine *plain = &compare_on.of[0];
  const size_t size = data_size(ref_acc_type(HEDDLE_SUM, s->type, NULL));
  unsigned char expected[ROWS * 8], got[ROWS * 8];
  strided y;
  strided_open(&y, s->type, DATA_WIDE, s->n, s->strides[1], s->strides[0]);
  for (size_t r = 0; r < ROWS; r++)
    assert_int_equal(heddle_dot(plain->ctx, s->type, row_of(s, r), row_of(&y, r), s->n,
                                expected + r * size, NULL),
                     HEDDLE_OK);
  size_t at = 0;
  const uint64_t job = compare_job("dot of an axis", HEDDLE_SUM, s->type, NULL);
  for (const machine *m; (m = compare_next(&at, s->n * ROWS * data_size(s->type), job));) {
    same_status(HEDDLE_OK, heddle_dot_rows(m->ctx, s->type, s->in, y.in, &s->rows, got, NULL),
                "dot_rows");
    same_bytes(expected, got, ROWS * size, "dot of %s, %zu elements, step %td on %s",
               heddle_type_name(s->type), s->n, s->strides[1], m->label);
  }
  strided_close(&y);
}

static void check(heddle_type type, enum data_kind kind, size_t n, ptrdiff_t step,
                  ptrdiff_t apart) {
  strided s;
  strided_open(&s, type, kind, n, step, apart);
  for (size_t nan = 0; nan < 2; nan++) {
    const heddle_options options =
        make_options(nan_policies[nan], HEDDLE_TYPE_DEFAULT, HEDDLE_TYPE_DEFAULT, NULL);
    if (options.nan == HEDDLE_NAN_SKIP && !ref_is_float(type)) continue;
    for (size_t o = 0; o < op_count; o++)
      if (ref_reduces(all_ops[o], type)) check_reduce(&s, all_ops[o], &options);
    for (size_t e = 0; e < 2; e++) check_arg(&s, extremes[e], &options);
  }
  check_dot(&s);
  strided_close(&s);
}

/* Rows further apart than elements, closer, and backwards; each length meets one of them. */
static ptrdiff_t apart_of(size_t n, ptrdiff_t step) {
  const ptrdiff_t span = (ptrdiff_t)n * (step < 0 ? -step : step) + 5;
  return n % 3 == 0 ? span : n % 3 == 1 ? 2 : -span;
}

static void short_rows_of_every_step(void **state) {
  (void)state;
  for (size_t t = 0; t < type_count; t++)
    for (size_t n = 1; n <= SHORT; n += lightness())
      for (ptrdiff_t step = STEP_LEAST; step <= STEP_MOST; step++)
        check(all_types[t], n % 2 ? DATA_WIDE : DATA_HOLES, n, step, apart_of(n, step));
}

static void long_rows_of_every_step(void **state) {
  (void)state;
  const size_t lengths = sizeof long_lengths / sizeof *long_lengths;
  for (size_t t = 0; t < type_count; t++)
    for (size_t l = t % lightness(); l < lengths; l += lightness())
      for (ptrdiff_t step = STEP_LEAST; step <= STEP_MOST + 1; step++) {
        const ptrdiff_t by = step > STEP_MOST ? WIDEST : step;
        check(all_types[t], l % 2 ? DATA_WIDE : DATA_HOLES, long_lengths[l], by,
              apart_of(long_lengths[l] + l, by));
      }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(short_rows_of_every_step),
      cmocka_unit_test(long_rows_of_every_step),
  };
  return cmocka_run_group_tests_name("strided", tests, compare_setup, compare_teardown);
}
