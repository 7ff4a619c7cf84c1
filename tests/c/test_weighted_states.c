/* test_weighted_states.c - quantiles by weights of data that come in pieces, against heddle_quantiles of all of them
 *
 * Method   Arrays of many distributions, with weights of many, are cut at random, in every pass anew and in another order; each
 *          piece goes to a state of some machine, which may go through bytes; states are merged by random trees. Then
 *          what is refused: data and weights that change between passes, states of other calls, bytes that are
 *          anyone's. */
#include <math.h>

#include "saved.h"
#include "sort_reference.h"

static heddle_context *other; /* a scalar CPU on one thread */

static heddle_quantile_options with(heddle_type weights_type, heddle_nan nan) {
  heddle_quantile_options options = HEDDLE_QUANTILE_OPTIONS_INIT;
  options.method = HEDDLE_QUANTILE_INVERTED_CDF;
  options.weights_type = weights_type;
  options.nan = nan;
  return options;
}

static heddle_state *begun(heddle_context *ctx, heddle_type type, const double *q, size_t count,
                           const heddle_quantile_options *options) {
  heddle_state *state = NULL;
  same_status(HEDDLE_OK, heddle_weighted_quantiles_begin(ctx, type, q, count, options, &state),
              "begin: %s", heddle_message());
  return state;
}

static int round_of(heddle_state *state) {
  int again = -1;
  same_status(HEDDLE_OK, heddle_quantiles_round(state, &again), "round: %s", heddle_message());
  return again;
}

static void update(heddle_state *state, const void *in, const void *weights, size_t count) {
  same_status(HEDDLE_OK, heddle_weighted_quantiles_update(state, in, weights, count), "update: %s",
              heddle_message());
}

/* ---- weights ------------------------------------------------------------------------------------ */

enum weights { ALIKE, LIKE_SIZES, ANY_SIZES, MOSTLY_NONE, ENDS, NOTHING, KINDS };

static double weight(enum weights kind, heddle_type type, size_t i) {
  const uint64_t word = data_word(77, i);
  const double unit = (double)(word >> 40) / 16777216;
  const int far = type == HEDDLE_F32 ? 100 : 900;
  switch (kind) {
  case ALIKE: return 1;
  case LIKE_SIZES: return unit;
  case ANY_SIZES: return ldexp(unit, (int)(word % (unsigned)(2 * far)) - far);
  case MOSTLY_NONE: return word % 50 ? word % 2 ? 0.0 : -0.0 : unit;
  case ENDS:
    if (type == HEDDLE_F32) return word % 2 ? (double)3.4e38f : ldexp(1, -149);
    return word % 2 ? 1.7976931348623157e308 : 5e-324;
  default: return 0;
  }
}

static void *weights_new(enum weights kind, heddle_type type, size_t n) {
  double *wide = allocate(n * sizeof *wide + 1);
  float *narrow = (float *)(void *)wide;
  for (size_t i = 0; i < n; i++) {
    const double w = weight(kind, type, i);
    if (type == HEDDLE_F32)
      narrow[i] = (float)w;
    else
      wide[i] = w;
  }
  return wide;
}

/* ---- random cuts, random trees ------------------------------------------------------------------ */

struct job {
  heddle_type type;
  size_t n, q_count;
  const double *q;
  heddle_quantile_options options;
  const char *in, *weights;
};

/* A piece into a state of the machine: where that is a device, from its memory every second time. */
static void take(const machine *m, heddle_state *state, const struct job *j, size_t first,
                 size_t count, int here) {
  const size_t size = data_size(j->type), weight = data_size(j->options.weights_type);
  const char *in = j->in + first * size, *weights = j->weights + first * weight;
  void *there = NULL, *theirs = NULL;
  if (!here || !count || sort_on.cpus > (size_t)(m - sort_on.of)) {
    update(state, in, weights, count);
    return;
  }
  same_status(HEDDLE_OK, heddle_device_alloc(m->ctx, count * size, &there), "device memory");
  same_status(HEDDLE_OK, heddle_device_alloc(m->ctx, count * weight, &theirs), "device memory");
  same_status(HEDDLE_OK, heddle_copy(m->ctx, there, in, count * size), "copy");
  same_status(HEDDLE_OK, heddle_copy(m->ctx, theirs, weights, count * weight), "copy");
  update(state, there, theirs, count);
  same_status(HEDDLE_OK, heddle_device_free(m->ctx, there), "free");
  same_status(HEDDLE_OK, heddle_device_free(m->ctx, theirs), "free");
}

/* One pass, in pieces: the state of all of them; `from` as it is before. */
static heddle_state *pass(const machine *m, const struct job *j, heddle_state *from,
                          uint64_t *seed) {
  enum { PIECES = 5 };
  heddle_state *piece[PIECES];
  size_t pieces = 1 + draw(seed, PIECES), at = 0;
  for (size_t p = 0; p < pieces; p++) {
    const int here = draw(seed, 2) != 0;
    const size_t end = p + 1 == pieces ? j->n : at + draw(seed, j->n - at + 1);
    const size_t middle = at + draw(seed, end - at + 1);
    piece[p] = loaded(here ? m->ctx : other, from);
    take(here ? m : &sort_on.of[0], piece[p], j, middle, end - middle, here && p % 2);
    if (!draw(seed, 3)) {
      heddle_state *const copy = loaded(here ? m->ctx : other, piece[p]);
      heddle_state_free(piece[p]);
      piece[p] = copy;
    }
    take(m, piece[p], j, at, middle - at, 0);
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

static void check(const machine *m, struct job *j, uint64_t seed, const char *of) {
  double wanted[16] = {0}, got[16] = {0};
  heddle_state_details d = HEDDLE_STATE_DETAILS_INIT;
  heddle_state *state = begun(m->ctx, j->type, j->q, j->q_count, &j->options);
  size_t passes = 0;
  do {
    state = pass(m, j, state, &seed);
    same_status(HEDDLE_OK, heddle_state_info(state, &d), "info");
    assert_true(d.count == j->n && d.passes == passes && d.shares == j->q_count && d.again == 1 &&
                d.type == j->type && d.whole == (passes ? j->n : 0) &&
                d.weights_type == j->options.weights_type);
    passes++;
  } while (round_of(state));
  assert_true(passes <= (data_size(j->type) <= 2 ? 1 : data_size(j->type) == 4 ? 3 : 6));
  heddle_state *const done = loaded(other, state);
  j->options.weights = j->weights;
  const heddle_status status =
      heddle_quantiles(other, j->type, j->in, j->n, j->q, j->q_count, wanted, &j->options);
  same_status(status, heddle_quantiles_finish(done, got), "finish: %s", heddle_message());
  for (size_t i = 0; i < COUNT(wanted); i++) {
    if (status != HEDDLE_OK) wanted[i] = 0;
    if (wanted[i] == 0) wanted[i] = 0; /* of either sign */
  }
  same_bytes(wanted, got, sizeof got, "weighted quantiles of %zu %s %s in pieces, nan %d, on %s",
             j->n, of, heddle_type_name(j->type), (int)j->options.nan, m->label);
  heddle_state_free(done);
  heddle_state_free(state);
}

static const double shares[] = {0.5, 0,   0.25, 0.75, 1,    0.9, 1.0 / 3, 0.001,
                                0.5, 0.1, 0.99, 0.01, 0.05, 0.2, 0.6,     0.95};

static void pieces(void **unused) {
  (void)unused;
  static const size_t lengths[] = {0, 1, 2, 7, 1000, 20001};
  size_t turn = 0, machine_of = 0;
  for (size_t t = 0; t < type_count; t++)
    for (int kind = 0; kind < SORT_KINDS; kind++)
      for (size_t l = 0; l < COUNT(lengths); l++) {
        if (turn++ % (5 * lightness())) continue;
        const heddle_type weights_type = turn % 2 ? HEDDLE_F32 : HEDDLE_F64;
        const enum weights weights = (enum weights)(turn / 5 % KINDS);
        struct job j = {.type = all_types[t], .n = lengths[l]};
        j.q = shares, j.q_count = turn % 4 ? 1 + turn % 3 : COUNT(shares);
        j.options = with(weights_type, turn / 5 % 2 ? HEDDLE_NAN_SKIP : HEDDLE_NAN_PROPAGATE);
        char *in = allocate(j.n * data_size(j.type) + 1);
        void *theirs = weights_new(weights, weights_type, j.n);
        sort_fill((enum sort_kind)kind, j.type, turn, j.n, in);
        j.in = in, j.weights = theirs;
        check(&sort_on.of[machine_of++ % sort_on.count], &j, turn, sort_name((enum sort_kind)kind));
        free(theirs);
        free(in);
      }
}

/* Shares that weights reach exactly, and by a least bit too little. */
static void ends_of_shares(void **unused) {
  (void)unused;
  static const double in[] = {1, 2, 3, 4}, q[] = {0.25, 0.5, 0.5000000000000001, 0.75};
  static const double even[] = {1, 1, 1, 1}, less[] = {1, 0.9999999999999999, 1, 1};
  /* of the second a quarter of the sum is below 1, the half above what the first two have */
  static const double wanted[2][4] = {{1, 2, 3, 3}, {1, 3, 3, 4}};
  const heddle_quantile_options options = with(HEDDLE_F64, HEDDLE_NAN_PROPAGATE);
  for (int k = 0; k < 2; k++) {
    struct job j = {.type = HEDDLE_F64, .n = 4, .q = q, .q_count = 4, .options = options};
    double out[4];
    j.in = (const char *)in, j.weights = (const char *)(k ? less : even);
    check(&sort_on.of[0], &j, 3, "few");
    heddle_state *state = begun(other, HEDDLE_F64, q, 4, &options);
    do update(state, in, j.weights, 4);
    while (round_of(state));
    same_status(HEDDLE_OK, heddle_quantiles_finish(state, out), "finish");
    same_bytes(wanted[k], out, sizeof out, "shares that weights reach, or not");
    heddle_state_free(state);
  }
}

/* Many shares: their bands have few counters each. */
static void many_shares(void **unused) {
  (void)unused;
  enum { N = 9000, Q = 3000 };
  static double q[Q], wanted[Q], got[Q];
  if (lightness() > 1) return;
  heddle_quantile_options options = with(HEDDLE_F32, HEDDLE_NAN_PROPAGATE);
  uint64_t *x = data_new(DATA_WIDE, HEDDLE_U64, 8, N);
  void *w = weights_new(ANY_SIZES, HEDDLE_F32, N);
  for (size_t i = 0; i < Q; i++) q[i] = (double)(i * 7 % Q) / (Q - 1);
  heddle_state *state = begun(other, HEDDLE_U64, q, Q, &options);
  do update(state, x, w, N);
  while (round_of(state));
  same_status(HEDDLE_OK, heddle_quantiles_finish(state, got), "finish");
  options.weights = w;
  same_status(HEDDLE_OK, heddle_quantiles(other, HEDDLE_U64, x, N, q, Q, wanted, &options), "all");
  same_bytes(wanted, got, sizeof got, "many shares");
  heddle_state_free(state);
  free(w);
  free(x);
}

/* ---- what is refused ----------------------------------------------------------------------------- */

static void refused(heddle_status status, heddle_status wanted, const char *words) {
  same_status(wanted, status, "%s: %s", words, heddle_message());
  if (!strstr(heddle_message(), words)) fail_msg("\"%s\" lacks \"%s\"", heddle_message(), words);
}

/* A state in its second pass. */
static heddle_state *second(const void *x, const void *w, size_t n, const double *q) {
  const heddle_quantile_options options = with(HEDDLE_F32, HEDDLE_NAN_PROPAGATE);
  heddle_state *state = begun(other, HEDDLE_F32, q, 1, &options);
  update(state, x, w, n);
  assert_int_equal(round_of(state), 1);
  return state;
}

static void changed_data(void **unused) {
  (void)unused;
  enum { N = 1000 };
  const double q = 0.5;
  int again;
  float *x = data_new(DATA_WIDE, HEDDLE_F32, 3, N), *w = weights_new(LIKE_SIZES, HEDDLE_F32, N);
  heddle_state *state = second(x, w, N, &q);
  update(state, x, w, N - 1);
  refused(heddle_quantiles_round(state, &again), HEDDLE_BAD_DATA, "999 elements");
  refused(heddle_weighted_quantiles_update(state, x, w, 1), HEDDLE_BAD_ARGUMENT, "failed");
  heddle_state_free(state);
  state = second(x, w, N, &q);
  refused(heddle_weighted_quantiles_update(state, x, w, N + 1), HEDDLE_BAD_DATA, "more come");
  heddle_state_free(state);
  state = second(x, w, N, &q);
  for (size_t i = 0; i < N; i++) w[i] *= 2;
  update(state, x, w, N);
  refused(heddle_quantiles_round(state, &again), HEDDLE_BAD_DATA, "weights of this pass");
  heddle_state_free(state);
  heddle_state *a = second(x, w, N, &q), *b = loaded(other, a);
  update(a, x, w, N);
  update(b, x, w, 1);
  refused(heddle_state_merge(a, b), HEDDLE_BAD_DATA, "merge every piece once");
  heddle_state_free(a);
  heddle_state_free(b);
  static const float bad[] = {-1, NAN, INFINITY};
  for (size_t i = 0; i < COUNT(bad); i++) {
    state = second(x, w, N, &q);
    w[N - 1] = bad[i];
    refused(heddle_weighted_quantiles_update(state, x, w, N), HEDDLE_BAD_DATA, "weight 999 is");
    heddle_state_free(state);
    w[N - 1] = 1;
  }
  free(w);
  free(x);
}

static void states_of_other_calls(void **unused) {
  (void)unused;
  const double q[] = {0.5, 0.25, 1.5};
  double out[2];
  int again;
  float *x = data_new(DATA_WIDE, HEDDLE_F32, 3, 100);
  heddle_quantile_options options = with(HEDDLE_F32, HEDDLE_NAN_PROPAGATE), skip = options;
  skip.nan = HEDDLE_NAN_SKIP;
  heddle_state *a = begun(other, HEDDLE_F32, q, 1, &options), *b;
  const struct {
    heddle_type type;
    size_t first, count;
    const heddle_quantile_options *options;
    const char *words;
  } others[] = {{HEDDLE_F64, 0, 1, &options, "the type of elements"},
                {HEDDLE_F32, 0, 1, NULL, "the type of weights"},
                {HEDDLE_F32, 0, 1, &skip, "what NaN are"},
                {HEDDLE_F32, 1, 1, &options, "their shares"},
                {HEDDLE_F32, 0, 2, &options, "their shares"}};
  for (size_t i = 0; i < COUNT(others); i++) {
    b = begun(other, others[i].type, q + others[i].first, others[i].count, others[i].options);
    refused(heddle_state_merge(a, b), HEDDLE_BAD_ARGUMENT, others[i].words);
    heddle_state_free(b);
  }
  float *w = weights_new(ALIKE, HEDDLE_F32, 100);
  b = second(x, w, 100, q);
  refused(heddle_state_merge(a, b), HEDDLE_BAD_ARGUMENT, "the passes behind them");
  refused(heddle_quantiles_finish(b, out), HEDDLE_BAD_ARGUMENT, "in its pass 2");
  refused(heddle_quantiles_update(b, x, 100), HEDDLE_BAD_ARGUMENT, "another verb");
  heddle_state *c = second(x, w, 99, q);
  refused(heddle_state_merge(b, c), HEDDLE_BAD_ARGUMENT, "what the passes before have seen");
  heddle_state_free(c);
  update(b, x, w, 100);
  assert_int_equal(round_of(b), 0);
  assert_int_equal(round_of(b), 0);
  refused(heddle_weighted_quantiles_update(b, x, w, 1), HEDDLE_BAD_ARGUMENT, "no further pass");
  refused(heddle_quantiles_round(b, NULL), HEDDLE_BAD_ARGUMENT, "again");
  refused(heddle_quantiles_finish(b, NULL), HEDDLE_BAD_ARGUMENT, "out");
  heddle_state_free(b);
  same_status(HEDDLE_OK, heddle_quantiles_begin(other, HEDDLE_F32, q, 1, NULL, &b), "counted");
  refused(heddle_state_merge(a, b), HEDDLE_BAD_ARGUMENT, "quantiles by weights");
  refused(heddle_weighted_quantiles_update(b, x, w, 1), HEDDLE_BAD_ARGUMENT, "another verb");
  heddle_state_free(b);
  refused(heddle_quantiles_round(NULL, &again), HEDDLE_BAD_ARGUMENT, "NULL");
  refused(heddle_weighted_quantiles_begin(other, HEDDLE_F32, q + 2, 1, NULL, &b),
          HEDDLE_BAD_ARGUMENT, "1.5");
  refused(heddle_weighted_quantiles_begin(other, HEDDLE_F32, q, 5000, NULL, &b),
          HEDDLE_BAD_ARGUMENT, "at most 4096");
  options.method = HEDDLE_QUANTILE_LINEAR;
  refused(heddle_weighted_quantiles_begin(other, HEDDLE_F32, q, 1, &options, &b),
          HEDDLE_BAD_ARGUMENT, "INVERTED_CDF");
  same_status(HEDDLE_OK, heddle_prepare_begin(other), "prepare");
  refused(heddle_weighted_quantiles_begin(other, HEDDLE_F32, q, 1, NULL, &b), HEDDLE_UNSUPPORTED,
          "being prepared");
  same_status(HEDDLE_OK, heddle_prepare_end(other, NULL), "prepare");
  heddle_state_free(a);
  free(w);
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
      cmocka_unit_test(pieces),
      cmocka_unit_test(ends_of_shares),
      cmocka_unit_test(many_shares),
      cmocka_unit_test(changed_data),
      cmocka_unit_test(states_of_other_calls),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
