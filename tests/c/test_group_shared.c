/* test_group_shared.c - arrays of the host that a group shares: rows, pieces, tables, exact sums
 *
 * Method   four software devices, arrays that are large enough for all four; every result has the CPU's bits.
 *          Pieces come from the host and from the memory of each device in turn. */
#include "support.h"

enum { DEVICES = 4, N = 300000 };

static heddle_context *cpu, *group, *owner[DEVICES];

static heddle_context *opened(const char *name) {
  heddle_context *ctx = NULL;
  if (heddle_open(name, &ctx)) fail_msg("%s: %s", name, heddle_message());
  return ctx;
}

static int setup(void **unused) {
  (void)unused;
  (void)setenv("SIMT_DEVICES", "4", 1);
  cpu = opened("cpu:1");
  group = opened("simt:all");
  for (int d = 0; d < DEVICES; d++) {
    char name[24];
    (void)snprintf(name, sizeof name, "simt:%d", d);
    owner[d] = opened(name);
  }
  return 0;
}

static int teardown(void **unused) {
  (void)unused;
  for (int d = 0; d < DEVICES; d++) heddle_close(owner[d]);
  heddle_close(group);
  heddle_close(cpu);
  return 0;
}

#define OK(call) same_status(HEDDLE_OK, call, "line %d: %s", __LINE__, heddle_message())

/* ---- rows ------------------------------------------------------------------------------------- */

struct shape {
  size_t dims, axis, shape[3];
  int64_t strides[3]; /* 0: none are given */
  size_t first;       /* element */
};
static const struct shape shapes[] = {{2, 1, {600, 500, 1}, {0, 0, 0}, 0},
                                      {2, 0, {600, 500, 1}, {0, 0, 0}, 0},
                                      {3, 1, {7, 300, 142}, {0, 0, 0}, 0},
                                      {3, 2, {3, 101, 990}, {0, 0, 0}, 0},
                                      {3, 0, {300, 10, 100}, {0, 0, 0}, 0},
                                      {1, 0, {N, 1, 1}, {0, 0, 0}, 0},
                                      {2, 1, {500, 300, 1}, {-300, 1, 0}, 499 * 300},
                                      {2, 1, {499, 300, 1}, {1, 500, 0}, 0},
                                      {2, 1, {2, 140000, 1}, {0, 0, 0}, 0}};

static size_t rows_of(const struct shape *s) {
  size_t rows = 1;
  for (size_t d = 0; d < s->dims; d++)
    if (d != s->axis) rows *= s->shape[d];
  return rows;
}

struct row_results {
  float *sum, *scan, *exact, *mean;
  uint64_t *place;
  heddle_description *description;
};

static void call_rows(heddle_context *ctx, const float *x, const float *y, const heddle_rows *rows,
                      struct row_results *r) {
  heddle_options exact = HEDDLE_OPTIONS_INIT, skip = HEDDLE_OPTIONS_INIT;
  exact.exact = 1;
  skip.nan = HEDDLE_NAN_SKIP;
  OK(heddle_dot_rows(ctx, HEDDLE_F32, x, y, rows, r->mean, NULL));
  OK(heddle_reduce_rows(ctx, HEDDLE_SUM, HEDDLE_F32, x, rows, r->sum, NULL));
  OK(heddle_reduce_rows(ctx, HEDDLE_SUM, HEDDLE_F32, x, rows, r->exact, &exact));
  OK(heddle_argreduce_rows(ctx, HEDDLE_ARGMAX, HEDDLE_F32, x, rows, NULL, r->place, &skip));
  OK(heddle_describe_rows(ctx, HEDDLE_F32, x, rows, r->description, NULL));
  OK(heddle_scan_rows(ctx, HEDDLE_SUM, HEDDLE_INCLUSIVE, HEDDLE_F32, x, rows, r->scan, NULL));
}

static void compare_rows(const float *x, const float *y, const heddle_rows *rows, size_t n,
                         size_t count, const char *what) {
  struct row_results r[2];
  for (int i = 0; i < 2; i++) {
    r[i] = (struct row_results){allocate(4 * n + 4), allocate(4 * count + 4),
                                allocate(4 * n + 4), allocate(4 * n + 4),
                                allocate(8 * n + 8), calloc(n + 1, sizeof(heddle_description))};
    for (size_t k = 0; k < n; k++) r[i].description[k].size = sizeof(heddle_description);
    memset(r[i].scan, 0, 4 * count);
    call_rows(i ? group : cpu, x, y, rows, &r[i]);
  }
  same_array(HEDDLE_F32, r[0].sum, r[1].sum, n, "%s: sums", what);
  same_array(HEDDLE_F32, r[0].exact, r[1].exact, n, "%s: exact sums", what);
  same_array(HEDDLE_F32, r[0].mean, r[1].mean, n, "%s: dots", what);
  same_array(HEDDLE_U64, r[0].place, r[1].place, n, "%s: places", what);
  same_array(HEDDLE_F32, r[0].scan, r[1].scan, count, "%s: running totals", what);
  for (size_t k = 0; k < n; k++)
    same_description(&r[0].description[k], &r[1].description[k], "%s: row %zu", what, k);
  for (int i = 0; i < 2; i++) {
    free(r[i].sum), free(r[i].scan), free(r[i].exact), free(r[i].mean), free(r[i].place);
    free(r[i].description);
  }
}

static void rows(void **unused) {
  (void)unused;
  float *x = data_new(DATA_WIDE, HEDDLE_F32, 3, N), *y = data_new(DATA_WIDE, HEDDLE_F32, 4, N);
  for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
    const struct shape *shape = &shapes[s];
    heddle_rows rows = HEDDLE_ROWS_INIT;
    char what[32];
    rows.dims = shape->dims, rows.axis = shape->axis, rows.shape = shape->shape;
    if (shape->strides[1]) rows.strides = shape->strides;
    (void)snprintf(what, sizeof what, "shape %zu", s);
    compare_rows(x + shape->first, y + shape->first, &rows, rows_of(shape),
                 rows_of(shape) * shape->shape[shape->axis], what);
  }
  free(x);
  free(y);
}

/* Ragged, with empty segments, and one that has most elements. */
static void segments(void **unused) {
  (void)unused;
  enum { SEGMENTS = 1000 };
  static uint64_t offsets[SEGMENTS + 1];
  float *x = data_new(DATA_WIDE, HEDDLE_F32, 3, N), *y = data_new(DATA_WIDE, HEDDLE_F32, 4, N);
  for (int huge = 0; huge < 2; huge++) {
    uint64_t at = 5;
    for (size_t i = 0; i <= SEGMENTS; i++) {
      offsets[i] = at;
      at += huge && i == 700       ? 250000
            : data_word(7, i) % 10 ? data_word(8, i) % (huge ? 90 : 400)
                                   : 0;
      if (at > N) at = N;
    }
    heddle_rows rows = HEDDLE_ROWS_INIT;
    heddle_options skip = HEDDLE_OPTIONS_INIT;
    float *sums[2], *scans[2], *dots[2];
    rows.offsets = offsets, rows.segments = SEGMENTS;
    skip.nan = HEDDLE_NAN_SKIP;
    for (int i = 0; i < 2; i++) {
      heddle_context *ctx = i ? group : cpu;
      sums[i] = allocate(4 * SEGMENTS), scans[i] = allocate(4 * N),
      dots[i] = allocate(4 * SEGMENTS);
      memset(scans[i], 0, 4 * N);
      OK(heddle_reduce_rows(ctx, HEDDLE_SUM, HEDDLE_F32, x, &rows, sums[i], NULL));
      OK(heddle_dot_rows(ctx, HEDDLE_F32, x, y, &rows, dots[i], NULL));
      OK(heddle_scan_rows(ctx, HEDDLE_SUM, HEDDLE_EXCLUSIVE, HEDDLE_F32, x, &rows, scans[i],
                          &skip));
    }
    same_array(HEDDLE_F32, sums[0], sums[1], SEGMENTS, "sums of segments, huge %d", huge);
    same_array(HEDDLE_F32, dots[0], dots[1], SEGMENTS, "dots of segments, huge %d", huge);
    same_array(HEDDLE_F32, scans[0], scans[1], N, "running totals of segments, huge %d", huge);
    for (int i = 0; i < 2; i++) free(sums[i]), free(scans[i]), free(dots[i]);
  }
  free(x);
  free(y);
}

/* ---- pieces ----------------------------------------------------------------------------------- */

/* Updates of every length, from the host or a device by turns. */
static void update(heddle_state *state, int verb, const float *x, const float *y, size_t n, int d) {
  void *a = (void *)(uintptr_t)x, *b = (void *)(uintptr_t)y;
  if (d >= 0) {
    OK(heddle_device_alloc(owner[d], 4 * n, &a));
    OK(heddle_copy(owner[d], a, x, 4 * n));
    OK(heddle_device_alloc(owner[d], 4 * n, &b));
    OK(heddle_copy(owner[d], b, y, 4 * n));
  }
  if (verb == 0) OK(heddle_reduce_update(state, a, n));
  if (verb == 1) OK(heddle_argreduce_update(state, a, n));
  if (verb == 2) OK(heddle_dot_update(state, a, b, n));
  if (verb == 3) OK(heddle_describe_update(state, a, n));
  if (d < 0) return;
  OK(heddle_device_free(owner[d], a));
  OK(heddle_device_free(owner[d], b));
}

static heddle_state *begun(heddle_context *ctx, int verb) {
  heddle_state *state;
  const float init = 2.5f;
  heddle_options options = HEDDLE_OPTIONS_INIT;
  options.init = &init;
  if (verb == 0) OK(heddle_reduce_begin(ctx, HEDDLE_SUM, HEDDLE_F32, &options, &state));
  if (verb == 1) OK(heddle_argreduce_begin(ctx, HEDDLE_ARGMIN, HEDDLE_F32, NULL, &state));
  if (verb == 2) OK(heddle_dot_begin(ctx, HEDDLE_F32, NULL, &state));
  if (verb == 3) OK(heddle_describe_begin(ctx, HEDDLE_F32, NULL, &state));
  return state;
}

struct finished {
  float value;
  uint64_t index;
  heddle_description description;
};
static struct finished finish(heddle_state *state, int verb) {
  struct finished f;
  memset(&f, 0, sizeof f);
  f.description.size = sizeof f.description;
  if (verb == 0) OK(heddle_reduce_finish(state, &f.value));
  if (verb == 1) OK(heddle_argreduce_finish(state, &f.value, &f.index));
  if (verb == 2) OK(heddle_dot_finish(state, &f.value));
  if (verb == 3) OK(heddle_describe_finish(state, &f.description));
  return f;
}

static void pieces(void **unused) {
  (void)unused;
  static const size_t lengths[] = {1, 2046, 1, 1, 5000, 0, 2047, 2049, 200000, 3, 700, 70000};
  float *x = data_new(DATA_WIDE, HEDDLE_F32, 3, N), *y = data_new(DATA_WIDE, HEDDLE_F32, 4, N);
  for (int verb = 0; verb < 4; verb++) {
    heddle_state *there = begun(group, verb), *here = begun(cpu, verb);
    size_t at = 0;
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
      const int d = lengths[i] && lengths[i] < 60000 ? (int)(i % 5) - 1 : -1;
      update(there, verb, x + at, y + at, lengths[i], d);
      update(here, verb, x + at, y + at, lengths[i], -1);
      at += lengths[i];
      const struct finished got = finish(there, verb), expected = finish(here, verb);
      same_bytes(&expected, &got, sizeof got, "verb %d, %zu elements", verb, at);
    }
    heddle_state_free(there);
    heddle_state_free(here);
  }
  free(x);
  free(y);
}

/* ---- tables, exact sums ------------------------------------------------------------------------- */

static void histograms(void **unused) {
  (void)unused;
  float *x = data_new(DATA_SPECIAL, HEDDLE_F32, 3, N), *w = data_new(DATA_WIDE, HEDDLE_F32, 4, N);
  for (int weighted = 0; weighted < 2; weighted++)
    for (int channels = 1; channels < 4; channels += 2) {
      static uint64_t counts[2][3 * 50];
      static double sums[2][3 * 50];
      heddle_histogram_result result[2][3] = {
          {HEDDLE_HISTOGRAM_RESULT_INIT, HEDDLE_HISTOGRAM_RESULT_INIT,
           HEDDLE_HISTOGRAM_RESULT_INIT},
          {HEDDLE_HISTOGRAM_RESULT_INIT, HEDDLE_HISTOGRAM_RESULT_INIT,
           HEDDLE_HISTOGRAM_RESULT_INIT}};
      for (int i = 0; i < 2; i++) {
        heddle_bins bins = HEDDLE_BINS_INIT;
        heddle_histogram_options options = HEDDLE_HISTOGRAM_OPTIONS_INIT;
        bins.kind = channels == 1 ? HEDDLE_BINS_LOG : HEDDLE_BINS_EVEN;
        bins.count = 50, bins.auto_range = 1;
        options.channels = (size_t)channels;
        if (weighted)
          options.weights = w, options.weights_type = HEDDLE_F32, options.sums = sums[i];
        OK(heddle_histogram(i ? group : cpu, HEDDLE_F32, x, N, &bins, counts[i], result[i],
                            &options));
      }
      same_bytes(counts[0], counts[1], sizeof counts[0], "counts, weighted %d", weighted);
      same_bytes(sums[0], sums[1], sizeof sums[0], "sums");
      same_bytes(result[0], result[1], sizeof result[0], "results");
    }
  free(x);
  free(w);
}

static void exact(void **unused) {
  (void)unused;
  float *x = data_new(DATA_WIDE, HEDDLE_F32, 3, N), *y = data_new(DATA_WIDE, HEDDLE_F32, 4, N);
  double got[2][3];
  for (int i = 0; i < 2; i++) {
    heddle_context *ctx = i ? group : cpu;
    const double init = 0.1;
    heddle_options options = HEDDLE_OPTIONS_INIT;
    heddle_state *state;
    options.exact = 1, options.out_type = HEDDLE_F64, options.init = &init;
    OK(heddle_reduce(ctx, HEDDLE_SUM, HEDDLE_F32, x, N, &got[i][0], &options));
    OK(heddle_dot(ctx, HEDDLE_F32, x, y, N, &got[i][1], &options));
    OK(heddle_reduce_begin(ctx, HEDDLE_SUM, HEDDLE_F32, &options, &state));
    OK(heddle_reduce_update(state, x, 7));
    OK(heddle_reduce_update(state, x + 7, N - 7));
    OK(heddle_reduce_finish(state, &got[i][2]));
    heddle_state_free(state);
  }
  same_bytes(got[0], got[1], sizeof got[0], "exact sums");
  free(x);
  free(y);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rows), cmocka_unit_test(segments),
                                     cmocka_unit_test(pieces), cmocka_unit_test(histograms),
                                     cmocka_unit_test(exact)};
  return cmocka_run_group_tests(tests, setup, teardown);
}
