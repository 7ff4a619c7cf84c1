/* test_parts_tables.c - running totals, histograms and exact sums of arrays in parts
 *
 * As test_parts.c. Scans write to parts of their own or to those that they read. */
#include "custom_sources.h"
#include "laid.h"

/* ---- scans ------------------------------------------------------------------------------------ */

struct scan_job {
  heddle_op op;
  heddle_type type, acc;
  heddle_nan nan;
  int init;
};

static void check_scan(const struct scan_job *job, heddle_scan_kind kind, size_t n, size_t c) {
  static const float one = 1.5f;
  heddle_options options = make_options(job->nan, job->acc, HEDDLE_TYPE_DEFAULT, NULL);
  if (job->init) options.init = &one;
  heddle_type acc, out;
  assert_int_equal(heddle_result_type(HEDDLE_SCAN, job->op, job->type, &options, &out, &acc),
                   HEDDLE_OK);
  const size_t size = data_size(job->type), out_size = data_size(out);
  char *x = data_new(c % 2 ? DATA_HOLES : DATA_WIDE, job->type, 5 + n, n + 1);
  char *expected = allocate((n + 1) * out_size), *got = allocate((n + 1) * out_size);
  size_t end[LAID_PARTS];
  const size_t parts = laid_cut(n, 1, end);
  const int in_place = size == out_size && laid_draw(2);
  struct laid in, to;
  assert_int_equal(heddle_scan(laid_cpu, job->op, kind, job->type, x, n, expected, &options),
                   HEDDLE_OK);
  laid_lay(&in, c, x, size, parts, end, NULL);
  if (!in_place) laid_lay(&to, c, expected, out_size, parts, end, &in);
  for (size_t p = 0; !in_place && p < parts; p++)
    if (to.device[p] < 0 && to.part[p].count)
      memset(to.memory[p], 0x5A, to.part[p].count * out_size);
  same_status(HEDDLE_OK,
              heddle_scan_parts(laid_on[c], job->op, kind, job->type, &in.parts,
                                in_place ? &in.parts : &to.parts, &options),
              "context %zu: %s", c, heddle_message());
  laid_fetch(in_place ? &in : &to, got);
  same_array(out, expected, got, n,
             "context %zu, operator %d, kind %d, %s, %zu elements in %zu parts%s", c, (int)job->op,
             (int)kind, heddle_type_name(job->type), n, parts, in_place ? ", in place" : "");
  laid_drop(&in);
  if (!in_place) laid_drop(&to);
  free(got);
  free(expected);
  free(x);
}

static const struct scan_job scans[] = {
    {HEDDLE_SUM, HEDDLE_F32, HEDDLE_TYPE_DEFAULT, HEDDLE_NAN_PROPAGATE, 0},
    {HEDDLE_SUM, HEDDLE_F32, HEDDLE_TYPE_DEFAULT, HEDDLE_NAN_SKIP, 1},
    {HEDDLE_SUM, HEDDLE_F64, HEDDLE_TYPE_DEFAULT, HEDDLE_NAN_PROPAGATE, 0},
    {HEDDLE_SUM, HEDDLE_I32, HEDDLE_TYPE_DEFAULT, HEDDLE_NAN_PROPAGATE, 0},
    {HEDDLE_MAX, HEDDLE_F32, HEDDLE_TYPE_DEFAULT, HEDDLE_NAN_PROPAGATE, 0},
};
static const size_t lengths[] = {0, 1, 2, 1023, 1024, 1025, 2048, 2049, 4097, 9000, 40001};

static void running_totals(void **unused) {
  (void)unused;
  for (size_t j = 0; j < sizeof scans / sizeof *scans; j++)
    for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++)
      for (size_t c = 0; c < laid_contexts; c++) {
        check_scan(&scans[j], HEDDLE_INCLUSIVE, lengths[l], c);
        if ((j + l) % 2) check_scan(&scans[j], HEDDLE_EXCLUSIVE, lengths[l], c);
      }
}

/* ---- histograms ------------------------------------------------------------------------------- */

struct bins_job {
  heddle_binning kind;
  int auto_range;
  size_t count, channels;
  heddle_type type, weights;
  int exponent, exact;
};
static const struct bins_job histograms[] = {
    {HEDDLE_BINS_EVEN, 0, 37, 1, HEDDLE_F32, HEDDLE_TYPE_DEFAULT, 0, 0},
    {HEDDLE_BINS_EVEN, 1, 37, 1, HEDDLE_F32, HEDDLE_TYPE_DEFAULT, 0, 0},
    {HEDDLE_BINS_EVEN, 1, 10, 3, HEDDLE_F64, HEDDLE_TYPE_DEFAULT, 0, 0},
    {HEDDLE_BINS_INTEGER, 0, 256, 1, HEDDLE_U8, HEDDLE_TYPE_DEFAULT, 0, 0},
    {HEDDLE_BINS_EVEN, 0, 20, 1, HEDDLE_F32, HEDDLE_F32, HEDDLE_FIND_EXPONENT, 0},
    {HEDDLE_BINS_LOG, 1, 20, 2, HEDDLE_F32, HEDDLE_F64, HEDDLE_FIND_EXPONENT, 0},
    {HEDDLE_BINS_EVEN, 0, 20, 1, HEDDLE_I32, HEDDLE_F32, 70, 0},
    {HEDDLE_BINS_EVEN, 0, 20, 1, HEDDLE_F32, HEDDLE_F32, HEDDLE_FIND_EXPONENT, 1},
    {HEDDLE_BINS_EVEN, 1, 20, 2, HEDDLE_F64, HEDDLE_F64, HEDDLE_FIND_EXPONENT, 1}};

enum { TABLE = 1024 };
struct tables {
  uint64_t counts[TABLE];
  double sums[TABLE];
  heddle_histogram_result result[4];
};

static void clear(struct tables *t) {
  memset(t, 0, sizeof *t);
  for (int i = 0; i < 4; i++) t->result[i].size = sizeof t->result[i];
}

static void check_histogram(const struct bins_job *job, enum data_kind kind, size_t n, size_t c) {
  const int weighted = job->weights != HEDDLE_TYPE_DEFAULT;
  const size_t size = data_size(job->type), weight_size = weighted ? data_size(job->weights) : 1;
  heddle_bins bins = HEDDLE_BINS_INIT;
  heddle_histogram_options options = HEDDLE_HISTOGRAM_OPTIONS_INIT;
  static struct tables expected, got;
  bins.kind = job->kind, bins.count = job->count, bins.auto_range = job->auto_range;
  bins.lo = -3, bins.hi = 4;
  if (job->kind == HEDDLE_BINS_LOG) bins.lo = 1e-3, bins.hi = 1e3;
  n -= n % job->channels;
  char *x = data_new(kind, job->type, 3, n + 1);
  char *w = data_new(DATA_WIDE, weighted ? job->weights : HEDDLE_F32, 4, n + 1);
  options.channels = job->channels, options.weights_type = job->weights;
  options.weight_exponent = job->exponent, options.exact = job->exact;
  options.weights = weighted && n ? w : NULL;
  clear(&expected);
  clear(&got);
  options.sums = weighted ? expected.sums : NULL;
  const heddle_status status = heddle_histogram(laid_cpu, job->type, x, n, &bins, expected.counts,
                                                expected.result, &options);
  size_t end[LAID_PARTS];
  const size_t parts = laid_cut(n, job->channels, end);
  struct laid in, weights;
  laid_lay(&in, c, x, size, parts, end, NULL);
  if (weighted) laid_lay(&weights, c, w, weight_size, parts, end, &in);
  options.weights = NULL;
  options.sums = weighted ? got.sums : NULL;
  same_status(status,
              heddle_histogram_parts(laid_on[c], job->type, &in.parts,
                                     weighted ? &weights.parts : NULL, &bins, got.counts,
                                     got.result, &options),
              "context %zu: %s", c, heddle_message());
  same_bytes(&expected, &got, sizeof got, "context %zu, bins %d, %s, %zu elements in %zu parts", c,
             (int)job->kind, heddle_type_name(job->type), n, parts);
  laid_drop(&in);
  if (weighted) laid_drop(&weights);
  free(w);
  free(x);
}

static void tables(void **unused) {
  (void)unused;
  for (size_t j = 0; j < sizeof histograms / sizeof *histograms; j++)
    for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++)
      for (size_t c = 0; c < laid_contexts; c++)
        check_histogram(&histograms[j], l % 2 ? DATA_SPECIAL : DATA_HOLES, lengths[l], c);
}

/* ---- exact sums ------------------------------------------------------------------------------- */

static void exact(void **unused) {
  (void)unused;
  static const heddle_type types[] = {HEDDLE_F32, HEDDLE_F64, HEDDLE_BF16};
  for (size_t t = 0; t < 3; t++)
    for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++)
      for (size_t c = 0; c < laid_contexts; c++)
        for (int dot = 0; dot < 2; dot++) {
          const size_t n = lengths[l], size = data_size(types[t]);
          heddle_options options = HEDDLE_OPTIONS_INIT;
          const float init = 0.75f;
          const double wide = 0.75;
          double expected = 0, got = 0;
          options.exact = 1;
          if (!dot && types[t] != HEDDLE_BF16)
            options.init = types[t] == HEDDLE_F64 ? (const void *)&wide : &init;
          char *x = data_new(DATA_WIDE, types[t], 3, n + 1),
               *y = data_new(DATA_WIDE, types[t], 4, n + 1);
          size_t end[LAID_PARTS];
          const size_t parts = laid_cut(n, 1, end);
          struct laid first, second;
          laid_lay(&first, c, x, size, parts, end, NULL);
          laid_lay(&second, c, y, size, parts, end, &first);
          assert_int_equal(
              dot ? heddle_dot(laid_cpu, types[t], x, y, n, &expected, &options)
                  : heddle_reduce(laid_cpu, HEDDLE_SUM, types[t], x, n, &expected, &options),
              HEDDLE_OK);
          same_status(HEDDLE_OK,
                      dot ? heddle_dot_parts(laid_on[c], types[t], &first.parts, &second.parts,
                                             &got, &options)
                          : heddle_reduce_parts(laid_on[c], HEDDLE_SUM, types[t], &first.parts,
                                                &got, &options),
                      "context %zu: %s", c, heddle_message());
          same_bytes(&expected, &got, sizeof got, "context %zu, dot %d, %s, %zu elements", c, dot,
                     heddle_type_name(types[t]), n);
          laid_drop(&first);
          laid_drop(&second);
          free(x);
          free(y);
        }
}

/* ---- errors ----------------------------------------------------------------------------------- */

static void expect(heddle_status wanted, heddle_status got, const char *words) {
  same_status(wanted, got, "%s", words);
  if (!strstr(heddle_message(), words)) fail_msg("\"%s\" lacks \"%s\"", heddle_message(), words);
}

static void errors(void **unused) {
  (void)unused;
  float x[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9}, out[9];
  double wide[9];
  uint64_t counts[8];
  heddle_part part[2] = {{x, 4}, {x + 4, 5}}, to[2] = {{out, 4}, {x + 3, 5}};
  heddle_part same[2] = {{out, 4}, {out + 3, 5}}, large[2] = {{x, 4}, {wide, 5}};
  const heddle_parts in = {sizeof in, 2, part}, over = {sizeof over, 2, to};
  const heddle_parts beside = {sizeof beside, 2, same}, widened = {sizeof widened, 2, large};
  heddle_options f64 = HEDDLE_OPTIONS_INIT;
  heddle_bins bins = HEDDLE_BINS_INIT;
  heddle_histogram_options options = HEDDLE_HISTOGRAM_OPTIONS_INIT;
  f64.acc_type = f64.out_type = HEDDLE_F64;
  bins.count = 4, bins.hi = 1;
#define SCAN(out, options) \
  heddle_scan_parts(laid_on[0], HEDDLE_SUM, HEDDLE_INCLUSIVE, HEDDLE_F32, &in, out, options)
  expect(HEDDLE_BAD_ARGUMENT, SCAN(&over, NULL),
         "part 1 of `out` overlaps part 0 of `in` or of `out`");
  expect(HEDDLE_BAD_ARGUMENT, SCAN(&beside, NULL),
         "part 0 of `out` overlaps part 1 of `in` or of `out`");
  expect(HEDDLE_BAD_ARGUMENT, SCAN(&widened, &f64), "part 0 of `out` overlaps part 0");
  expect(HEDDLE_BAD_ARGUMENT, SCAN(NULL, NULL), "`out` is NULL");
#undef SCAN
#define HIST(weights, counts) \
  heddle_histogram_parts(laid_on[0], HEDDLE_F32, &in, weights, &bins, counts, NULL, &options)
  assert_int_equal(HIST(NULL, counts), HEDDLE_OK);
  expect(HEDDLE_BAD_ARGUMENT, HIST(NULL, NULL), "`counts` is NULL");
  expect(HEDDLE_BAD_ARGUMENT, HIST(&in, counts), "options->weights_type is not; set it");
  options.weights_type = HEDDLE_F32;
  expect(HEDDLE_BAD_ARGUMENT, HIST(&in, counts),
         "`options->sums`, which their sums go to, is NULL");
  options.channels = 2;
  options.weights_type = HEDDLE_TYPE_DEFAULT;
  expect(HEDDLE_BAD_ARGUMENT, HIST(NULL, counts),
         "part 1 of `in` has 5 elements, no multiple of the 2 channels");
#undef HIST
}

int main(void) {
  const struct CMUnitTest all[] = {cmocka_unit_test(running_totals), cmocka_unit_test(tables),
                                   cmocka_unit_test(exact), cmocka_unit_test(errors)};
  return cmocka_run_group_tests(all, laid_setup, laid_teardown);
}
