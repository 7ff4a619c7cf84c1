/* test_state_bytes.c - histograms that are merged and scans behind a prefix, on every machine, against the
 * whole call */
#include "compare.h"
#include "reference_histogram.h"
#include "saved.h"

enum { LENGTH = 30000, TABLES = 4 * 4096 };

static heddle_context *other; /* a scalar CPU on one thread */

static heddle_state *through_bytes(heddle_state *state, heddle_context *ctx) {
  size_t bytes;
  heddle_state *again = NULL;
  unsigned char *to = saved(state, &bytes);
  same_status(HEDDLE_OK, heddle_state_load(ctx, to, bytes, NULL, &again), "load: %s",
              heddle_message());
  heddle_state_free(state);
  free(to);
  return again;
}

/* ---- histograms ---------------------------------------------------------------------------------- */

typedef struct counted {
  heddle_type type;
  heddle_bins bins;
  heddle_histogram_options options; /* weights: the type and its exponent */
  const char *x, *w;
} counted;

static heddle_state *count_piece(heddle_context *ctx, const counted *c, size_t from, size_t to) {
  heddle_state *state = NULL;
  const size_t weight = data_size(c->options.weights_type), middle = from + (to - from) / 24 * 12;
  same_status(HEDDLE_OK, heddle_histogram_begin(ctx, c->type, &c->bins, &c->options, &state),
              "begin: %s", heddle_message());
  const size_t cuts[3] = {from, middle, to};
  for (int i = 0; i < 2; i++)
    same_status(HEDDLE_OK,
                heddle_histogram_update(state, c->x + cuts[i] * data_size(c->type),
                                        weight ? c->w + cuts[i] * weight : NULL,
                                        cuts[i + 1] - cuts[i]),
                "update: %s", heddle_message());
  return state;
}

static void whole_sums(const counted *c, double *sums) {
  heddle_histogram_options options = c->options;
  options.weights = c->w, options.sums = sums;
  same_status(HEDDLE_OK,
              heddle_histogram(other, c->type, c->x, LENGTH, &c->bins, NULL, NULL, &options),
              "whole: %s", heddle_message());
}

static void merged_histogram(const machine *m, const counted *c, uint64_t seed) {
  enum { PIECES = 4 };
  static uint64_t counts[TABLES], expected[TABLES];
  static double sums[TABLES], expected_sums[TABLES];
  const size_t channels = c->options.channels, tables = channels * c->bins.count;
  const int weighted = c->options.weights_type != HEDDLE_TYPE_DEFAULT;
  const int exact = weighted && c->options.exact;
  const ref_weights weights = {c->w, c->options.weights_type, c->options.weight_exponent};
  heddle_histogram_result got[4], results[4];
  size_t from = 0;
  heddle_state *all = NULL;
  for (int p = 0; p < PIECES; p++) {
    const size_t to = p + 1 == PIECES ? LENGTH : from + draw(&seed, (LENGTH - from) / 12 + 1) * 12;
    heddle_state *piece = count_piece(draw(&seed, 2) ? m->ctx : other, c, from, to);
    if (draw(&seed, 2)) piece = through_bytes(piece, draw(&seed, 2) ? m->ctx : other);
    from = to;
    if (all) {
      heddle_state *const into = draw(&seed, 2) ? all : piece, *const rest =
                                                                   into == all ? piece : all;
      same_status(HEDDLE_OK, heddle_state_merge(into, rest), "merge: %s", heddle_message());
      heddle_state_free(rest);
      piece = into;
    }
    all = piece;
  }
  for (size_t i = 0; i < channels; i++)
    got[i] = results[i] = (heddle_histogram_result)HEDDLE_HISTOGRAM_RESULT_INIT;
  same_status(HEDDLE_OK, heddle_histogram_finish(all, counts, got, weighted ? sums : NULL),
              "finish: %s", heddle_message());
  ref_histogram(c->type, c->x, LENGTH, &c->bins, channels, weighted && !exact ? &weights : NULL,
                expected, weighted && !exact ? expected_sums : NULL, results);
  if (exact) whole_sums(c, expected_sums); /* whose own test has a reference */
  same_bytes(expected, counts, tables * sizeof *counts, "merged counts on %s", m->label);
  if (weighted) same_bytes(expected_sums, sums, tables * sizeof *sums, "sums on %s", m->label);
  for (size_t i = 0; i < channels; i++)
    assert_true(got[i].count == results[i].count && got[i].under == results[i].under &&
                got[i].over == results[i].over && got[i].nan == results[i].nan);
  heddle_state_details d = HEDDLE_STATE_DETAILS_INIT;
  same_status(HEDDLE_OK, heddle_state_info(all, &d), "info");
  assert_true(d.count == LENGTH && d.bins == c->bins.count && d.channels == channels &&
              d.weights_type == c->options.weights_type &&
              d.exact == (exact && c->options.weights_type != HEDDLE_I64));
  heddle_state *whole = count_piece(m->ctx, c, 0, LENGTH);
  size_t bytes, others;
  unsigned char *a = saved(whole, &bytes), *b = saved(all, &others);
  assert_int_equal(bytes, others);
  same_bytes(a, b, bytes, "bytes of the whole histogram and of the merged one on %s", m->label);
  free(a);
  free(b);
  heddle_state_free(whole);
  heddle_state_free(all);
}

static void histograms(void **unused) {
  (void)unused;
  static const double edges[] = {-1e6, -10, -1, 0, 0.5, 0.5, 1, 3, 1e5};
  static const heddle_type weight_types[] = {0, HEDDLE_F32, HEDDLE_F64, HEDDLE_I64, HEDDLE_BF16};
  for (size_t t = 0; t < type_count; t++)
    for (size_t k = 0; k < 4; k++) {
      counted c = {
          .type = all_types[t], .bins = HEDDLE_BINS_INIT, .options = HEDDLE_HISTOGRAM_OPTIONS_INIT};
      c.bins.kind = binnings[k];
      if (c.bins.kind == HEDDLE_BINS_INTEGER && ref_is_float(c.type)) continue;
      c.bins.count = c.bins.kind == HEDDLE_BINS_EDGES ? 8 : k == 2 ? 4096 : 37;
      c.bins.lo = c.bins.kind == HEDDLE_BINS_LOG ? 0.5 : -20, c.bins.hi = 100;
      c.bins.first = -3;
      c.bins.edges = c.bins.kind == HEDDLE_BINS_EDGES ? edges : NULL;
      c.options.channels = 1 + (t + k) % 4;
      c.options.weights_type = weight_types[(t * 3 + k) % 5];
      c.x = data_new(DATA_SPECIAL, c.type, 31, LENGTH);
      c.w = data_new(t & 1 ? DATA_SPECIAL : DATA_WIDE,
                     c.options.weights_type ? c.options.weights_type : HEDDLE_U8, 32, LENGTH);
      c.options.exact = c.options.weights_type && (t + k) % 3 != 0;
      if (c.options.weights_type && !c.options.exact)
        c.options.weight_exponent = ref_find_exponent(c.options.weights_type, c.w, LENGTH);
      for (size_t i = 0; i < compare_on.count; i = machines_after(&compare_on, i, 5))
        if (compare_takes(i, compare_job("merge histogram", (int)k, c.type, NULL)))
          merged_histogram(&compare_on.of[i], &c, t * 7 + k + i);
      free((void *)c.x);
      free((void *)c.w);
    }
}

/* ---- scans ----------------------------------------------------------------------------------------- */

static heddle_state *reduced(heddle_context *ctx, heddle_op op, heddle_type type,
                             const heddle_options *options, const char *x, size_t n) {
  heddle_state *state = NULL;
  heddle_options before = *options;
  before.init = NULL, before.out_type = 0;
  same_status(HEDDLE_OK, heddle_reduce_begin(ctx, op, type, &before, &state), "begin: %s",
              heddle_message());
  same_status(HEDDLE_OK, heddle_reduce_update(state, x, n), "update");
  return state;
}

/* The array from `at` on, behind a prefix of what lies before it: whole, or in pieces that go through bytes. */
static void scan_behind(const machine *m, heddle_op op, heddle_scan_kind kind, heddle_type type,
                        const char *x, size_t at, heddle_options options, const char *expected,
                        uint64_t seed) {
  const size_t size = data_size(type), out_size = data_size(options.out_type);
  char *out = allocate(LENGTH * out_size), total[8] = {0}, wanted[8] = {0};
  heddle_state *prefix = reduced(draw(&seed, 2) ? m->ctx : other, op, type, &options, x, at);
  options.prefix = prefix;
  same_status(HEDDLE_OK,
              heddle_scan(m->ctx, op, kind, type, x + at * size, LENGTH - at, out, &options),
              "scan: %s", heddle_message());
  same_array(options.out_type, expected + at * out_size, out, LENGTH - at,
             "%s scan kind %d of %s behind %zu elements on %s", op_name(op), kind,
             heddle_type_name(type), at, m->label);
  heddle_state *state = NULL;
  same_status(HEDDLE_OK, heddle_scan_begin(m->ctx, op, kind, type, &options, &state), "begin: %s",
              heddle_message());
  heddle_state_free(prefix);
  memset(out, 0, LENGTH * out_size);
  for (size_t from = at; from < LENGTH;) {
    size_t n = 1 + draw(&seed, 4000);
    if (n > LENGTH - from) n = LENGTH - from;
    same_status(HEDDLE_OK, heddle_scan_update(state, x + from * size, n, out + from * out_size),
                "update: %s", heddle_message());
    from += n;
    if (!draw(&seed, 3)) state = through_bytes(state, draw(&seed, 2) ? m->ctx : other);
  }
  same_array(options.out_type, expected + at * out_size, out + at * out_size, LENGTH - at,
             "%s scan kind %d of %s in pieces behind %zu elements on %s", op_name(op), kind,
             heddle_type_name(type), at, m->label);
  options.prefix = NULL;
  assert_int_equal(ref_reduce(op, type, x, LENGTH, wanted, &options), HEDDLE_OK);
  same_status(HEDDLE_OK, heddle_scan_finish(state, total), "finish: %s", heddle_message());
  same_bytes(wanted, total, out_size, "total of a %s scan behind a prefix", op_name(op));
  heddle_state_free(state);
  free(out);
}

/* A scan of each operator and type behind prefixes of several lengths, its output of `out_type`. */
static void scans_to(size_t t, size_t o, heddle_type out_type) {
  static const size_t places[] = {0, 1, 1000, 1024, 2048, 2051, 6144, 9999, 29999};
  const heddle_op op = all_ops[o];
  const heddle_type type = all_types[t];
  const heddle_scan_kind kind = scan_kinds[(t + o) % 2];
  unsigned char init[8];
  heddle_options options = make_options(nan_policies[o % 2], 0, out_type, NULL);
  if (ref_is_float(type) && t % 2) options.acc_type = HEDDLE_F64;
  data_fill(DATA_WIDE, out_type, 77, 1, init);
  if ((t + o) % 3 == 0 && out_type == type) options.init = init;
  char *x = data_new(op == HEDDLE_PROD ? DATA_NEAR1 : DATA_HOLES, type, 33, LENGTH);
  char *expected = allocate(LENGTH * data_size(out_type));
  assert_int_equal(ref_scan(op, kind, type, x, LENGTH, expected, &options), HEDDLE_OK);
  for (size_t i = 0; i < compare_on.count; i = machines_after(&compare_on, i, 5)) {
    if (!compare_takes(i, compare_job("scan behind", (int)op, type, &options))) continue;
    for (size_t p = 0; p < 9; p++)
      if (!compare_on.of[i].slow || p == (t + o) % 9 || p == (t + o + 4) % 9)
        scan_behind(&compare_on.of[i], op, kind, type, x, places[p], options, expected,
                    t * 11 + o + p);
  }
  free(x);
  free(expected);
}

/* Integers also as floats, which show whether a total kept its sign and its upper bits. */
static void scans(void **unused) {
  (void)unused;
  for (size_t t = 0; t < type_count; t++)
    for (size_t o = 0; o < op_count; o++) {
      if (!ref_scans(all_ops[o], all_types[t])) continue;
      scans_to(t, o, all_types[t]);
      if (!ref_is_float(all_types[t])) scans_to(t, o, o % 2 ? HEDDLE_F32 : HEDDLE_F16);
    }
}

/* ---- means on a device ----------------------------------------------------------------------------- */

/* Merged sums are divided as whole ones are. */
static void divided_sums(void **unused) {
  (void)unused;
  static const heddle_type types[] = {HEDDLE_F32, HEDDLE_I32, HEDDLE_U64, HEDDLE_BF16, HEDDLE_F64};
  for (size_t i = compare_on.cpus; i < compare_on.count; i++)
    for (size_t t = 0; t < 5; t++) {
      enum { WHOLE = 7001, CUT = 2050 };
      heddle_context *ctx = compare_on.of[i].ctx;
      heddle_options options = make_options(0, 0, t == 1 ? HEDDLE_F32 : 0, NULL);
      heddle_state *left = NULL, *right = NULL;
      unsigned char wanted[8] = {0}, got[8] = {0};
      char *x = data_new(DATA_WIDE, types[t], 40, WHOLE);
      options.divisor = 7001;
      same_status(HEDDLE_OK, heddle_reduce(ctx, HEDDLE_SUM, types[t], x, WHOLE, wanted, &options),
                  "mean: %s", heddle_message());
      same_status(HEDDLE_OK, heddle_reduce_begin(ctx, HEDDLE_SUM, types[t], &options, &left),
                  "begin");
      options.start = CUT;
      same_status(HEDDLE_OK, heddle_reduce_begin(ctx, HEDDLE_SUM, types[t], &options, &right),
                  "begin");
      same_status(HEDDLE_OK, heddle_reduce_update(left, x, CUT), "left");
      same_status(HEDDLE_OK,
                  heddle_reduce_update(right, x + CUT * data_size(types[t]), WHOLE - CUT), "right");
      same_status(HEDDLE_OK, heddle_state_merge(left, right), "merge: %s", heddle_message());
      same_status(HEDDLE_OK, heddle_reduce_finish(left, got), "finish: %s", heddle_message());
      same_bytes(wanted, got, 8, "mean of %s merged on %s", heddle_type_name(types[t]),
                 compare_on.of[i].label);
      heddle_state_free(left);
      heddle_state_free(right);
      free(x);
    }
}

static int setup(void **state) {
  other = open_cpu("scalar", 1);
  return compare_setup(state) || !other;
}
static int teardown(void **state) {
  heddle_close(other);
  return compare_teardown(state);
}

/* ---- types of a call that are not its own ------------------------------------------------------------ */

/* A state loads with whatever its call was given for a type to add in and one to round to. */
static void types_of_sums(void **unused) {
  (void)unused;
  const heddle_type types[] = {HEDDLE_F16, HEDDLE_BF16, HEDDLE_F32, HEDDLE_F64};
  float x[100];
  for (size_t i = 0; i < 100; i++) x[i] = 1;
  for (size_t t = 0; t < 4; t++)
    for (size_t a = 0; a < 5; a++)
      for (size_t o = 0; o < 5; o++) {
        const heddle_options options =
            make_options(0, a ? types[a - 1] : 0, o ? types[o - 1] : 0, NULL);
        unsigned char wanted[8] = {0}, got[8] = {0};
        heddle_state *state = NULL;
        if (heddle_reduce(other, HEDDLE_SUM, types[t], x, 50, wanted, &options) != HEDDLE_OK)
          continue;
        same_status(HEDDLE_OK, heddle_reduce_begin(other, HEDDLE_SUM, types[t], &options, &state),
                    "begin");
        same_status(HEDDLE_OK, heddle_reduce_update(state, x, 50), "update");
        state = through_bytes(state, other);
        same_status(HEDDLE_OK, heddle_reduce_finish(state, got), "finish");
        same_bytes(wanted, got, 8, "sum of %s in %s to %s", heddle_type_name(types[t]),
                   heddle_type_name(options.acc_type), heddle_type_name(options.out_type));
        heddle_state_free(state);
      }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(histograms), cmocka_unit_test(scans),
                                     cmocka_unit_test(divided_sums),
                                     cmocka_unit_test(types_of_sums)};
  return cmocka_run_group_tests(tests, setup, teardown);
}
