/* test_guard.c - nothing is read or written beyond the arrays: pages that fault lie on both sides
 *
 * Arrays end at the last byte before a forbidden page, then begin at the first byte after one.
 * A stray access ends the program, which is how this test fails. */
#include <sys/mman.h>
#include <unistd.h>

#include "support.h"

enum { AREA = 1 << 19 };

typedef struct fence {
  char *memory; /* AREA bytes between two pages that fault */
} fence;

static fence fence_new(void) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  char *all = mmap(NULL, AREA + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert_true(all != MAP_FAILED);
  assert_int_equal(mprotect(all + page, AREA, PROT_READ | PROT_WRITE), 0);
  return (fence){all + page};
}
static void fence_free(fence f) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  (void)munmap(f.memory - page, AREA + 2 * page);
}

/* The last `bytes` bytes of the area, or the first. */
static void *edge(fence f, size_t bytes, int last) {
  return last ? f.memory + AREA - bytes : f.memory;
}

/* A device made of software takes a few types and lengths. */
static int passed_over(size_t context, heddle_type type, size_t n) {
  const int here = (type == HEDDLE_U32 || type == HEDDLE_F32) && (n % 41 == 0 || n == 1025);
  return context == ISAS && lightness() > 1 && !here;
}

/* And a few operators of each type. */
static int takes(heddle_op op, heddle_type type) {
  if (!ref_reduces(op, type)) return 0;
  return one_is_cpu() || getenv("HEDDLE_TEST_FULL") || ((int)op + (int)type) % 4 == 0;
}

/* One context on each instruction set, and one on the device under test: its host arrays. */
enum { CONTEXTS = ISAS + 1 };
static heddle_context *open_nth(size_t i) {
  if (i == ISAS) return one_is_cpu() ? NULL : open_one();
  return one_is_cpu() ? open_cpu(isa_names[i], 2) : NULL;
}

static void all_verbs(heddle_context *ctx, heddle_type type, size_t n, int last, const fence *f) {
  const size_t bytes = n * data_size(type);
  const heddle_options skip = make_options(HEDDLE_NAN_SKIP, 0, 0, NULL);
  void *a = edge(f[0], bytes, last), *b = edge(f[1], bytes, last), *out = edge(f[2], bytes, last);
  data_fill(DATA_HOLES, type, n, n, a);
  data_fill(DATA_WIDE, type, n + 1, n, b);
  uint64_t value, expected, index, wanted_index;
  for (size_t o = 0; o < op_count; o++) {
    const heddle_op op = all_ops[o];
    if (!takes(op, type)) continue;
    value = expected = 0;
    const heddle_status status = ref_reduce(op, type, a, n, &expected, NULL);
    same_status(status, heddle_reduce(ctx, op, type, a, n, &value, NULL), "reduce");
    same_bytes(&expected, &value, 8, "%s of %zu %s beside a guard page", op_name(op), n,
               heddle_type_name(type));
    assert_in_range(heddle_reduce(ctx, op, type, a, n, &value, &skip), HEDDLE_OK, HEDDLE_EMPTY);
  }
  assert_int_equal(heddle_dot(ctx, type, a, b, n, &value, NULL), HEDDLE_OK);
  heddle_description d = HEDDLE_DESCRIPTION_INIT;
  assert_int_equal(heddle_describe(ctx, type, a, n, &d, NULL), HEDDLE_OK);
  if (n) {
    assert_int_equal(heddle_argreduce(ctx, HEDDLE_ARGMIN, type, a, n, &value, &index, NULL), 0);
    assert_int_equal(ref_argreduce(HEDDLE_ARGMIN, type, a, n, &value, &wanted_index, NULL), 0);
    assert_int_equal(wanted_index, index);
  }
  for (size_t k = 0; k < 2; k++) {
    const heddle_scan_kind kind = scan_kinds[k];
    assert_int_equal(heddle_scan(ctx, HEDDLE_SUM, kind, type, a, n, out, NULL), HEDDLE_OK);
    assert_int_equal(heddle_scan(ctx, HEDDLE_MIN, kind, type, a, n, out, NULL), HEDDLE_OK);
  }
}

static void histograms(heddle_context *ctx, heddle_type type, size_t n, int last, const fence *f) {
  void *a = edge(f[0], n * data_size(type), last);
  float *w = edge(f[1], n * sizeof *w, last);
  uint64_t *counts = edge(f[2], 100 * 8, last);
  double *sums = edge(f[3], 100 * 8, last);
  data_fill(DATA_HOLES, type, n, n, a);
  data_fill(DATA_WIDE, HEDDLE_F32, n, n, w);
  heddle_bins bins = {sizeof bins, HEDDLE_BINS_EVEN, 100, -10, 200, 0, NULL, 0};
  assert_int_equal(heddle_histogram(ctx, type, a, n, &bins, counts, NULL, NULL), HEDDLE_OK);
  heddle_histogram_options options = HEDDLE_HISTOGRAM_OPTIONS_INIT;
  options.weights = w;
  options.weights_type = HEDDLE_F32;
  options.sums = sums;
  assert_int_equal(heddle_histogram(ctx, type, a, n, &bins, counts, NULL, &options), HEDDLE_OK);
  bins.auto_range = 1;
  assert_int_equal(heddle_histogram(ctx, type, a, n, &bins, counts, NULL, NULL), HEDDLE_OK);
  if (ref_is_float(type)) return;
  bins = (heddle_bins){sizeof bins, HEDDLE_BINS_INTEGER, 100, 0, 0, 0, NULL, 3};
  assert_int_equal(heddle_histogram(ctx, type, a, n, &bins, counts, NULL, NULL), HEDDLE_OK);
}

static void reads_stay_inside(void **state) {
  (void)state;
  fence f[4];
  for (size_t i = 0; i < 4; i++) f[i] = fence_new();
  static const size_t more[] = {511, 1023, 1025, 2047, 2049, 4099, 10001, 40961};
  for (size_t i = 0; i < CONTEXTS; i++) {
    heddle_context *ctx = open_nth(i);
    if (!ctx) continue;
    for (size_t t = 0; t < type_count; t++)
      for (int last = 0; last < 2; last++) {
        for (size_t n = 0; n <= 300; n += lightness() > 1 ? 7 : 1) {
          if (passed_over(i, all_types[t], n)) continue;
          all_verbs(ctx, all_types[t], n, last, f);
          histograms(ctx, all_types[t], n, last, f);
        }
        for (size_t k = 0; k < 8 / (lightness() > 1 ? 2 : 1); k++) {
          if (passed_over(i, all_types[t], more[k])) continue;
          all_verbs(ctx, all_types[t], more[k], last, f);
          histograms(ctx, all_types[t], more[k], last, f);
        }
      }
    heddle_close(ctx);
  }
  for (size_t i = 0; i < 4; i++) fence_free(f[i]);
}

/* Rows at the very end and the very beginning of memory, with every stride that fits. */
static void rows_stay_inside(void **state) {
  (void)state;
  fence f[3];
  for (size_t i = 0; i < 3; i++) f[i] = fence_new();
  for (size_t i = 0; i < CONTEXTS; i++) {
    heddle_context *ctx = open_nth(i);
    if (!ctx) continue;
    for (size_t t = 0; t < type_count; t++)
      for (size_t n = 1; n <= 140; n += 3)
        for (ptrdiff_t stride = -3; stride <= 3; stride++) {
          const heddle_type type = all_types[t];
          const size_t size = data_size(type);
          if (passed_over(i, type, n - 1)) continue;
          const size_t step = (size_t)(stride < 0 ? -stride : stride);
          const size_t shape[] = {2, n}, span = (n - 1) * step + 2;
          const ptrdiff_t strides[] = {1, stride};
          char *low = edge(f[0], span * size, (int)(n & 1));
          data_fill(DATA_WIDE, type, n, span, low);
          heddle_rows rows = HEDDLE_ROWS_INIT;
          rows.dims = 2;
          rows.axis = 1;
          rows.shape = shape;
          rows.strides = strides;
          const char *first = stride < 0 ? low + (n - 1) * step * size : low;
          uint64_t values[2];
          assert_int_equal(heddle_reduce_rows(ctx, HEDDLE_SUM, type, first, &rows, values, NULL),
                           HEDDLE_OK);
          void *out = edge(f[1], 2 * n * size, (int)(n & 2));
          assert_int_equal(
              heddle_scan_rows(ctx, HEDDLE_SUM, HEDDLE_INCLUSIVE, type, first, &rows, out, NULL),
              HEDDLE_OK);
        }
    heddle_close(ctx);
  }
  for (size_t i = 0; i < 3; i++) fence_free(f[i]);
}

/* One row of full chunks, and of an element more or less, whose elements are read with what lies between. */
static void row_apart(heddle_context *ctx, heddle_type type, size_t n, ptrdiff_t stride, int last,
                      const fence *f) {
  const size_t size = data_size(type), step = (size_t)(stride < 0 ? -stride : stride);
  const size_t span = (n - 1) * step + 1;
  char *low = edge(f[0], span * size, last);
  const char *first = stride < 0 ? low + (n - 1) * step * size : low;
  const heddle_rows rows = {
      .size = sizeof rows, .dims = 1, .axis = 0, .shape = &n, .strides = &stride};
  uint64_t value;
  data_fill(DATA_WIDE, type, n, span, low);
  for (size_t o = 0; o < op_count; o++)
    if (takes(all_ops[o], type))
      assert_int_equal(heddle_reduce_rows(ctx, all_ops[o], type, first, &rows, &value, NULL),
                       HEDDLE_OK);
}

static void long_rows_stay_inside(void **state) {
  (void)state;
  static const size_t lengths[] = {1024, 1025, 2048, 2049, 4096, 8191};
  fence f[1] = {fence_new()};
  for (size_t i = 0; i < CONTEXTS; i++) {
    heddle_context *ctx = open_nth(i);
    if (!ctx) continue;
    for (size_t t = 0; t < type_count; t++)
      for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++)
        for (ptrdiff_t stride = -4; stride <= 4; stride++)
          if (stride && !passed_over(i, all_types[t], lengths[l]))
            for (int last = 0; last < 2; last++)
              row_apart(ctx, all_types[t], lengths[l], stride, last, f);
    heddle_close(ctx);
  }
  fence_free(f[0]);
}

/* Lines of columns, neighbours or apart, fewer and more than a vector's, packed and with a gap between lines. */
static void columns_of(heddle_context *ctx, heddle_type type, size_t n, size_t width, size_t across,
                       size_t gap, const fence *f) {
  const size_t shape[] = {n, width}, line = (width - 1) * across + 1;
  const size_t span = (n - 1) * (line + gap) + line;
  const ptrdiff_t strides[] = {(ptrdiff_t)(line + gap), (ptrdiff_t)across};
  const heddle_rows rows = {
      .size = sizeof rows, .dims = 2, .axis = 0, .shape = shape, .strides = strides};
  for (int last = 0; last < 2; last++) {
    void *x = edge(f[0], span * data_size(type), last),
         *y = edge(f[1], span * data_size(type), last);
    data_fill(DATA_WIDE, type, n, span, x);
    data_fill(DATA_WIDE, type, n + 1, span, y);
    for (size_t o = 0; o < op_count; o++) {
      const size_t size = data_size(ref_out_type(all_ops[o], type, NULL));
      void *out = edge(f[2], width * size, last);
      if (!takes(all_ops[o], type)) continue;
      assert_int_equal(heddle_reduce_rows(ctx, all_ops[o], type, x, &rows, out, NULL), HEDDLE_OK);
    }
    void *out = edge(f[2], width * data_size(ref_out_type(HEDDLE_SUM, type, NULL)), last);
    assert_int_equal(heddle_dot_rows(ctx, type, x, y, &rows, out, NULL), HEDDLE_OK);
  }
}

static void columns_stay_inside(void **state) {
  (void)state;
  static const size_t widths[] = {2, 3, 7, 8, 15, 17, 33, 63, 65, 130},
                      lines[] = {1, 2, 3, 9, 25, 60};
  fence f[3];
  for (size_t i = 0; i < 3; i++) f[i] = fence_new();
  for (size_t i = 0; i < CONTEXTS; i++) {
    heddle_context *ctx = open_nth(i);
    if (!ctx) continue;
    for (size_t t = 0; t < type_count; t++) {
      if (passed_over(i, all_types[t], 0)) continue;
      for (size_t w = 0; w < sizeof widths / sizeof *widths; w++)
        for (size_t k = 0; k < sizeof lines / sizeof *lines; k++)
          for (size_t across = 1; across <= 3; across += 2 - w % 2)
            columns_of(ctx, all_types[t], lines[k], widths[w], across, (w + k) % 2, f);
    }
    heddle_close(ctx);
  }
  for (size_t i = 0; i < 3; i++) fence_free(f[i]);
}

/* Short runs within a line, which are read with the gaps between them, but not with that behind the last. */
static void runs_of(heddle_context *ctx, heddle_type type, size_t n, size_t runs, size_t width,
                    size_t gap, const fence *f) {
  const size_t shape[] = {n, runs, width}, apart = width + gap, pitch = runs * apart + 1;
  const size_t span = (n - 1) * pitch + (runs - 1) * apart + width, count = runs * width;
  const ptrdiff_t strides[] = {(ptrdiff_t)pitch, (ptrdiff_t)apart, 1};
  const heddle_rows rows = {
      .size = sizeof rows, .dims = 3, .axis = 0, .shape = shape, .strides = strides};
  for (int last = 0; last < 2; last++) {
    void *x = edge(f[0], span * data_size(type), last);
    data_fill(DATA_WIDE, type, n, span, x);
    for (size_t o = 0; o < op_count; o++) {
      const size_t size = data_size(ref_out_type(all_ops[o], type, NULL));
      void *out = edge(f[1], count * size, last);
      if (!takes(all_ops[o], type)) continue;
      assert_int_equal(heddle_reduce_rows(ctx, all_ops[o], type, x, &rows, out, NULL), HEDDLE_OK);
    }
    uint64_t *index = (void *)edge(f[1], count * sizeof *index, last);
    assert_int_equal(heddle_argreduce_rows(ctx, HEDDLE_ARGMAX, type, x, &rows, NULL, index, NULL),
                     HEDDLE_OK);
    heddle_options mean = HEDDLE_OPTIONS_INIT;
    mean.figures = HEDDLE_FIGURES_MEAN;
    double *figure = (void *)edge(f[1], count * sizeof *figure, last);
    assert_int_equal(heddle_figure_rows(ctx, type, x, &rows, figure, &mean), HEDDLE_OK);
  }
}

static void runs_stay_inside(void **state) {
  (void)state;
  static const size_t widths[] = {1, 3, 4, 15, 33}, lines[] = {2, 9, 60}, runs[] = {2, 5, 40};
  fence f[2] = {fence_new(), fence_new()};
  for (size_t i = 0; i < CONTEXTS; i++) {
    heddle_context *ctx = open_nth(i);
    if (!ctx) continue;
    for (size_t t = 0; t < type_count; t++) {
      if (passed_over(i, all_types[t], 0)) continue;
      for (size_t w = 0; w < sizeof widths / sizeof *widths; w++)
        for (size_t k = 0; k < 3; k++)
          runs_of(ctx, all_types[t], lines[k], runs[(w + k) % 3], widths[w], 1 + w, f);
    }
    heddle_close(ctx);
  }
  fence_free(f[0]), fence_free(f[1]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reads_stay_inside),     cmocka_unit_test(rows_stay_inside),
      cmocka_unit_test(long_rows_stay_inside), cmocka_unit_test(columns_stay_inside),
      cmocka_unit_test(runs_stay_inside),
  };
  return cmocka_run_group_tests_name("guard pages", tests, NULL, NULL);
}
