/* test_runs.c - runs of equal neighbours, folds and scans of their values, against loops over the plain calls
 *
 * Method   Keys of every type with both zeros and NaN of several kinds as neighbours; runs of one element, of a
 *          few, of chunks and longer; on every instruction set and several threads. What a run folds and scans
 *          to is the reference's of its values alone. */
#include "support.h"

static machines on;

static int setup(void **state) {
  (void)state;
  machines_open(&on, 3);
  return 0;
}
static int teardown(void **state) {
  (void)state;
  machines_close(&on);
  return 0;
}

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define WHERE "%s of %zu %s keys, on %s"
#define IT(what) what, j->n, heddle_type_name(j->type), m->label
enum { CANARY = 0xa5, ROOM = 64 };

/* ---- keys ------------------------------------------------------------------------------------ */

struct job {
  heddle_type type;
  size_t n, size, runs;
  unsigned char *keys, *first; /* first: of each run, as it is */
  uint64_t *offsets;
};

static int equal(heddle_type type, const void *keys, size_t a, size_t b) {
  if (!ref_is_float(type)) return data_bits(type, keys, a) == data_bits(type, keys, b);
  const double x = ref_load(type, keys, a).f, y = ref_load(type, keys, b).f;
  return x == y || (x != x && y != y);
}

/* Runs of about `mean` elements; special: all the floats that are hard to compare. */
static struct job job_new(heddle_type type, size_t n, size_t mean, int special, size_t seed) {
  struct job j = {.type = type, .n = n, .size = data_size(type)};
  unsigned char *some = data_new(special ? DATA_SPECIAL : DATA_WIDE, type, seed, n + 1);
  unsigned char *zeros = data_new(DATA_ZEROS, type, seed, n + 1);
  j.keys = allocate(n * j.size + 1);
  j.first = allocate(n * j.size + 1);
  j.offsets = allocate((n + 1) * sizeof *j.offsets);
  size_t from = 0;
  for (size_t i = 0; i < n; i++) {
    if (data_word(seed, i) % mean == 0) from = i;
    const unsigned char *of = special && from % 3 == 0 ? zeros + i * j.size : some + from * j.size;
    memcpy(j.keys + i * j.size, of, j.size);
    const double value = ref_is_float(type) ? ref_load(type, j.keys, i).f : 0;
    if (value != value && i % 2) /* another NaN of the same run */
      data_put(type, j.keys, i, data_bits(type, j.keys, i) ^ ((uint64_t)1 << (8 * j.size - 1)));
  }
  for (size_t i = 0; i < n; i++) {
    if (i && equal(type, j.keys, i, i - 1)) continue;
    memcpy(j.first + j.runs * j.size, j.keys + i * j.size, j.size);
    j.offsets[j.runs++] = i;
  }
  j.offsets[j.runs] = n;
  free(some);
  free(zeros);
  return j;
}

static void job_free(struct job *j) { free(j->keys), free(j->first), free(j->offsets); }

static void check_count(const struct job *j, const machine *m, uint64_t runs) {
  const uint64_t want = j->runs;
  same_bytes(&want, &runs, sizeof runs, WHERE, IT("count"));
}

static void check_end(const struct job *j, const machine *m, const void *behind) {
  unsigned char canary[ROOM];
  memset(canary, CANARY, ROOM);
  same_bytes(canary, behind, ROOM, WHERE, IT("behind the outcome"));
}

/* ---- runs ------------------------------------------------------------------------------------ */

static void check_runs_on(const struct job *j, const machine *m) {
  const size_t bytes = j->n * 8 + 8 + ROOM;
  unsigned char *keys = allocate(bytes), *offsets = allocate(bytes);
  uint64_t runs = 77;
  memset(keys, CANARY, bytes);
  memset(offsets, CANARY, bytes);
  same_status(HEDDLE_OK,
              heddle_runs(m->ctx, j->type, j->keys, j->n, keys, (uint64_t *)(void *)offsets, &runs),
              WHERE, IT("runs"));
  check_count(j, m, runs);
  same_bytes(j->first, keys, j->runs * j->size, WHERE, IT("keys"));
  same_bytes(j->offsets, offsets, (j->runs + 1) * 8, WHERE, IT("offsets"));
  check_end(j, m, keys + j->runs * j->size);
  check_end(j, m, offsets + (j->runs + 1) * 8);
  runs = 77;
  same_status(HEDDLE_OK, heddle_runs(m->ctx, j->type, j->keys, j->n, NULL, NULL, &runs), WHERE,
              IT("count alone"));
  check_count(j, m, runs);
  memcpy(keys, j->keys, j->n * j->size);
  same_status(HEDDLE_OK, heddle_runs(m->ctx, j->type, keys, j->n, keys, NULL, &runs), WHERE,
              IT("in place"));
  check_count(j, m, runs);
  same_bytes(j->first, keys, j->runs * j->size, WHERE, IT("keys in place"));
  free(keys);
  free(offsets);
}

static const size_t lengths[] = {0,  1,  2,   3,   15,  16,  17,   31,    33,    63,
                                 64, 65, 127, 128, 129, 500, 1025, 16384, 16385, 33000};

static void every_key(void **state) {
  (void)state;
  static const size_t means[] = {1, 2, 5, 70, 20000};
  for (size_t t = 0; t < type_count; t++)
    for (size_t k = 0; k < COUNT(lengths); k++) {
      const size_t turn = t * 7 + k * 3;
      struct job j = job_new(all_types[t], lengths[k], means[turn % COUNT(means)], turn % 2, turn);
      for (size_t i = turn % 3; i<on.count; i += lengths[k]> 10000 ? 2 : 1)
        check_runs_on(&j, &on.of[i]);
      job_free(&j);
    }
}

static void threads(void **state) {
  (void)state;
  static const size_t means[] = {1, 3, 100, 50000};
  static const heddle_type types[] = {HEDDLE_F32, HEDDLE_U8, HEDDLE_I64, HEDDLE_BF16};
  for (size_t k = 0; k < COUNT(means); k++) {
    struct job j = job_new(types[k], 300007 / lightness(), means[k], k % 2, k);
    for (size_t i = 0; i < on.count; i++) check_runs_on(&j, &on.of[i]);
    job_free(&j);
  }
}

/* ---- by key ---------------------------------------------------------------------------------- */

#define BY "%s by key, %s of %s, %zu elements in %zu runs of %s, on %s"
#define BY_IT(what) \
  what, op_name(op), heddle_type_name(type), j->n, j->runs, heddle_type_name(j->type), m->label

/* A run of nothing but NaN that are skipped gives what such a row gives. */
static void expect_run(heddle_op op, heddle_type type, const void *in, size_t n, void *want,
                       const heddle_options *options) {
  const heddle_status status = ref_reduce(op, type, in, n, want, options);
  if (status != HEDDLE_EMPTY) {
    same_status(HEDDLE_OK, status, "reference");
    return;
  }
  const uint64_t offsets[2] = {0, n};
  heddle_rows rows = HEDDLE_ROWS_INIT;
  rows.offsets = offsets, rows.segments = 1;
  same_status(HEDDLE_OK, heddle_reduce_rows(on.of[0].ctx, op, type, in, &rows, want, options),
              "a row");
}

static void check_reduce(const struct job *j, heddle_op op, heddle_type type,
                         const heddle_options *options, size_t step) {
  const size_t size = data_size(type), out_size = data_size(ref_out_type(op, type, options));
  unsigned char *values = data_new(j->n % 2 ? DATA_HOLES : DATA_NEAR1, type, j->n, j->n + 1);
  unsigned char *want = allocate(j->runs * out_size + 1);
  const size_t bytes = j->n * out_size + ROOM;
  unsigned char *out = allocate(bytes), *keys = allocate(j->n * j->size + 1);
  for (size_t r = 0; r < j->runs; r++)
    expect_run(op, type, values + j->offsets[r] * size, (size_t)(j->offsets[r + 1] - j->offsets[r]),
               want + r * out_size, options);
  for (size_t i = 0; i < on.count; i += step) {
    const machine *m = &on.of[i];
    uint64_t runs = 77;
    memset(out, CANARY, bytes);
    memcpy(keys, j->keys, j->n * j->size);
    same_status(HEDDLE_OK,
                heddle_reduce_by_key(m->ctx, op, j->type, keys, type, values, j->n,
                                     i % 2 ? keys : NULL, out, &runs, options),
                BY, BY_IT("reduce"));
    check_count(j, m, runs);
    same_array(ref_out_type(op, type, options), want, out, j->runs, BY, BY_IT("reduce"));
    check_end(j, m, out + j->runs * out_size);
    same_bytes(i % 2 ? j->first : j->keys, keys, j->runs * j->size, BY, BY_IT("keys"));
  }
  free(values), free(want), free(out), free(keys);
}

static void check_scan(const struct job *j, heddle_op op, heddle_type type, heddle_scan_kind kind,
                       const heddle_options *options, size_t step) {
  const heddle_type out_type = options->out_type ? options->out_type : type;
  const size_t size = data_size(type), out_size = data_size(out_type);
  unsigned char *values = data_new(DATA_NEAR1, type, j->n, j->n + 1);
  unsigned char *want = allocate(j->n * out_size + 1), *out = allocate(j->n * 8 + 8);
  for (size_t r = 0; r < j->runs; r++)
    same_status(HEDDLE_OK,
                ref_scan(op, kind, type, values + j->offsets[r] * size,
                         (size_t)(j->offsets[r + 1] - j->offsets[r]),
                         want + j->offsets[r] * out_size, options),
                "reference");
  for (size_t i = 0; i < on.count; i += step) {
    const machine *m = &on.of[i];
    const int in_place = size == out_size && i % 2;
    memcpy(out, values, j->n * size);
    same_status(HEDDLE_OK,
                heddle_scan_by_key(m->ctx, kind, op, j->type, j->keys, type,
                                   in_place ? out : values, j->n, out, options),
                BY, BY_IT("scan"));
    same_array(out_type, want, out, j->n, BY, BY_IT("scan"));
  }
  free(values), free(want), free(out);
}

/* Every operator and type, over runs of every length up to some sixty. */
static void every_operator(void **state) {
  (void)state;
  size_t turn = 0;
  for (size_t t = 0; t < type_count; t++)
    for (size_t o = 0; o < op_count; o++) {
      const heddle_type type = all_types[t], keys = all_types[(t + o) % type_count];
      const heddle_op op = all_ops[o];
      if (!ref_reduces(op, type)) continue;
      turn++;
      const heddle_options options =
          make_options(nan_policies[turn % 2], HEDDLE_TYPE_DEFAULT, HEDDLE_TYPE_DEFAULT, NULL);
      struct job j = job_new(keys, 1500 + turn, 1 + turn % 40, 0, turn);
      check_reduce(&j, op, type, &options, turn % 2 + 1);
      if (ref_scans(op, type)) check_scan(&j, op, type, scan_kinds[turn % 2], &options, 2);
      job_free(&j);
    }
}

/* Types of results, an init, and an accumulator that nobody has by default. */
static void options_of_sums(void **state) {
  (void)state;
  const float half = 0.5f;
  const double one = 1;
  const int64_t seven = 7;
  struct job j = job_new(HEDDLE_I32, 2000, 6, 0, 1);
  heddle_options o =
      make_options(HEDDLE_NAN_PROPAGATE, HEDDLE_TYPE_DEFAULT, HEDDLE_TYPE_DEFAULT, &half);
  check_reduce(&j, HEDDLE_SUM, HEDDLE_F32, &o, 1);
  check_scan(&j, HEDDLE_SUM, HEDDLE_F32, HEDDLE_EXCLUSIVE, &o, 1);
  o = make_options(HEDDLE_NAN_SKIP, HEDDLE_F64, HEDDLE_F64, &one);
  check_reduce(&j, HEDDLE_PROD, HEDDLE_F32, &o, 1);
  check_scan(&j, HEDDLE_PROD, HEDDLE_F32, HEDDLE_INCLUSIVE, &o, 1);
  o = make_options(HEDDLE_NAN_PROPAGATE, HEDDLE_TYPE_DEFAULT, HEDDLE_F16, NULL);
  check_reduce(&j, HEDDLE_SUM, HEDDLE_BF16, &o, 1);
  o = make_options(HEDDLE_NAN_PROPAGATE, HEDDLE_TYPE_DEFAULT, HEDDLE_TYPE_DEFAULT, &seven);
  check_reduce(&j, HEDDLE_SUM, HEDDLE_I16, &o, 1);
  job_free(&j);
}

/* Runs over chunks of keys and of order v1, on several threads. */
static void long_runs(void **state) {
  (void)state;
  static const size_t means[] = {2, 17, 900, 9000, 100000};
  const heddle_options o =
      make_options(HEDDLE_NAN_PROPAGATE, HEDDLE_TYPE_DEFAULT, HEDDLE_TYPE_DEFAULT, NULL);
  for (size_t k = 0; k < COUNT(means); k++) {
    struct job j = job_new(HEDDLE_U32, 300007 / lightness(), means[k], 0, k);
    check_reduce(&j, HEDDLE_SUM, HEDDLE_F32, &o, 1);
    check_reduce(&j, HEDDLE_MIN, HEDDLE_F64, &o, 3);
    check_scan(&j, HEDDLE_SUM, HEDDLE_F32, HEDDLE_INCLUSIVE, &o, 2);
    job_free(&j);
  }
}

/* Each run has the bits of the plain call with the same options. */
static void exact_sums(void **state) {
  (void)state;
  heddle_options o = HEDDLE_OPTIONS_INIT;
  o.exact = 1;
  struct job made = job_new(HEDDLE_U16, 20011, 9, 0, 4), *j = &made;
  float *values = data_new(DATA_WIDE, HEDDLE_F32, 4, j->n), *want = allocate(j->runs * 4);
  float *out = allocate(j->n * 4);
  for (size_t r = 0; r < j->runs; r++)
    same_status(HEDDLE_OK,
                heddle_reduce(on.of[0].ctx, HEDDLE_SUM, HEDDLE_F32, values + j->offsets[r],
                              (size_t)(j->offsets[r + 1] - j->offsets[r]), want + r, &o),
                "plain");
  for (size_t i = 0; i < on.count; i++) {
    const machine *m = &on.of[i];
    uint64_t runs;
    same_status(HEDDLE_OK,
                heddle_reduce_by_key(m->ctx, HEDDLE_SUM, j->type, j->keys, HEDDLE_F32, values, j->n,
                                     NULL, out, &runs, &o),
                WHERE, IT("exact"));
    check_count(j, m, runs);
    same_array(HEDDLE_F32, want, out, j->runs, WHERE, IT("exact"));
  }
  free(values), free(want), free(out);
  job_free(j);
}

/* ---- what is refused ------------------------------------------------------------------------- */

static void refused(heddle_status wanted, heddle_status got, const char *words) {
  same_status(wanted, got, "%s", words);
  if (!strstr(heddle_message(), words)) fail_msg("\"%s\" lacks \"%s\"", heddle_message(), words);
}

static void refusals(void **state) {
  (void)state;
  heddle_context *ctx = open_one();
  const heddle_status bad = HEDDLE_BAD_ARGUMENT;
  float x[64] = {0}, out[64];
  uint64_t runs = 5, offsets[65];
  int32_t keys[64] = {0}, more[64];
  heddle_options o = HEDDLE_OPTIONS_INIT;
  refused(bad, heddle_runs(NULL, HEDDLE_F32, x, 8, NULL, NULL, &runs),
          "heddle_runs: `ctx` is NULL");
  refused(bad, heddle_runs(ctx, (heddle_type)99, x, 8, NULL, NULL, &runs), "`type` 99");
  refused(bad, heddle_runs(ctx, HEDDLE_F32, NULL, 8, NULL, NULL, &runs), "`in` is NULL");
  refused(bad, heddle_runs(ctx, HEDDLE_F32, x, 8, NULL, NULL, NULL), "`runs` is NULL");
  refused(bad, heddle_runs(ctx, HEDDLE_F32, x, 8, x + 1, NULL, &runs), "`keys_out` overlaps `in`");
  refused(bad, heddle_runs(ctx, HEDDLE_F32, x, 8, out, offsets, offsets + 8),
          "`runs` overlaps `offsets`");
  refused(bad, heddle_runs(ctx, HEDDLE_U8, x, SIZE_MAX / 4, NULL, offsets, &runs),
          "more than memory can hold");
  refused(bad,
          heddle_reduce_by_key(ctx, HEDDLE_SUM, (heddle_type)99, keys, HEDDLE_F32, x, 8, more, out,
                               &runs, NULL),
          "`key_type` 99");
  refused(bad,
          heddle_reduce_by_key(ctx, HEDDLE_SUM, HEDDLE_I32, NULL, HEDDLE_F32, x, 8, more, out,
                               &runs, NULL),
          "`keys` is NULL");
  refused(bad,
          heddle_reduce_by_key(ctx, HEDDLE_SUM, HEDDLE_I32, keys, HEDDLE_F32, x, 8, more, NULL,
                               &runs, NULL),
          "`values_out` is NULL");
  refused(bad,
          heddle_reduce_by_key(ctx, HEDDLE_SUM, HEDDLE_I32, keys, HEDDLE_F32, x, 8, more, x, &runs,
                               NULL),
          "`values_out` overlaps `values`");
  refused(bad,
          heddle_reduce_by_key(ctx, HEDDLE_SUM, HEDDLE_I32, keys, HEDDLE_F32, x, 8, keys + 1, out,
                               &runs, NULL),
          "`keys_out` overlaps `keys`");
  refused(bad,
          heddle_scan_by_key(ctx, (heddle_scan_kind)9, HEDDLE_SUM, HEDDLE_I32, keys, HEDDLE_F32, x,
                             8, out, NULL),
          "`kind` 9");
  refused(bad,
          heddle_scan_by_key(ctx, HEDDLE_INCLUSIVE, HEDDLE_SUM, HEDDLE_I32, keys, HEDDLE_F32, x, 8,
                             keys, NULL),
          "`out` overlaps `keys`");
  refused(bad,
          heddle_scan_by_key(ctx, HEDDLE_INCLUSIVE, HEDDLE_SUM, HEDDLE_I32, keys, HEDDLE_F32, x, 8,
                             x + 1, NULL),
          "`out` overlaps `in`");
  o.exact = 1;
  refused(HEDDLE_UNSUPPORTED,
          heddle_scan_by_key(ctx, HEDDLE_INCLUSIVE, HEDDLE_SUM, HEDDLE_I32, keys, HEDDLE_F32, x, 8,
                             out, &o),
          "`options->exact`");
  assert_int_equal(runs, 5);
  heddle_close(ctx);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_key),      cmocka_unit_test(threads),
      cmocka_unit_test(every_operator), cmocka_unit_test(options_of_sums),
      cmocka_unit_test(long_runs),      cmocka_unit_test(exact_sums),
      cmocka_unit_test(refusals)};
  return cmocka_run_group_tests(tests, setup, teardown);
}
