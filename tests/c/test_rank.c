/* test_rank.c - nth, partial_sort and quantiles against whole sorts
 *
 * Method   The oracle is heddle_sort and heddle_argsort, which test_sort.c compares with a reference: an element of
 *          each rank, the first k, the quantile made of two sorted elements by the formulas of NumPy, on
 *          every instruction set and thread count, of distributions with ties, NaN and zeros of both
 *          signs. Lengths are around those at which the search changes. */
#include <math.h>

#include "sort_reference.h"

static size_t word_of(size_t i, size_t below) { return (size_t)(data_word(77, i) % below); }

#define WHERE "%s of %zu %s %s, descending %d, nan first %d, on %s"
#define IT(what)                                                                    \
  what, j->n, sort_name(j->kind), heddle_type_name(j->type), j->options.descending, \
      j->options.nan_first, m->label

/* ---- arrays -------------------------------------------------------------------------------------- */

struct job {
  heddle_type type;
  size_t n, size;
  enum sort_kind kind;
  heddle_sort_options options;
  char *in, *sorted;
  uint64_t *order;
};

static struct job job_new(const machine *m, heddle_type type, enum sort_kind kind, size_t n,
                          int turn) {
  struct job j = {.type = type, .n = n, .size = data_size(type), .kind = kind};
  j.options = sort_options(turn & 1, turn >> 1 & 1);
  j.in = allocate(n * j.size + 1);
  j.sorted = allocate(n * j.size + 1);
  j.order = allocate(n * sizeof *j.order + 1);
  sort_fill(kind, type, n, n, j.in);
  same_status(HEDDLE_OK, heddle_sort(m->ctx, type, j.in, n, j.sorted, &j.options), "oracle");
  same_status(HEDDLE_OK, heddle_argsort(m->ctx, type, j.in, n, HEDDLE_U64, j.order, &j.options),
              "oracle");
  return j;
}
static void job_free(struct job *j) {
  free(j->in);
  free(j->sorted);
  free(j->order);
}

static void check_ranks(const struct job *j, const machine *m, const uint64_t *ranks,
                        size_t count) {
  char *out = allocate(count * j->size + 1), *wanted = allocate(count * j->size + 1);
  for (size_t i = 0; i < count; i++)
    memcpy(wanted + i * j->size, j->sorted + ranks[i] * j->size, j->size);
  same_status(HEDDLE_OK, heddle_nth(m->ctx, j->type, j->in, j->n, ranks, count, out, &j->options),
              WHERE, IT("nth"));
  same_array(j->type, wanted, out, count, WHERE, IT("nth"));
  free(out);
  free(wanted);
}

static void check_nth(const struct job *j, const machine *m) {
  enum { MANY = 300 };
  static const size_t counts[] = {1, 2, 3, 9, 40, MANY};
  uint64_t ranks[MANY];
  if (j->n <= MANY) {
    for (size_t i = 0; i < j->n; i++) ranks[i] = j->n - 1 - i;
    check_ranks(j, m, ranks, j->n);
    return;
  }
  for (size_t c = 0; c < COUNT(counts); c++) {
    for (size_t i = 0; i < counts[c]; i++) ranks[i] = word_of(c * MANY + i, j->n);
    check_ranks(j, m, ranks, counts[c]);
  }
  const uint64_t ends[] = {0, j->n - 1, j->n / 2, j->n / 2, 1};
  check_ranks(j, m, ends, COUNT(ends));
}

static void check_first(const struct job *j, const machine *m, size_t k) {
  char *out = allocate(k * j->size + 1), *wanted = allocate(k * j->size + 1);
  uint64_t *index = allocate(k * 8 + 8);
  uint32_t *narrow = allocate(k * 4 + 4);
  for (size_t i = 0; i < k; i++)
    memcpy(wanted + i * j->size, j->in + j->order[i] * j->size, j->size);
  same_status(
      HEDDLE_OK,
      heddle_partial_sort(m->ctx, j->type, j->in, j->n, k, out, HEDDLE_U64, index, &j->options),
      WHERE, IT("partial"));
  same_array(j->type, wanted, out, k, WHERE, IT("partial"));
  same_array(HEDDLE_U64, j->order, index, k, WHERE, IT("positions"));
  memset(out, 1, k * j->size);
  same_status(
      HEDDLE_OK,
      heddle_partial_sort(m->ctx, j->type, j->in, j->n, k, out, HEDDLE_F32, NULL, &j->options),
      WHERE, IT("partial alone"));
  same_array(j->type, wanted, out, k, WHERE, IT("partial alone"));
  same_status(
      HEDDLE_OK,
      heddle_partial_sort(m->ctx, j->type, j->in, j->n, k, NULL, HEDDLE_U32, narrow, &j->options),
      WHERE, IT("narrow positions"));
  for (size_t i = 0; i < k; i++)
    if (narrow[i] != j->order[i]) fail_msg(WHERE, IT("narrow positions"));
  free(out);
  free(wanted);
  free(index);
  free(narrow);
}

static void check_partial(const struct job *j, const machine *m) {
  const size_t ks[] = {0, 1, 10, j->n / 50, j->n / 5, j->n / 4, j->n / 4 + 1, j->n / 2, j->n};
  for (size_t i = 0; i < COUNT(ks); i++)
    if (ks[i] <= j->n) check_first(j, m, ks[i]);
}

static void check(heddle_type type, enum sort_kind kind, size_t n, int turn, size_t step) {
  if (!n) return;
  struct job j = job_new(&sort_on.of[0], type, kind, n, turn);
  const size_t end = n > 20000 ? sort_on.cpus : sort_on.count;
  for (size_t i = 0; i < end; i = machines_after(&sort_on, i, step)) {
    check_nth(&j, &sort_on.of[i]);
    check_partial(&j, &sort_on.of[i]);
  }
  job_free(&j);
}

static const size_t lengths[] = {1,   2,   3,   7,    16,   33,   100,  127,  128,
                                 129, 257, 511, 2047, 2048, 2049, 2600, 4095, 4097};

static void short_arrays(void **state) {
  (void)state;
  size_t turn = 0;
  for (size_t t = 0; t < type_count; t++)
    for (int kind = 0; kind < SORT_KINDS; kind++)
      for (size_t k = 0; k < COUNT(lengths); k++)
        if (turn++ % (3 * lightness()) == 0)
          check(all_types[t], (enum sort_kind)kind, lengths[k], (int)(turn / 3), 3);
}

/* Several threads, samples that are small parts, bands in bands. */
static void long_arrays(void **state) {
  (void)state;
  size_t turn = 0;
  for (size_t t = 0; t < type_count; t++)
    for (int kind = 0; kind < SORT_KINDS; kind++)
      if (turn++ % (6 * lightness()) == 0)
        check(all_types[t], (enum sort_kind)kind, 20011 + 60013 * (turn % 8), (int)turn / 6, 5);
}

/* More ranks than are searched for. */
static void all_ranks(void **state) {
  (void)state;
  enum { N = 5003 };
  uint64_t ranks[N];
  for (size_t i = 0; i < N; i++) ranks[i] = i;
  static const heddle_type types[] = {HEDDLE_F32, HEDDLE_I64, HEDDLE_U8};
  for (size_t t = 0; t < COUNT(types); t++) {
    struct job j = job_new(&sort_on.of[0], types[t], SORT_BITS, N, (int)t);
    for (size_t i = 0; i < sort_on.cpus; i = machines_after(&sort_on, i, 4))
      check_ranks(&j, &sort_on.of[i], ranks, N);
    job_free(&j);
  }
}

/* ---- where a sample is wrong --------------------------------------------------------------------- */

/* The library's own places, where all elements are least: every sample says that so are all. */
static uint64_t hash_of(uint64_t x) {
  x += UINT64_C(0x9e3779b97f4a7c15);
  x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
  return x ^ x >> 31;
}

static void deceived_samples(void **state) {
  (void)state;
  enum { N = 1 << 18, SAMPLE = 2048 }; /* 4 sqrt(N) */
  static const heddle_type types[] = {HEDDLE_U32, HEDDLE_F64, HEDDLE_I16, HEDDLE_U64};
  for (size_t t = 0; t < COUNT(types); t++)
    for (int few = 0; few < 2; few++) {
      const size_t size = data_size(types[t]);
      struct job j = {.type = types[t], .n = N, .size = size, .kind = SORT_ANY};
      j.options = sort_options(0, 0);
      j.in = allocate(N * size);
      j.sorted = allocate(N * size);
      j.order = allocate(N * 8);
      sort_fill(few ? SORT_FEW : SORT_ANY, types[t], 5, N, j.in);
      heddle_context *ctx = sort_on.of[0].ctx;
      same_status(HEDDLE_OK, heddle_sort(ctx, j.type, j.in, N, j.sorted, NULL), "oracle");
      for (size_t i = 0; i < SAMPLE; i++)
        memcpy(j.in + (i * (N / SAMPLE) + hash_of(i) % (N / SAMPLE)) * size, j.sorted + i * size,
               size);
      same_status(HEDDLE_OK, heddle_sort(ctx, j.type, j.in, N, j.sorted, NULL), "oracle");
      same_status(HEDDLE_OK, heddle_argsort(ctx, j.type, j.in, N, HEDDLE_U64, j.order, NULL),
                  "oracle");
      for (size_t i = 0; i < sort_on.cpus; i = machines_after(&sort_on, i, 5)) {
        const uint64_t ranks[] = {N / 2, 5 * N / 8, 5 * N / 8 + 1, N - 1};
        check_ranks(&j, &sort_on.of[i], ranks, COUNT(ranks));
        check_first(&j, &sort_on.of[i], N / 6);
      }
      job_free(&j);
    }
}

/* ---- quantiles ----------------------------------------------------------------------------------- */

/* Of n numbers in order, the last of all; `at` is (n - 1) q. */
static double linear(const struct job *j, size_t n, double q) {
  const double at = (double)(n - 1) * q, before = floor(at);
  const size_t low = (size_t)before;
  const double a = ref_double(j->type, j->sorted, low);
  if (low + 1 >= n) return a + 0.0 * 1;
  const double b = ref_double(j->type, j->sorted, low + 1), t = at - before;
  return t >= 0.5 ? b - (b - a) * (1 - t) : a + (b - a) * t;
}

static double value_of(const struct job *j, size_t n, double q, heddle_quantile_method method) {
  const double at = (double)(n - 1) * q;
  if (method == HEDDLE_QUANTILE_LINEAR) return linear(j, n, q);
  return ref_double(j->type, j->sorted,
                    (size_t)(method == HEDDLE_QUANTILE_LOWER    ? floor(at)
                             : method == HEDDLE_QUANTILE_HIGHER ? ceil(at)
                                                                : rint(at)));
}

static void check_quantiles(const struct job *j, const machine *m, heddle_nan nan,
                            heddle_quantile_method method) {
  static const double q[] = {0.5, 0, 0.25, 0.75, 1, 0.9, 1.0 / 3, 0.001, 0.999, 0.5};
  double out[COUNT(q)];
  size_t n = j->n;
  heddle_quantile_options options = HEDDLE_QUANTILE_OPTIONS_INIT;
  options.method = method;
  options.nan = nan;
  for (size_t i = 0; i < COUNT(q); i++) out[i] = -12345;
  while (n && isnan(ref_double(j->type, j->sorted, n - 1))) n--;
  const heddle_status status =
      heddle_quantiles(m->ctx, j->type, j->in, j->n, q, COUNT(q), out, &options);
  if (!n && nan == HEDDLE_NAN_SKIP) {
    same_status(HEDDLE_EMPTY, status, WHERE, IT("quantiles"));
    for (size_t i = 0; i < COUNT(q); i++) assert_true(out[i] == -12345);
    return;
  }
  same_status(HEDDLE_OK, status, WHERE, IT("quantiles"));
  for (size_t i = 0; i < COUNT(q); i++) {
    const double wanted =
        n < j->n && nan == HEDDLE_NAN_PROPAGATE ? NAN : value_of(j, n, q[i], method);
    if (isinf(wanted) || (isnan(wanted) && isnan(out[i]))) continue;
    if (isnan(wanted) && n == j->n) continue; /* beside an infinity */
    if (wanted != out[i])
      fail_msg(WHERE ": %.17g is %.17g and not %.17g, method %d", IT("quantiles"), q[i], out[i],
               wanted, (int)method);
  }
}

static void quantiles(void **state) {
  (void)state;
  static const size_t of[] = {1, 2, 5, 100, 2049, 5000, 300007};
  static const heddle_quantile_method methods[] = {HEDDLE_QUANTILE_LINEAR, HEDDLE_QUANTILE_LOWER,
                                                   HEDDLE_QUANTILE_HIGHER, HEDDLE_QUANTILE_NEAREST};
  size_t turn = 0;
  for (size_t t = 0; t < type_count; t++)
    for (int kind = 0; kind < SORT_KINDS; kind++)
      for (size_t k = 0; k < COUNT(of); k++) {
        if (turn++ % (7 * lightness())) continue;
        struct job j = job_new(&sort_on.of[0], all_types[t], (enum sort_kind)kind, of[k], 0);
        for (size_t i = 0; i < (of[k] > 20000 ? sort_on.cpus : sort_on.count);
             i = machines_after(&sort_on, i, 4))
          for (size_t o = 0; o < COUNT(methods); o++)
            check_quantiles(&j, &sort_on.of[i],
                            (turn + o) % 3 ? HEDDLE_NAN_SKIP : HEDDLE_NAN_PROPAGATE, methods[o]);
        job_free(&j);
      }
}

/* Weights are small whole numbers: as many elements as they say. */
static void weights(void **state) {
  (void)state;
  enum { N = 3001, SHARES = 9 };
  static const double q[SHARES] = {0.5, 0, 1, 0.25, 0.75, 0.125, 0.0625, 0.5, 0.96875};
  float *in = allocate(N * sizeof *in), *sorted = allocate(N * sizeof *sorted);
  uint32_t *order = allocate(N * sizeof *order);
  double *weight = allocate(N * sizeof *weight), out[SHARES], whole = 0;
  sort_fill(SORT_FEW, HEDDLE_F32, 3, N, in);
  for (size_t i = 0; i < N; i++) whole += weight[i] = (double)word_of(i, 9);
  heddle_quantile_options options = HEDDLE_QUANTILE_OPTIONS_INIT;
  options.method = HEDDLE_QUANTILE_INVERTED_CDF;
  options.weights = weight;
  for (size_t i = 0; i < sort_on.count; i = machines_after(&sort_on, i, 3)) {
    heddle_context *ctx = sort_on.of[i].ctx;
    same_status(HEDDLE_OK, heddle_argsort(ctx, HEDDLE_F32, in, N, HEDDLE_U32, order, NULL),
                "order");
    same_status(HEDDLE_OK, heddle_quantiles(ctx, HEDDLE_F32, in, N, q, SHARES, out, &options),
                "weights on %s", sort_on.of[i].label);
    for (size_t s = 0; s < SHARES; s++) {
      double sum = 0;
      size_t at = 0;
      while (sum += weight[order[at]], weight[order[at]] == 0 || sum < q[s] * whole) at++;
      if (out[s] != (double)in[order[at]])
        fail_msg("share %g is %g and not %g on %s", q[s], out[s], (double)in[order[at]],
                 sort_on.of[i].label);
    }
  }
  options.method = HEDDLE_QUANTILE_LINEAR;
  heddle_context *ctx = sort_on.of[0].ctx;
  same_status(HEDDLE_BAD_ARGUMENT, heddle_quantiles(ctx, HEDDLE_F32, in, N, q, 1, out, &options),
              "w");
  options.method = HEDDLE_QUANTILE_INVERTED_CDF;
  weight[N / 2] = -1;
  same_status(HEDDLE_BAD_DATA, heddle_quantiles(ctx, HEDDLE_F32, in, N, q, 1, out, &options), "w");
  weight[N / 2] = NAN;
  same_status(HEDDLE_BAD_DATA, heddle_quantiles(ctx, HEDDLE_F32, in, N, q, 1, out, &options), "w");
  memset(weight, 0, N * sizeof *weight);
  same_status(HEDDLE_EMPTY, heddle_quantiles(ctx, HEDDLE_F32, in, N, q, 1, out, &options), "w");
  free(in);
  free(sorted);
  free(order);
  free(weight);
}

/* One NaN, where a few looks do not see it; an element of no weight, which is the least, or thousands of them. */
static void seldom(void **state) {
  (void)state;
  enum { N = 9000 };
  double *in = allocate(N * sizeof *in), *weight = allocate(N * sizeof *weight), out[2];
  const double q[] = {0.5, 1}, few[] = {1, 2, 3}, none_first[] = {0, 1, 1}, least = 0;
  heddle_quantile_options options = HEDDLE_QUANTILE_OPTIONS_INIT;
  for (size_t i = 0; i < N; i++) {
    in[i] = (double)(i * 7 % N);
    weight[i] = in[i] > 5000 ? 1 : 0;
  }
  in[7] = NAN; /* it was 49 */
  for (size_t i = 0; i < sort_on.count; i = machines_after(&sort_on, i, 3)) {
    heddle_context *ctx = sort_on.of[i].ctx;
    options.nan = HEDDLE_NAN_SKIP;
    same_status(HEDDLE_OK, heddle_quantiles(ctx, HEDDLE_F64, in, N, q, 2, out, &options), "skip");
    if (out[0] != N / 2 || out[1] != N - 1) fail_msg("%g and %g", out[0], out[1]);
    options.nan = HEDDLE_NAN_PROPAGATE;
    same_status(HEDDLE_OK, heddle_quantiles(ctx, HEDDLE_F64, in, N, q, 2, out, &options), "keep");
    assert_true(isnan(out[0]) && isnan(out[1]));
    heddle_quantile_options weighted = options;
    weighted.method = HEDDLE_QUANTILE_INVERTED_CDF;
    weighted.weights = none_first;
    same_status(HEDDLE_OK, heddle_quantiles(ctx, HEDDLE_F64, few, 3, &least, 1, out, &weighted),
                "w");
    assert_true(out[0] == 2);
    weighted.weights = weight, weighted.nan = HEDDLE_NAN_SKIP;
    same_status(HEDDLE_OK, heddle_quantiles(ctx, HEDDLE_F64, in, N, &least, 1, out, &weighted),
                "zeros first");
    assert_true(out[0] == 5001);
  }
  free(weight);
  free(in);
}

/* ---- arguments ----------------------------------------------------------------------------------- */

static void refused(void **state) {
  (void)state;
  heddle_context *ctx = sort_on.of[0].ctx;
  float in[8] = {3, 1, 2}, out[8];
  double q[1] = {0.5}, d[1];
  uint64_t ranks[2] = {0, 3}, index[8];
  heddle_quantile_options options = HEDDLE_QUANTILE_OPTIONS_INIT;
  const heddle_status bad = HEDDLE_BAD_ARGUMENT;
  same_status(bad, heddle_nth(ctx, HEDDLE_F32, in, 3, ranks, 2, out, NULL), "a rank");
  same_status(bad, heddle_nth(ctx, HEDDLE_F32, NULL, 0, ranks, 1, out, NULL), "no element");
  same_status(bad, heddle_nth(ctx, HEDDLE_F32, in, 3, NULL, 1, out, NULL), "no ranks");
  same_status(bad, heddle_nth(ctx, HEDDLE_F32, in, 3, ranks, 1, in + 1, NULL), "overlap");
  same_status(bad, heddle_nth(ctx, HEDDLE_CUSTOM, in, 3, ranks, 1, out, NULL), "type");
  same_status(HEDDLE_OK, heddle_nth(ctx, HEDDLE_F32, in, 3, ranks, 0, NULL, NULL), "none");
  same_status(bad, heddle_partial_sort(ctx, HEDDLE_F32, in, 3, 4, out, HEDDLE_U64, index, NULL),
              "k");
  same_status(bad, heddle_partial_sort(ctx, HEDDLE_F32, in, 3, 2, out, HEDDLE_I32, index, NULL),
              "i");
  same_status(bad, heddle_partial_sort(ctx, HEDDLE_F32, in, 3, 2, in, HEDDLE_U64, index, NULL),
              "o");
  same_status(bad, heddle_partial_sort(ctx, HEDDLE_F32, in, 3, 2, index, HEDDLE_U64, index, NULL),
              "o");
  same_status(HEDDLE_OK, heddle_partial_sort(ctx, HEDDLE_F32, in, 3, 0, NULL, 0, NULL, NULL), "0");
  same_status(HEDDLE_EMPTY, heddle_quantiles(ctx, HEDDLE_F32, in, 0, q, 1, d, NULL), "empty");
  q[0] = 1.5;
  same_status(bad, heddle_quantiles(ctx, HEDDLE_F32, in, 3, q, 1, d, NULL), "share");
  q[0] = NAN;
  same_status(bad, heddle_quantiles(ctx, HEDDLE_F32, in, 3, q, 1, d, NULL), "share");
  q[0] = 0.5;
  options.method = (heddle_quantile_method)7;
  same_status(bad, heddle_quantiles(ctx, HEDDLE_F32, in, 3, q, 1, d, &options), "method");
  options.method = HEDDLE_QUANTILE_LINEAR;
  same_status(HEDDLE_OK, heddle_quantiles(ctx, HEDDLE_F32, in, 3, q, 1, d, &options), "ok");
  assert_true(d[0] == 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(short_arrays), cmocka_unit_test(long_arrays),
      cmocka_unit_test(all_ranks),    cmocka_unit_test(deceived_samples),
      cmocka_unit_test(quantiles),    cmocka_unit_test(weights),
      cmocka_unit_test(seldom),       cmocka_unit_test(refused)};
  return cmocka_run_group_tests(tests, sort_open, sort_close);
}
