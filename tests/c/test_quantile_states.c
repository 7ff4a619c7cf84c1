/* test_quantile_states.c - quantiles of data that come in pieces, against heddle_quantiles of all of them
 *
 * longer than 400 lines because what is refused is refused to the same states
 *
 * Method   Arrays of many distributions are cut at random, in every pass anew; each piece goes to a state of some
 *          machine, which may go through bytes; states are merged by random trees. Then what is refused: data that
 *          change between passes, states of other calls, bytes that are anyone's. */
#include <math.h>

#include "saved.h"
#include "sort_reference.h"

static heddle_context *other; /* a scalar CPU on one thread */

static heddle_state *begun(heddle_context *ctx, heddle_type type, const double *q, size_t count,
                           const heddle_quantile_options *options) {
  heddle_state *state = NULL;
  same_status(HEDDLE_OK, heddle_quantiles_begin(ctx, type, q, count, options, &state), "begin: %s",
              heddle_message());
  return state;
}

static int round_of(heddle_state *state) {
  int again = -1;
  same_status(HEDDLE_OK, heddle_quantiles_round(state, &again), "round: %s", heddle_message());
  return again;
}

static void update(heddle_state *state, const void *in, size_t count) {
  same_status(HEDDLE_OK, heddle_quantiles_update(state, in, count), "update: %s", heddle_message());
}

/* ---- random cuts, random trees ------------------------------------------------------------------ */

struct job {
  heddle_type type;
  enum sort_kind kind;
  size_t n, q_count;
  const double *q;
  heddle_quantile_options options;
  const char *in;
};

/* A piece into a state of the machine: where that is a device, from its memory every second time. */
static void take(const machine *m, heddle_state *state, const char *in, size_t count, size_t size,
                 size_t turn) {
  void *there = NULL;
  if (turn % 2 || !count || sort_on.cpus > (size_t)(m - sort_on.of)) {
    update(state, in, count);
    return;
  }
  same_status(HEDDLE_OK, heddle_device_alloc(m->ctx, count * size, &there), "device memory");
  same_status(HEDDLE_OK, heddle_copy(m->ctx, there, in, count * size), "copy");
  update(state, there, count);
  same_status(HEDDLE_OK, heddle_device_free(m->ctx, there), "free");
}

/* One pass, in pieces: the state of all of them; `from` as it is before. */
static heddle_state *pass(const machine *m, const struct job *j, heddle_state *from,
                          uint64_t *seed) {
  enum { PIECES = 5 };
  heddle_state *piece[PIECES];
  const size_t size = data_size(j->type);
  size_t pieces = 1 + draw(seed, PIECES), at = 0;
  for (size_t p = 0; p < pieces; p++) {
    const int here = draw(seed, 2) != 0;
    const size_t end = p + 1 == pieces ? j->n : at + draw(seed, j->n - at + 1);
    const size_t middle = at + draw(seed, end - at + 1);
    piece[p] = loaded(here ? m->ctx : other, from);
    const machine *on = here ? m : &sort_on.of[0];
    take(on, piece[p], j->in + at * size, middle - at, size, here ? p : 1);
    if (!draw(seed, 3)) {
      heddle_state *const copy = loaded(here ? m->ctx : other, piece[p]);
      heddle_state_free(piece[p]);
      piece[p] = copy;
    }
    update(piece[p], j->in + middle * size, end - middle);
    at = end;
  }
  while (pieces > 1) {
    const size_t a = draw(seed, pieces), b = (a + 1 + draw(seed, pieces - 1)) % pieces;
    same_status(HEDDLE_OK, heddle_state_merge(piece[a], piece[b]), "merge: %s", heddle_message());
    heddle_state_free(piece[b]);
    piece[b] = piece[--pieces];
  }
  heddle_state_free(from);
  return piece[0];
}

/* How many passes it took. */
static size_t check(const machine *m, const struct job *j, uint64_t seed) {
  double wanted[16] = {0}, got[16] = {0};
  heddle_state_details d = HEDDLE_STATE_DETAILS_INIT;
  heddle_state *state = begun(m->ctx, j->type, j->q, j->q_count, &j->options);
  size_t passes = 0;
  do {
    state = pass(m, j, state, &seed);
    same_status(HEDDLE_OK, heddle_state_info(state, &d), "info");
    assert_true(d.count == j->n && d.passes == passes && d.shares == j->q_count && d.again == 1 &&
                d.type == j->type && d.whole == (passes ? j->n : 0));
    passes++;
  } while (round_of(state));
  heddle_state *const done = loaded(other, state);
  const heddle_status status =
      heddle_quantiles(other, j->type, j->in, j->n, j->q, j->q_count, wanted, &j->options);
  same_status(status, heddle_quantiles_finish(done, got), "finish: %s", heddle_message());
  if (status != HEDDLE_OK) memset(wanted, 0, sizeof wanted);
  same_bytes(wanted, got, sizeof got, "quantiles of %zu %s %s in pieces, method %d, nan %d, on %s",
             j->n, sort_name(j->kind), heddle_type_name(j->type), (int)j->options.method,
             (int)j->options.nan, m->label);
  heddle_state_free(done);
  heddle_state_free(state);
  return passes;
}

static const double shares[] = {0.5, 0,   0.25, 0.75, 1,    0.9, 1.0 / 3, 0.001,
                                0.5, 0.1, 0.99, 0.01, 0.05, 0.2, 0.6,     0.95};

static const heddle_quantile_method methods[] = {HEDDLE_QUANTILE_LINEAR,
                                                 HEDDLE_QUANTILE_INVERTED_CDF,
                                                 HEDDLE_QUANTILE_AVERAGED_INVERTED_CDF,
                                                 HEDDLE_QUANTILE_CLOSEST_OBSERVATION,
                                                 HEDDLE_QUANTILE_INTERPOLATED_INVERTED_CDF,
                                                 HEDDLE_QUANTILE_HAZEN,
                                                 HEDDLE_QUANTILE_WEIBULL,
                                                 HEDDLE_QUANTILE_MEDIAN_UNBIASED,
                                                 HEDDLE_QUANTILE_NORMAL_UNBIASED,
                                                 HEDDLE_QUANTILE_LOWER,
                                                 HEDDLE_QUANTILE_HIGHER,
                                                 HEDDLE_QUANTILE_MIDPOINT,
                                                 HEDDLE_QUANTILE_NEAREST};

static void pieces(void **unused) {
  (void)unused;
  static const size_t lengths[] = {0, 1, 2, 7, 1000, 40001};
  size_t turn = 0, machine_of = 0;
  for (size_t t = 0; t < type_count; t++)
    for (int kind = 0; kind < SORT_KINDS; kind++)
      for (size_t l = 0; l < COUNT(lengths); l++) {
        if (turn++ % (5 * lightness())) continue;
        struct job j = {.type = all_types[t], .kind = (enum sort_kind)kind, .n = lengths[l]};
        j.q = shares, j.q_count = turn % 4 ? 1 + turn % 3 : COUNT(shares);
        j.options = (heddle_quantile_options)HEDDLE_QUANTILE_OPTIONS_INIT;
        j.options.method = methods[turn / 5 % COUNT(methods)];
        j.options.nan = turn / 5 % 2 ? HEDDLE_NAN_SKIP : HEDDLE_NAN_PROPAGATE;
        char *in = allocate(j.n * data_size(j.type) + 1);
        sort_fill(j.kind, j.type, turn, j.n, in);
        j.in = in;
        const size_t took = check(&sort_on.of[machine_of++ % sort_on.count], &j, turn);
        assert_true(took <= (data_size(j.type) < 4 ? 1 : 2));
        free(in);
      }
}

/* More elements close together than are kept, on all threads. */
static void third_pass(void **unused) {
  (void)unused;
  enum { N = (1 << 20) + 30000 };
  if (lightness() > 1) return;
  double *x = allocate(N * sizeof *x);
  for (size_t i = 0; i < N; i++) x[i] = 1 + ldexp((double)(data_word(3, i) >> 20), -54);
  x[17] = -0.0, x[18] = INFINITY, x[19] = -INFINITY, x[20] = 5e-324;
  const double q[] = {0.5, 0.4, 0};
  struct job j = {HEDDLE_F64, SORT_ANY, N, 3, q, HEDDLE_QUANTILE_OPTIONS_INIT, (const char *)x};
  assert_int_equal(check(&sort_on.of[sort_on.cpus ? sort_on.cpus - 1 : 0], &j, 9), 3);
  free(x);
}

/* Many shares: their bands have few counters each. */
static void many_shares(void **unused) {
  (void)unused;
  enum { N = 30000, Q = 4000 };
  static double q[Q], wanted[Q], got[Q];
  uint32_t *x = data_new(DATA_WIDE, HEDDLE_U32, 8, N);
  for (size_t i = 0; i < Q; i++) q[i] = (double)(i * 7 % Q) / (Q - 1);
  heddle_state *state = begun(sort_on.of[0].ctx, HEDDLE_U32, q, Q, NULL);
  do update(state, x, N);
  while (round_of(state));
  same_status(HEDDLE_OK, heddle_quantiles(other, HEDDLE_U32, x, N, q, Q, wanted, NULL), "whole");
  same_status(HEDDLE_OK, heddle_quantiles_finish(state, got), "finish");
  same_bytes(wanted, got, sizeof got, "%d shares", Q);
  heddle_state_free(state);
  free(x);
}

static heddle_state *doubled(heddle_state *state, int times) {
  while (times--) {
    heddle_state *copy = loaded(other, state);
    same_status(HEDDLE_OK, heddle_state_merge(state, copy), "merge: %s", heddle_message());
    heddle_state_free(copy);
  }
  return state;
}

/* Counts beyond 32 bits: all elements 2^33 times. */
static void many_elements(void **unused) {
  (void)unused;
  enum { N = 500, TIMES = 33 };
  static const heddle_type types[] = {HEDDLE_U8, HEDDLE_F32};
  const double q[] = {0.5, 0.001, 0.75};
  double wanted[3], got[3];
  heddle_quantile_options options = HEDDLE_QUANTILE_OPTIONS_INIT;
  options.method = HEDDLE_QUANTILE_INVERTED_CDF;
  for (size_t t = 0; t < COUNT(types); t++) {
    void *x = data_new(DATA_WIDE, types[t], 8, N);
    heddle_state *state = begun(other, types[t], q, 3, &options);
    do {
      update(state, x, N);
      doubled(state, TIMES);
    } while (round_of(state));
    same_status(HEDDLE_OK, heddle_quantiles(other, types[t], x, N, q, 3, wanted, &options),
                "whole");
    same_status(HEDDLE_OK, heddle_quantiles_finish(state, got), "finish");
    same_bytes(wanted, got, sizeof got, "quantiles of 2^33 times %s", heddle_type_name(types[t]));
    heddle_state_free(state);
    state = doubled(begun(other, types[t], q, 3, &options), 1);
    update(state, x, N);
    doubled(state, 44);
    heddle_state *copy = loaded(other, state);
    same_status(HEDDLE_BAD_ARGUMENT, heddle_state_merge(state, copy), "more than 2^53");
    heddle_state_free(copy);
    heddle_state_free(state);
    free(x);
  }
}

/* ---- what is refused ---------------------------------------------------------------------------- */

static void refused(heddle_status got, heddle_status status, const char *words) {
  same_status(status, got, "refused: %s", heddle_message());
  if (!strstr(heddle_message(), words)) fail_msg("`%s` is not in: %s", words, heddle_message());
}

/* After the first pass over x, which has n elements. */
static heddle_state *second(const float *x, size_t n, const double *q, size_t q_count) {
  heddle_state *state = begun(other, HEDDLE_F32, q, q_count, NULL);
  update(state, x, n);
  assert_int_equal(round_of(state), 1);
  return state;
}

static void changed_data(void **unused) {
  (void)unused;
  enum { N = 5000 };
  const double q = 0.5;
  int again;
  float *x = data_new(DATA_WIDE, HEDDLE_F32, 3, N), median;
  const uint64_t rank = N / 2;
  same_status(HEDDLE_OK, heddle_nth(other, HEDDLE_F32, x, N, &rank, 1, &median, NULL), "nth");
  heddle_state *state = second(x, N, &q, 1);
  update(state, x, N - 1);
  refused(heddle_quantiles_round(state, &again), HEDDLE_BAD_DATA, "4999 elements");
  refused(heddle_quantiles_round(state, &again), HEDDLE_BAD_ARGUMENT, "failed");
  heddle_state_free(state);
  state = second(x, N, &q, 1);
  update(state, x, N);
  refused(heddle_quantiles_update(state, x, 1), HEDDLE_BAD_DATA, "5000 elements, 1 more");
  heddle_state_free(state);
  float *y = data_new(DATA_WIDE, HEDDLE_F32, 3, N);
  for (size_t i = 0; i < N; i++)
    if (y[i] == median) y[i] = -1e30f;
  state = second(x, N, &q, 1);
  update(state, y, N);
  refused(heddle_quantiles_round(state, &again), HEDDLE_BAD_DATA, "between two values");
  heddle_state_free(state);
  for (size_t i = 0; i < N; i++) y[i] = median;
  state = second(x, N, &q, 1);
  refused(heddle_quantiles_update(state, y, N), HEDDLE_BAD_DATA, "between two values");
  heddle_state_free(state);
  y[0] = NAN;
  for (size_t i = 1; i < N; i++) y[i] = x[i];
  state = second(x, N, &q, 1);
  update(state, y, N);
  refused(heddle_quantiles_round(state, &again), HEDDLE_BAD_DATA, "NaN");
  heddle_state_free(state);
  heddle_state *a = second(x, N, &q, 1), *b = loaded(other, a);
  update(a, x, N);
  update(b, x, 1);
  refused(heddle_state_merge(a, b), HEDDLE_BAD_DATA, "merge every piece once");
  heddle_state_free(a);
  heddle_state_free(b);
  free(x);
  free(y);
}

static void states_of_other_calls(void **unused) {
  (void)unused;
  const double q[] = {0.5, 0.25, 1.5, NAN};
  double out[2];
  int again;
  float *x = data_new(DATA_WIDE, HEDDLE_F32, 3, 100);
  heddle_quantile_options options = HEDDLE_QUANTILE_OPTIONS_INIT;
  heddle_state *a = begun(other, HEDDLE_F32, q, 1, NULL), *b = begun(other, HEDDLE_F64, q, 1, NULL);
  refused(heddle_state_merge(a, b), HEDDLE_BAD_ARGUMENT, "type f32 and `from` f64");
  heddle_state_free(b);
  b = begun(other, HEDDLE_F32, q + 1, 1, NULL);
  refused(heddle_state_merge(a, b), HEDDLE_BAD_ARGUMENT, "a share 0.5 and `from` 0.25");
  heddle_state_free(b);
  b = begun(other, HEDDLE_F32, q, 2, NULL);
  refused(heddle_state_merge(a, b), HEDDLE_BAD_ARGUMENT, "shares: 1 and `from` 2");
  heddle_state_free(b);
  options.method = HEDDLE_QUANTILE_HAZEN;
  b = begun(other, HEDDLE_F32, q, 1, &options);
  refused(heddle_state_merge(a, b), HEDDLE_BAD_ARGUMENT, "method 0 and `from` 5");
  heddle_state_free(b);
  b = second(x, 100, q, 1);
  refused(heddle_state_merge(a, b), HEDDLE_BAD_ARGUMENT, "passes behind it: 0 and `from` 1");
  refused(heddle_quantiles_finish(b, out), HEDDLE_BAD_ARGUMENT, "in its pass 2");
  heddle_state *c = second(x + 1, 99, q, 1);
  refused(heddle_state_merge(b, c), HEDDLE_BAD_ARGUMENT, "100 and `from` 99");
  heddle_state_free(c);
  update(b, x, 100);
  assert_int_equal(round_of(b), 0);
  assert_int_equal(round_of(b), 0);
  refused(heddle_quantiles_update(b, x, 100), HEDDLE_BAD_ARGUMENT, "no further pass");
  refused(heddle_quantiles_round(b, NULL), HEDDLE_BAD_ARGUMENT, "again");
  refused(heddle_quantiles_finish(b, NULL), HEDDLE_BAD_ARGUMENT, "out");
  heddle_state_free(b);
  same_status(HEDDLE_OK, heddle_reduce_begin(other, HEDDLE_SUM, HEDDLE_F32, NULL, &b), "sum");
  refused(heddle_state_merge(a, b), HEDDLE_BAD_ARGUMENT, "quantiles and `from` a fold");
  refused(heddle_quantiles_round(b, &again), HEDDLE_BAD_ARGUMENT, "another verb");
  heddle_state_free(b);
  refused(heddle_quantiles_begin(other, HEDDLE_F32, q + 2, 1, NULL, &b), HEDDLE_BAD_ARGUMENT,
          "1.5");
  refused(heddle_quantiles_begin(other, HEDDLE_F32, q + 3, 1, NULL, &b), HEDDLE_BAD_ARGUMENT,
          "nan");
  refused(heddle_quantiles_begin(other, HEDDLE_F32, q, 1 << 17, NULL, &b), HEDDLE_BAD_ARGUMENT,
          "at most 65536");
  options.method = HEDDLE_QUANTILE_INVERTED_CDF, options.weights = x;
  options.weights_type = HEDDLE_F32;
  refused(heddle_quantiles_begin(other, HEDDLE_F32, q, 1, &options, &b), HEDDLE_UNSUPPORTED,
          "weights");
  same_status(HEDDLE_OK, heddle_prepare_begin(other), "prepare");
  refused(heddle_quantiles_begin(other, HEDDLE_F32, q, 1, NULL, &b), HEDDLE_UNSUPPORTED,
          "being prepared");
  same_status(HEDDLE_OK, heddle_prepare_end(other, NULL), "prepare");
  heddle_state_free(a);
  free(x);
}

/* ---- bytes that are anyone's -------------------------------------------------------------------- */

/* Whatever loads can be used to the end; 1: it did. */
static int use(const unsigned char *bytes, size_t count) {
  static const double x[64];
  heddle_state *state = NULL;
  double *out = NULL;
  int again = 1;
  heddle_state_details d = HEDDLE_STATE_DETAILS_INIT;
  unsigned char *copy = malloc(count); /* of exactly this size, for the sanitizer */
  memcpy(copy, bytes, count);
  const heddle_status status = heddle_state_load(other, copy, count, NULL, &state);
  free(copy);
  if (status != HEDDLE_OK) {
    assert_true(status == HEDDLE_BAD_DATA);
    return 0;
  }
  same_status(HEDDLE_OK, heddle_state_info(state, &d), "info");
  out = allocate((d.shares + 1) * sizeof *out);
  heddle_state *more = loaded(other, state);
  (void)!heddle_state_merge(more, state);
  (void)!heddle_quantiles_update(state, x, 7);
  for (int i = 0; i < 70 && again && !heddle_quantiles_round(state, &again); i++) {
  }
  (void)!heddle_quantiles_finish(state, out);
  (void)!heddle_quantiles_round(more, &again);
  heddle_state_free(more);
  heddle_state_free(state);
  free(out);
  return 1;
}

static void hostile(heddle_state *state, uint64_t seed) {
  size_t bytes, used = 0;
  heddle_state *none = NULL;
  unsigned char *good = saved(state, &bytes), *bad = allocate(bytes);
  for (size_t n = 0; n < bytes; n += 1 + n / 64)
    refused(heddle_state_load(other, good, n, NULL, &none), HEDDLE_BAD_DATA, "");
  for (size_t i = 24; i < bytes; i += 1 + i / 200) {
    memcpy(bad, good, bytes);
    bad[i] ^= (unsigned char)(1u << draw(&seed, 8));
    refused(heddle_state_load(other, bad, bytes, NULL, &none), HEDDLE_BAD_DATA, "");
    make_fit(bad, bytes);
    (void)use(bad, bytes);
  }
  for (int i = 0; i < 800; i++) {
    memcpy(bad, good, bytes);
    for (size_t k = 1 + draw(&seed, 4); k--;)
      bad[24 + draw(&seed, bytes < 400 ? bytes - 24 : 376)] =
          (unsigned char)draw(&seed, draw(&seed, 2) ? 20 : 256);
    const size_t n = draw(&seed, 4) ? bytes : 32 + draw(&seed, bytes - 32);
    make_fit(bad, n);
    used += (size_t)use(bad, n);
  }
  assert_true(used > 0);
  heddle_state_free(state);
  free(good);
  free(bad);
}

static void hostile_bytes(void **unused) {
  (void)unused;
  enum { N = 300 };
  const double q[] = {0.5, 0.01};
  heddle_quantile_options skip = HEDDLE_QUANTILE_OPTIONS_INIT;
  skip.nan = HEDDLE_NAN_SKIP;
  float *x = data_new(DATA_HOLES, HEDDLE_F32, 4, N);
  heddle_state *state = begun(other, HEDDLE_U8, q, 2, NULL);
  hostile(loaded(other, state), 1);
  update(state, x, N);
  hostile(loaded(other, state), 2);
  assert_int_equal(round_of(state), 0);
  hostile(state, 3);
  state = begun(other, HEDDLE_F32, q, 2, &skip);
  update(state, x, N);
  assert_int_equal(round_of(state), 1);
  hostile(loaded(other, state), 4);
  update(state, x, N / 2);
  hostile(loaded(other, state), 5);
  update(state, x + N / 2, N - N / 2);
  assert_int_equal(round_of(state), 0);
  hostile(state, 6);
  free(x);
}

static int setup(void **state) {
  other = open_cpu("scalar", 1);
  return sort_open(state) || !other;
}
static int teardown(void **state) {
  heddle_close(other);
  return sort_close(state);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pieces),        cmocka_unit_test(third_pass),
      cmocka_unit_test(many_shares),   cmocka_unit_test(many_elements),
      cmocka_unit_test(changed_data),  cmocka_unit_test(states_of_other_calls),
      cmocka_unit_test(hostile_bytes),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
