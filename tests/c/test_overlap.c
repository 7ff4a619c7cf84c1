/* test_overlap.c - outputs that overlap what is read, or one another: refused by name before a byte
 * is written, on host and device memory; what only looks like it is not
 *
 * Method   All arrays of a call are cut out of one arena, which must stay as it was. Of strided
 *          arrays, every place of the output is compared with a walk over all elements. */
#define STAGED_OWN_NAMES /* the arena is moved as a whole, or not at all */
#include "support.h"

enum { ARENA = 8192 };
static unsigned char filled[ARENA];
static unsigned char host[ARENA];
static unsigned char *arena; /* host, or device memory */
static heddle_context *ctx;

static void fill(void) {
  uint64_t seed = 77;
  for (size_t i = 0; i < ARENA; i++) {
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    filled[i] = (unsigned char)(seed >> 56);
  }
}

static void put(void) {
  if (arena == host)
    memcpy(host, filled, ARENA);
  else
    assert_int_equal(heddle_copy(ctx, arena, filled, ARENA), HEDDLE_OK);
}

static void unchanged(const char *call) {
  unsigned char seen[ARENA];
  if (arena != host) {
    assert_int_equal(heddle_copy(ctx, seen, arena, ARENA), HEDDLE_OK);
    assert_int_equal(heddle_sync(ctx), HEDDLE_OK);
  } else {
    memcpy(seen, host, ARENA);
  }
  for (size_t i = 0; i < ARENA; i++)
    if (seen[i] != filled[i]) fail_msg("%s wrote byte %zu", call, i);
}

static void refuse(heddle_status got, const char *out, const char *other, const char *call) {
  char words[128];
  snprintf(words, sizeof words, "`%s` overlaps `%s`", out, other);
  if (got != HEDDLE_BAD_ARGUMENT)
    fail_msg("%s gave %s where %s", call, heddle_status_name(got), words);
  if (!strstr(heddle_message(), words))
    fail_msg("%s: the message is not about %s: %s", call, words, heddle_message());
  unchanged(call);
}
#define REFUSE(out, other, call) refuse((call), out, other, #call)

static void *at(size_t byte) { return arena + byte; }

static void histograms(void **state) {
  (void)state;
  enum { BINS = 16, IN = 1024, COUNTS = 2048, SUMS = 4096, WEIGHTS = 6144 };
  const heddle_bins even = {sizeof even, HEDDLE_BINS_EVEN, BINS, 0, 1, 0, NULL, 0};
  heddle_histogram_options o = HEDDLE_HISTOGRAM_OPTIONS_INIT;
  const heddle_type u8 = HEDDLE_U8;
  put();
  REFUSE("counts", "in", heddle_histogram(ctx, u8, at(IN), 512, &even, at(IN + 504), NULL, NULL));
  REFUSE("counts", "in", heddle_histogram(ctx, u8, at(IN), 512, &even, at(IN - 120), NULL, NULL));
  o.weights = at(WEIGHTS);
  o.weights_type = u8;
  o.weight_exponent = 8;
  o.sums = at(IN + 8);
  REFUSE("sums", "in", heddle_histogram(ctx, u8, at(IN), 512, &even, at(COUNTS), NULL, &o));
  o.sums = at(WEIGHTS - 8);
  REFUSE("sums", "options->weights",
         heddle_histogram(ctx, u8, at(IN), 512, &even, at(COUNTS), NULL, &o));
  o.sums = at(SUMS);
  REFUSE("counts", "options->weights",
         heddle_histogram(ctx, u8, at(IN), 512, &even, at(WEIGHTS + 256), NULL, &o));
  REFUSE("sums", "counts",
         heddle_histogram(ctx, u8, at(IN), 512, &even, at(SUMS + 8 * BINS - 8), NULL, &o));
  o.channels = 4; /* four tables: the last one reaches farther */
  REFUSE("sums", "counts",
         heddle_histogram(ctx, u8, at(IN), 512, &even, at(SUMS - 3 * 8 * BINS - 8), NULL, &o));
  if (arena == host) {
    heddle_histogram_result *result = at(COUNTS + 8);
    result->size = sizeof *result;
    memcpy(filled, host, ARENA);
    REFUSE("result", "counts",
           heddle_histogram(ctx, u8, at(IN), 512, &even, at(COUNTS), result, NULL));
    heddle_state *s;
    assert_int_equal(heddle_histogram_begin(ctx, u8, &even, NULL, &s), HEDDLE_OK);
    REFUSE("result", "counts", heddle_histogram_finish(s, at(COUNTS), result, NULL));
    heddle_state_free(s);
  }
  o = (heddle_histogram_options)HEDDLE_HISTOGRAM_OPTIONS_INIT;
  o.weights = at(WEIGHTS);
  o.weights_type = u8;
  o.weight_exponent = 8;
  o.sums = at(COUNTS + 8 * BINS); /* arrays may touch */
  assert_int_equal(heddle_histogram(ctx, u8, at(COUNTS - 512), 512, &even, at(COUNTS), NULL, &o),
                   HEDDLE_OK);
  assert_int_equal(heddle_sync(ctx), HEDDLE_OK);
}

/* Edges are host memory, so counts that overlap them are, too. */
static void explicit_edges(void **state) {
  (void)state;
  double edges[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  const double before[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  const unsigned char x[4] = {1, 2, 3, 4};
  const heddle_bins bins = {sizeof bins, HEDDLE_BINS_EDGES, 7, 0, 0, 0, edges, 0};
  void *inside = &edges[7];
  put();
  REFUSE("counts", "bins->edges",
         heddle_histogram(ctx, HEDDLE_U8, x, 4, &bins, inside, NULL, NULL));
  assert_memory_equal(edges, before, sizeof edges);
  assert_int_equal(heddle_histogram_edges(HEDDLE_U8, &bins, edges), HEDDLE_OK);
  assert_memory_equal(edges, before, sizeof edges);
}

static void folds(void **state) {
  (void)state;
  const uint64_t cuts[] = {0, 10, 30, 60};
  const size_t shape[] = {4, 8};
  const float zero = 0;
  heddle_rows axis = HEDDLE_ROWS_INIT, segments = HEDDLE_ROWS_INIT;
  axis.dims = 2, axis.axis = 1, axis.shape = shape;
  segments.offsets = cuts, segments.segments = 3;
  const heddle_op sum = HEDDLE_SUM;
  const heddle_type f32 = HEDDLE_F32;
  put();
  REFUSE("value", "index",
         heddle_argreduce(ctx, HEDDLE_ARGMIN, f32, at(0), 9, at(1004), at(1000), NULL));
  for (int s = 0; s < 2; s++) {
    const heddle_rows *r = s ? &segments : &axis;
    REFUSE("out", "in", heddle_reduce_rows(ctx, sum, f32, at(64), r, at(64 + 124), NULL));
    REFUSE("out", "in", heddle_reduce_rows(ctx, sum, f32, at(64), r, at(64), NULL));
    REFUSE("out", "x", heddle_dot_rows(ctx, f32, at(64), at(1024), r, at(68), NULL));
    REFUSE("out", "y", heddle_dot_rows(ctx, f32, at(64), at(1024), r, at(1028), NULL));
    REFUSE("index", "in",
           heddle_argreduce_rows(ctx, HEDDLE_ARGMAX, f32, at(64), r, at(2048), at(64), NULL));
    REFUSE("value", "in",
           heddle_argreduce_rows(ctx, HEDDLE_ARGMAX, f32, at(64), r, at(64), at(2048), NULL));
    REFUSE("value", "index",
           heddle_argreduce_rows(ctx, HEDDLE_ARGMAX, f32, at(64), r, at(2056), at(2048), NULL));
    heddle_options o = HEDDLE_OPTIONS_INIT;
    float out[4] = {zero, 1, 2, 3};
    o.init = &out[1];
    REFUSE("out", "options->init", heddle_reduce_rows(ctx, sum, f32, at(64), r, out, &o));
    REFUSE("out", "options->init",
           heddle_scan(ctx, sum, HEDDLE_INCLUSIVE, f32, at(64), 4, out, &o));
    assert_true(out[0] == 0 && out[1] == 1 && out[3] == 3);
  }
  uint64_t own[] = {0, 10, 30, 60};
  segments.offsets = own;
  REFUSE("out", "rows->offsets",
         heddle_reduce_rows(ctx, sum, f32, at(64), &segments, &own[3], NULL));
  assert_int_equal(own[3], 60);
}

static void conversions(void **state) {
  (void)state;
  if (arena != host) return;
  put();
  REFUSE("out", "in", heddle_convert(HEDDLE_F32, at(64), HEDDLE_F64, at(64), 4));
  REFUSE("out", "in", heddle_convert(HEDDLE_F32, at(64), HEDDLE_F64, at(48), 4));
  REFUSE("out", "in", heddle_convert(HEDDLE_F64, at(64), HEDDLE_F32, at(68), 4));
  const double x[] = {3, -4, 5, 6};
  const float y[] = {3, -4, 5, 6};
  memcpy(at(64), x, sizeof x); /* in place where elements do not grow */
  assert_int_equal(heddle_convert(HEDDLE_F64, at(64), HEDDLE_F32, at(64), 4), HEDDLE_OK);
  assert_memory_equal(at(64), y, sizeof y);
}

/* Whether any of `bytes` bytes from `low` on is one of an element's: by walking all of them. */
static int is_read(const heddle_rows *r, size_t base, size_t low, size_t bytes) {
  size_t index[3] = {0, 0, 0};
  for (;;) {
    ptrdiff_t element = 0;
    for (size_t d = 0; d < r->dims; d++) element += (ptrdiff_t)index[d] * r->strides[d];
    const size_t byte = (size_t)((ptrdiff_t)base + 4 * element);
    if (byte < low + bytes && byte + 4 > low) return 1;
    size_t d = r->dims;
    while (d-- > 0 && ++index[d] == r->shape[d]) index[d] = 0;
    if (d == SIZE_MAX) return 0;
  }
}

/* An output in the gaps of a strided array is no overlap; on an element it is. */
static void gaps(void **state) {
  (void)state;
  static const struct {
    size_t shape[3];
    ptrdiff_t strides[3];
  } cases[] = {
      {{2, 2, 3}, {60, 24, 2}},  {{3, 2, 2}, {2, -40, 16}}, {{2, 3, 2}, {-64, 20, -3}},
      {{1, 2, 4}, {999, 40, 1}}, {{2, 2, 2}, {0, 48, 9}},   {{2, 1, 2}, {90, -7, 30}},
  };
  enum { BASE = 2048 };
  for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
    heddle_rows r = HEDDLE_ROWS_INIT;
    r.dims = 3, r.shape = cases[c].shape, r.strides = cases[c].strides;
    for (r.axis = 0; r.axis < 3; r.axis++) {
      const size_t rows = r.shape[0] * r.shape[1] * r.shape[2] / r.shape[r.axis];
      const size_t elements = rows * r.shape[r.axis];
      for (size_t low = BASE - 600; low < BASE + 600; low += 4) {
        put();
        heddle_status got =
            heddle_reduce_rows(ctx, HEDDLE_SUM, HEDDLE_F32, at(BASE), &r, at(low), NULL);
        if (is_read(&r, BASE, low, rows * 4))
          refuse(got, "out", "in", "heddle_reduce_rows");
        else
          assert_int_equal(got, HEDDLE_OK);
        put();
        got = heddle_scan_rows(ctx, HEDDLE_SUM, HEDDLE_INCLUSIVE, HEDDLE_F32, at(BASE), &r, at(low),
                               NULL);
        if (is_read(&r, BASE, low, elements * 4))
          refuse(got, "out", "in", "heddle_scan_rows");
        else
          assert_int_equal(got, HEDDLE_OK);
      }
    }
  }
}

/* Rows in place: of an array in C order, not of one that is read in another order. */
static void scans_in_place(void **state) {
  (void)state;
  const size_t shape[] = {4, 6};
  const ptrdiff_t c_order[] = {6, 1}, transposed[] = {1, 4};
  heddle_rows r = HEDDLE_ROWS_INIT;
  r.dims = 2, r.shape = shape, r.strides = transposed;
  for (r.axis = 0; r.axis < 2; r.axis++) {
    put();
    r.strides = transposed;
    REFUSE(
        "out", "in",
        heddle_scan_rows(ctx, HEDDLE_SUM, HEDDLE_INCLUSIVE, HEDDLE_I32, at(64), &r, at(64), NULL));
    r.strides = r.axis ? c_order : NULL;
    assert_int_equal(
        heddle_scan_rows(ctx, HEDDLE_SUM, HEDDLE_INCLUSIVE, HEDDLE_I32, at(64), &r, at(64), NULL),
        HEDDLE_OK);
  }
}

static int setup(void **state) {
  (void)state;
  void *device = NULL;
  ctx = open_one();
  fill();
  arena = host;
  if (one_is_cpu()) return 0;
  if (heddle_device_alloc(ctx, ARENA, &device) != HEDDLE_OK) return -1;
  arena = device;
  return 0;
}
static int teardown(void **state) {
  (void)state;
  if (arena != host && heddle_device_free(ctx, arena) != HEDDLE_OK) return -1;
  heddle_close(ctx);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(histograms), cmocka_unit_test(explicit_edges),
      cmocka_unit_test(folds),      cmocka_unit_test(conversions),
      cmocka_unit_test(gaps),       cmocka_unit_test(scans_in_place),
  };
  return cmocka_run_group_tests_name("overlap", tests, setup, teardown);
}
