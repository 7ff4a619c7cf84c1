/* test_rows.c - every row, of segments or of an axis, has the bits of the plain call on it
 *
 * Each row is gathered into an array of its own by this file's own index arithmetic and handed
 * to the reference. */
#include "compare.h"

enum { MOST_DIMS = 4, DESCRIBED = sizeof(heddle_description) };
static const heddle_type types[] = {HEDDLE_F32, HEDDLE_F64,  HEDDLE_U8, HEDDLE_I32,
                                    HEDDLE_F16, HEDDLE_BF16, HEDDLE_U64};
enum { TYPES = 7 };

/* Where row r's element k is: counted in elements from `in`. */
static ptrdiff_t place(const heddle_rows *rows, size_t r, size_t k) {
  if (rows->offsets) return (ptrdiff_t)(rows->offsets[r] + k);
  ptrdiff_t strides[MOST_DIMS], at = 0, step = 1;
  for (size_t d = rows->dims; d-- > 0;) {
    strides[d] = rows->strides ? rows->strides[d] : step;
    step *= (ptrdiff_t)rows->shape[d];
  }
  for (size_t d = rows->dims; d-- > 0;) {
    if (d == rows->axis) continue;
    at += (ptrdiff_t)(r % rows->shape[d]) * strides[d];
    r /= rows->shape[d];
  }
  return at + (ptrdiff_t)k * strides[rows->axis];
}

static size_t row_length(const heddle_rows *rows, size_t r) {
  return rows->offsets ? (size_t)(rows->offsets[r + 1] - rows->offsets[r])
                       : rows->shape[rows->axis];
}

static size_t row_count(const heddle_rows *rows) {
  if (rows->offsets) return rows->segments;
  size_t count = 1;
  for (size_t d = 0; d < rows->dims; d++) count *= d == rows->axis ? 1 : rows->shape[d];
  return count;
}

/* Where a scan puts element k of row r. */
static size_t scan_place(const heddle_rows *rows, size_t r, size_t k) {
  heddle_rows packed = *rows;
  packed.strides = NULL;
  return (size_t)place(&packed, r, k);
}

static void *gather(heddle_type type, const void *in, const heddle_rows *rows, size_t r) {
  const size_t length = row_length(rows, r), size = data_size(type);
  char *row = allocate(length * size);
  for (size_t k = 0; k < length; k++)
    memcpy(row + k * size, (const char *)in + place(rows, r, k) * (ptrdiff_t)size, size);
  return row;
}

static heddle_status expected_reduce(heddle_op op, heddle_type type, const void *row, size_t n,
                                     void *out, const heddle_options *options) {
  const heddle_status status = ref_reduce(op, type, row, n, out, options);
  if (status != HEDDLE_EMPTY) return status;
  const heddle_type acc = ref_acc_type(op, type, options);
  ref_store(acc, ref_identity(op, acc), ref_out_type(op, type, options), out, 0);
  return HEDDLE_OK;
}

/* Machines for an input of `bytes` bytes, one after the other; the costly ones left out. */
static const machine *next(size_t *at, size_t bytes, uint64_t job) {
  const machine *m;
  do m = compare_next(at, bytes, job);
  while (m && m->spare);
  return m;
}

/* Segments and axes are different jobs. */
static uint64_t job_of(const char *verb, int op, heddle_type type, const heddle_rows *rows,
                       const heddle_options *options) {
  char name[40];
  (void)snprintf(name, sizeof name, "%s of %s", verb, rows->offsets ? "segments" : "an axis");
  return compare_job(name, (int)op, type, options);
}

static void check_reduce(heddle_op op, heddle_type type, const void *in, const heddle_rows *rows,
                         size_t bytes, const heddle_options *options) {
  const size_t count = row_count(rows), size = data_size(ref_out_type(op, type, options));
  const uint64_t job = job_of("reduce", (int)op, type, rows, options);
  size_t at = 0;
  const machine *m = next(&at, bytes, job);
  if (!m) return;
  unsigned char *got = allocate(count * size + 8), *expected = allocate(count * size);
  for (size_t r = 0; r < count; r++) {
    void *row = gather(type, in, rows, r);
    unsigned char *here = expected + r * size;
    assert_int_equal(expected_reduce(op, type, row, row_length(rows, r), here, options), 0);
    free(row);
  }
  for (; m; m = next(&at, bytes, job)) {
    memset(got, 0xA5, count * size + 8);
    same_status(HEDDLE_OK, heddle_reduce_rows(m->ctx, op, type, in, rows, got, options),
                "reduce_rows %s of %s on %s", op_name(op), heddle_type_name(type), m->label);
    for (size_t r = 0; r < count; r++)
      same_bytes(expected + r * size, got + r * size, size,
                 "reduce_rows %s of %s: row %zu of %zu, %zu long, on %s", op_name(op),
                 heddle_type_name(type), r, count, row_length(rows, r), m->label);
    assert_int_equal(got[count * size], 0xA5);
  }
  free(got);
  free(expected);
}

static void check_scan(heddle_op op, heddle_scan_kind kind, heddle_type type, const void *in,
                       const heddle_rows *rows, size_t elements) {
  const size_t size = data_size(type), count = row_count(rows);
  const uint64_t job = job_of("scan", (int)op, type, rows, NULL);
  size_t at = 0;
  const machine *m = next(&at, elements * size, job);
  if (!m) return;
  unsigned char *got = allocate(elements * size), *expected = allocate(elements * size);
  memset(expected, 0xA5, elements * size); /* what lies outside of all rows stays */
  for (size_t r = 0; r < count; r++) {
    const size_t length = row_length(rows, r);
    void *row = gather(type, in, rows, r);
    char *totals = allocate(length * size);
    assert_int_equal(ref_scan(op, kind, type, row, length, totals, NULL), HEDDLE_OK);
    for (size_t k = 0; k < length; k++)
      memcpy(expected + scan_place(rows, r, k) * size, totals + k * size, size);
    free(totals);
    free(row);
  }
  for (; m; m = next(&at, elements * size, job)) {
    memset(got, 0xA5, elements * size);
    same_status(HEDDLE_OK, heddle_scan_rows(m->ctx, op, kind, type, in, rows, got, NULL),
                "scan_rows %s of %s on %s", op_name(op), heddle_type_name(type), m->label);
    same_array(type, expected, got, elements, "scan_rows %s kind %d of %s on %s", op_name(op), kind,
               heddle_type_name(type), m->label);
  }
  free(got);
  free(expected);
}

static void check_argreduce(heddle_extreme which, heddle_type type, const void *in,
                            const heddle_rows *rows, size_t bytes) {
  const size_t size = data_size(type), count = row_count(rows);
  const uint64_t job = job_of("argreduce", 2 * (int)which, type, rows, NULL);
  size_t at = 0;
  const machine *m = next(&at, bytes, job);
  if (!m) return;
  unsigned char *values = allocate(count * size), *wanted = allocate(count * size);
  uint64_t *indices = allocate(count * 8), *places = allocate(count * 8);
  memset(wanted, 0xA5, count * size); /* the value of an empty row is left as it is */
  for (size_t r = 0; r < count; r++) {
    void *row = gather(type, in, rows, r);
    if (ref_argreduce(which, type, row, row_length(rows, r), wanted + r * size, &places[r], NULL))
      places[r] = SIZE_MAX;
    free(row);
  }
  for (; m; m = next(&at, bytes, job)) {
    memset(values, 0xA5, count * size);
    same_status(HEDDLE_OK,
                heddle_argreduce_rows(m->ctx, which, type, in, rows, values, indices, NULL),
                "argreduce_rows on %s", m->label);
    same_array(HEDDLE_U64, places, indices, count, "argreduce_rows indices on %s", m->label);
    same_array(type, wanted, values, count, "argreduce_rows values on %s", m->label);
  }
  free(values);
  free(wanted);
  free(indices);
  free(places);
}

static void check_dot(heddle_type type, const void *x, const void *y, const heddle_rows *rows,
                      size_t bytes) {
  const heddle_type out = ref_acc_type(HEDDLE_SUM, type, NULL);
  const size_t count = row_count(rows);
  const uint64_t job = job_of("dot", HEDDLE_SUM, type, rows, NULL);
  size_t at = 0;
  const machine *m = next(&at, bytes, job);
  if (!m) return;
  unsigned char *got = allocate(count * 8), *expected = allocate(count * 8);
  for (size_t r = 0; r < count; r++) {
    void *a = gather(type, x, rows, r), *b = gather(type, y, rows, r);
    unsigned char *here = expected + r * data_size(out);
    assert_int_equal(ref_dot(type, a, b, row_length(rows, r), here, NULL), HEDDLE_OK);
    free(a);
    free(b);
  }
  for (; m; m = next(&at, bytes, job)) {
    same_status(HEDDLE_OK, heddle_dot_rows(m->ctx, type, x, y, rows, got, NULL), "dot_rows");
    same_array(out, expected, got, count, "dot_rows of %s on %s", heddle_type_name(type), m->label);
  }
  free(got);
  free(expected);
}

static void check_describe(heddle_type type, const void *in, const heddle_rows *rows,
                           size_t bytes) {
  const size_t count = row_count(rows);
  const uint64_t job = job_of("describe", (int)type % 4, type, rows, NULL);
  size_t at = 0;
  const machine *m = next(&at, bytes, job);
  if (!m) return;
  heddle_description *got = allocate(count * DESCRIBED), *expected = allocate(count * DESCRIBED);
  for (size_t r = 0; r < count; r++) {
    void *row = gather(type, in, rows, r);
    assert_int_equal(ref_describe(type, row, row_length(rows, r), &expected[r], NULL), HEDDLE_OK);
    free(row);
  }
  for (; m; m = next(&at, bytes, job)) {
    for (size_t r = 0; r < count; r++) got[r] = (heddle_description)HEDDLE_DESCRIPTION_INIT;
    same_status(HEDDLE_OK, heddle_describe_rows(m->ctx, type, in, rows, got, NULL),
                "describe_rows on %s", m->label);
    for (size_t r = 0; r < count; r++)
      same_description(&expected[r], &got[r], "describe_rows row %zu on %s", r, m->label);
  }
  free(got);
  free(expected);
}

/* Every verb over these rows, of an input or output of `elements` elements. */
static void check_all(heddle_type type, const void *x, const void *y, const heddle_rows *rows,
                      size_t elements) {
  const size_t bytes = elements * data_size(type);
  check_reduce(HEDDLE_SUM, type, x, rows, bytes, NULL);
  check_reduce(HEDDLE_MIN, type, x, rows, bytes, NULL);
  check_reduce(HEDDLE_ANY, type, x, rows, bytes, NULL);
  check_scan(HEDDLE_SUM, HEDDLE_INCLUSIVE, type, x, rows, elements);
  check_scan(HEDDLE_MAX, HEDDLE_EXCLUSIVE, type, x, rows, elements);
  check_argreduce(HEDDLE_ARGMAX, type, x, rows, bytes);
  check_dot(type, x, y, rows, bytes);
  check_describe(type, x, rows, bytes);
}

static void check_segments(heddle_type type, const uint64_t *offsets, size_t segments) {
  const size_t n = (size_t)offsets[segments] + 50;
  void *x = data_new(DATA_WIDE, type, 1, n), *y = data_new(DATA_WIDE, type, 2, n);
  heddle_rows rows = HEDDLE_ROWS_INIT;
  rows.offsets = offsets;
  rows.segments = segments;
  check_all(type, x, y, &rows, n);
  free(x);
  free(y);
}

static void segments_of_every_length(void **state) {
  (void)state;
  uint64_t offsets[200] = {3}; /* what lies before the first segment belongs to none */
  size_t segments = 0;
  for (const size_t *n = compare_lengths; *n <= 5000 / lightness(); n++, segments++)
    offsets[segments + 1] = offsets[segments] + *n;
  for (size_t t = 0; t < TYPES; t++) check_segments(types[t], offsets, segments);
}

static void random_segments(void **state) {
  (void)state;
  enum { SEGMENTS = 400 };
  uint64_t offsets[SEGMENTS + 1] = {0};
  for (size_t shape = 0; shape < 4; shape++) {
    for (size_t i = 0; i < SEGMENTS; i++) {
      const uint64_t w = data_word(shape, i);
      const uint64_t longest = shape == 0 ? 1 : shape == 1 ? 5 : shape == 2 ? 40 : 3000;
      offsets[i + 1] = offsets[i] + (w & 3 ? (w >> 8) % (longest + 1) : 0);
    }
    for (size_t t = 0; t<TYPES; t += lightness()> 1 ? 3 : 1)
      check_segments(types[t], offsets, lightness() > 1 ? SEGMENTS / 4 : SEGMENTS);
  }
}

/* Many rows of nothing, and one long row among short ones: shares of very different weight. */
static void uneven_segments(void **state) {
  (void)state;
  const uint64_t n = (1 << 19) / lightness();
  const uint64_t one_long[] = {0, 5, 5, 5 + n, 6 + n, 6 + n};
  const uint64_t two_long[] = {0, n, 2 * n + 777};
  const uint64_t none[] = {0, 0, 0, 0};
  for (size_t t = 0; t < TYPES; t += 2) {
    check_segments(types[t], one_long, 5);
    check_segments(types[t], two_long, 2);
    check_segments(types[t], none, 3);
    check_segments(types[t], none, 0);
  }
}

/* Rows that a GPU's warps fold, rows that are a block's, and rows that several blocks share: 8 chunks
 * of 2,048 or 1,024 elements are where the first end, so many pieces of 16 or 32 where the last
 * begin. What lies between them are rows of less than a chunk. */
static void segments_about_to_be_shared(void **state) {
  (void)state;
  enum { ROWS = 40 };
  static const uint64_t limits[] = {8192, 16384, 32768, 65536, 2048, 4096};
  uint64_t offsets[ROWS + 1] = {0};
  for (size_t r = 0; r < ROWS; r++) {
    const uint64_t limit = limits[r / 6 % 6];
    const uint64_t length = r % 2 ? data_word(3, r) % 700 : limit + r / 2 % 3 - 1;
    offsets[r + 1] = offsets[r] + length;
  }
  check_segments(HEDDLE_F32, offsets, ROWS);
  check_segments(HEDDLE_F64, offsets, ROWS);
  if (lightness() == 1) check_segments(HEDDLE_I32, offsets, ROWS);
}

static void options_apply_to_every_row(void **state) {
  (void)state;
  const uint64_t offsets[] = {0, 0, 1, 9, 9, 200, 2300, 6000};
  void *x = data_new(DATA_HOLES, HEDDLE_F32, 5, 6000);
  for (size_t i = 1; i < 9; i++) data_put(HEDDLE_F32, x, i, 0x7FC00000); /* a row of NaN */
  const double init = 0.1;
  const heddle_options skip = make_options(HEDDLE_NAN_SKIP, HEDDLE_F64, HEDDLE_F64, &init);
  const heddle_options plain = make_options(HEDDLE_NAN_SKIP, 0, 0, NULL);
  heddle_rows rows = HEDDLE_ROWS_INIT;
  rows.offsets = offsets;
  rows.segments = 7;
  check_reduce(HEDDLE_SUM, HEDDLE_F32, x, &rows, 0, &skip);
  check_reduce(HEDDLE_MIN, HEDDLE_F32, x, &rows, 0, &plain);
  check_reduce(HEDDLE_MAX, HEDDLE_F32, x, &rows, 0, &plain);
  check_reduce(HEDDLE_MAX, HEDDLE_F32, x, &rows, 0, NULL);
  free(x);
}

/* ---- an axis of an n-D array ------------------------------------------------------------ */

static void check_axis(heddle_type type, size_t dims, const size_t *shape, const ptrdiff_t *strides,
                       size_t axis, size_t first, size_t span) {
  char *x = data_new(DATA_WIDE, type, 3, span), *y = data_new(DATA_WIDE, type, 4, span);
  size_t elements = 1;
  for (size_t d = 0; d < dims; d++) elements *= shape[d];
  heddle_rows rows = HEDDLE_ROWS_INIT;
  rows.dims = dims;
  rows.axis = axis;
  rows.shape = shape;
  rows.strides = strides;
  check_all(type, x + first * data_size(type), y + first * data_size(type), &rows, elements);
  free(x);
  free(y);
}

static void every_axis_and_stride(void **state) {
  (void)state;
  static const struct {
    size_t dims, shape[MOST_DIMS];
    ptrdiff_t strides[MOST_DIMS]; /* all zero: NULL */
    size_t first, span;           /* where element (0, ...) is, and the elements in all */
  } cases[] = {
      {1, {2100}, {0}, 0, 2100},
      {1, {2100}, {3}, 0, 6300},
      {1, {2100}, {-1}, 2099, 2100},
      {2, {7, 2065}, {0}, 0, 14455},
      {2, {2065, 7}, {0}, 0, 14455},
      {2, {2065, 7}, {1, 2065}, 0, 14455},       /* Fortran order */
      {2, {300, 40}, {-80, 2}, 299 * 80, 24000}, /* rows backwards, every second column */
      {2, {300, 40}, {0, 1}, 0, 40},             /* one row, repeated */
      {2, {5, 3000}, {1, 0}, 0, 5},              /* each element repeated */
      {3, {3, 1030, 5}, {0}, 0, 15450},
      {3, {4, 5, 1100}, {-5500, 1100, -1}, 3 * 5500 + 1099, 22000},
      {3, {70, 33, 9}, {9, 630, 1}, 0, 20790}, /* two axes exchanged */
      {3, {6, 0, 4}, {0}, 0, 24},              /* nothing, and rows of nothing */
      {4, {2, 3, 130, 17}, {0}, 0, 13260},
      {4, {1, 1, 1, 1}, {0}, 0, 1},
      {2, {600, 1030}, {0}, 0, 618000}, /* enough for threads */
  };
  for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
    int packed = 1;
    for (size_t d = 0; d < cases[c].dims; d++) packed &= cases[c].strides[d] == 0;
    if (lightness() > 1 && cases[c].span > 100000) continue;
    for (size_t axis = 0; axis < cases[c].dims; axis++)
      for (size_t t = c % 2; t<TYPES; t += cases[c].span> 100000 ? 4 : 2)
        check_axis(types[t], cases[c].dims, cases[c].shape, packed ? NULL : cases[c].strides, axis,
                   cases[c].first, cases[c].span);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(segments_of_every_length),
      cmocka_unit_test(random_segments),
      cmocka_unit_test(uneven_segments),
      cmocka_unit_test(segments_about_to_be_shared),
      cmocka_unit_test(options_apply_to_every_row),
      cmocka_unit_test(every_axis_and_stride),
  };
  return cmocka_run_group_tests_name("rows", tests, compare_setup, compare_teardown);
}
