/* test_merge.c - states of pieces, saved, loaded and merged: any cuts and any tree of merges give the bits of
 * the whole call, and the bytes of one state that saw it all
 *
 * Each piece is taken by a state of its own, on the machine under test or on a CPU of one thread, in random
 * updates from options->start on; states go through bytes by lot, into either context; neighbours are
 * merged in random order, either into the other; order-free ones in any order. More elements follow. */
#include "compare.h"
#include "custom_sources.h"
#include "reference_exact.h"

enum { PIECES = 7, MORE = 3000 };

enum verb { REDUCE, ARGREDUCE, DOT, DESCRIBE, EXACT, EXACT_OF_DOT };

typedef struct job {
  enum verb verb;
  heddle_op op; /* ARGREDUCE: HEDDLE_MIN or HEDDLE_MAX */
  heddle_type type;
  heddle_options options;
  int order_free;
  size_t size; /* of an element */
} job;

typedef struct answer {
  heddle_status status;
  unsigned char value[8];
  uint64_t index;
  heddle_description description;
} answer;

static heddle_context *other; /* a scalar CPU on one thread */

static size_t draw(uint64_t *seed, size_t below) {
  return (size_t)(data_word(*seed += 17, 3) >> 11) % below;
}

/* ---- one call by its verb ------------------------------------------------------------------------ */

static heddle_extreme extreme_of(const job *j) {
  return j->op == HEDDLE_MIN ? HEDDLE_ARGMIN : HEDDLE_ARGMAX;
}
static int is_dot(const job *j) { return j->verb == DOT || j->verb == EXACT_OF_DOT; }

static heddle_state *begin(heddle_context *ctx, const job *j, uint64_t start) {
  heddle_options options = j->options;
  heddle_state *state = NULL;
  heddle_status status;
  options.start = start;
  if (j->verb == ARGREDUCE)
    status = heddle_argreduce_begin(ctx, extreme_of(j), j->type, &options, &state);
  else if (is_dot(j))
    status = heddle_dot_begin(ctx, j->type, &options, &state);
  else if (j->verb == DESCRIBE)
    status = heddle_describe_begin(ctx, j->type, &options, &state);
  else
    status = heddle_reduce_begin(ctx, j->op, j->type, &options, &state);
  same_status(HEDDLE_OK, status, "begin: %s", heddle_message());
  return state;
}

static void update(const job *j, heddle_state *state, const char *x, const char *y, size_t n) {
  heddle_status status;
  if (j->verb == ARGREDUCE)
    status = heddle_argreduce_update(state, x, n);
  else if (is_dot(j))
    status = heddle_dot_update(state, x, y, n);
  else if (j->verb == DESCRIBE)
    status = heddle_describe_update(state, x, n);
  else
    status = heddle_reduce_update(state, x, n);
  same_status(HEDDLE_OK, status, "update: %s", heddle_message());
}

static answer finish(const job *j, heddle_state *state) {
  answer a = {.description = HEDDLE_DESCRIPTION_INIT};
  if (j->verb == ARGREDUCE)
    a.status = heddle_argreduce_finish(state, a.value, &a.index);
  else if (is_dot(j))
    a.status = heddle_dot_finish(state, a.value);
  else if (j->verb == DESCRIBE)
    a.status = heddle_describe_finish(state, &a.description);
  else
    a.status = heddle_reduce_finish(state, a.value);
  return a;
}

static answer expect(const job *j, const char *x, const char *y, size_t n) {
  answer a = {.description = HEDDLE_DESCRIPTION_INIT};
  if (j->verb == ARGREDUCE)
    a.status = ref_argreduce(extreme_of(j), j->type, x, n, a.value, &a.index, &j->options);
  else if (j->verb == EXACT || j->verb == EXACT_OF_DOT)
    exact_expect(j->verb == EXACT ? j->op == HEDDLE_SUM ? EXACT_SUM : EXACT_SQUARES : EXACT_DOT,
                 j->type, x, y, n, &j->options, a.value);
  else if (j->verb == DOT)
    a.status = ref_dot(j->type, x, y, n, a.value, &j->options);
  else if (j->verb == DESCRIBE)
    a.status = ref_describe(j->type, x, n, &a.description, &j->options);
  else
    a.status = ref_reduce(j->op, j->type, x, n, a.value, &j->options);
  return a;
}

/* What was not asked for may be anything. */
static void leave_out(const job *j, const heddle_description *expected, heddle_description *got) {
  if (j->options.figures == HEDDLE_FIGURES_ALL) return;
  got->min = expected->min, got->max = expected->max;
  got->sum = expected->sum, got->skewness = expected->skewness;
  if (j->options.figures == HEDDLE_FIGURES_MEAN) got->variance = expected->variance;
}

static void check(const job *j, heddle_state *state, const char *x, const char *y, size_t n,
                  const char *label, uint64_t seed) {
  answer expected = expect(j, x, y, n), got = finish(j, state);
  same_status(expected.status, got.status, "%zu %s merged on %s, seed %d: %s", n,
              heddle_type_name(j->type), label, (int)seed, heddle_message());
  if (expected.status) return;
  if (j->verb == DESCRIBE) {
    leave_out(j, &expected.description, &got.description);
    same_description(&expected.description, &got.description, "describe of %zu %s merged on %s", n,
                     heddle_type_name(j->type), label);
    return;
  }
  same_bytes(expected.value, got.value, 8, "verb %d %s of %zu %s merged on %s, seed %d",
             (int)j->verb, op_name(j->op), n, heddle_type_name(j->type), label, (int)seed);
  same_bytes(&expected.index, &got.index, 8, "place among %zu %s merged on %s, seed %d", n,
             heddle_type_name(j->type), label, (int)seed);
}

/* ---- bytes --------------------------------------------------------------------------------------- */

static void *saved(heddle_state *state, size_t *bytes) {
  size_t room, asked = 0;
  same_status(HEDDLE_OK, heddle_state_save(state, NULL, &asked), "size: %s", heddle_message());
  unsigned char *to = allocate(asked + 16);
  memset(to, 0xa5, asked + 16);
  room = asked;
  same_status(HEDDLE_OK, heddle_state_save(state, to, &room), "save: %s", heddle_message());
  assert_int_equal(room, asked);
  for (size_t i = 0; i < 16; i++) assert_int_equal(to[asked + i], 0xa5);
  *bytes = asked;
  return to;
}

static heddle_state *through_bytes(heddle_state *state, heddle_context *ctx,
                                   const heddle_options *options) {
  size_t bytes;
  heddle_state *again = NULL;
  void *to = saved(state, &bytes);
  same_status(HEDDLE_OK, heddle_state_load(ctx, to, bytes, options, &again), "load: %s",
              heddle_message());
  heddle_state_free(state);
  free(to);
  return again;
}

static void same_saved(heddle_state *expected, heddle_state *got, const char *what) {
  size_t bytes, others;
  void *a = saved(expected, &bytes), *b = saved(got, &others);
  assert_int_equal(bytes, others);
  same_bytes(a, b, bytes, "bytes of the %s state and of the merged one", what);
  free(a);
  free(b);
}

/* ---- cuts and trees ------------------------------------------------------------------------------ */

/* Cuts that are likely at, before and behind multiples of a chunk, or one on the other. */
static void cut(uint64_t *seed, size_t n, size_t cuts[PIECES + 1], size_t pieces) {
  cuts[0] = 0;
  for (size_t i = 1; i < pieces; i++) {
    const size_t chunk = (size_t)512 << draw(seed, 3);
    size_t at = draw(seed, n + 1);
    if (draw(seed, 3)) at = at / chunk * chunk + draw(seed, 3) - (at >= chunk);
    if (!draw(seed, 5)) at = cuts[i - 1];
    cuts[i] = at > n ? n : at;
  }
  cuts[pieces] = n;
  for (size_t i = 1; i < pieces; i++) /* few: sorted by hand */
    for (size_t k = i; k > 1 && cuts[k] < cuts[k - 1]; k--) {
      const size_t t = cuts[k];
      cuts[k] = cuts[k - 1], cuts[k - 1] = t;
    }
}

static heddle_state *take(const machine *m, const job *j, const char *x, const char *y, size_t from,
                          size_t to, uint64_t *seed) {
  heddle_context *const contexts[2] = {m->ctx, other};
  heddle_state *state = begin(contexts[draw(seed, 3) == 2], j, from);
  while (from < to) {
    size_t n = 1 + draw(seed, draw(seed, 2) ? 40 : 5000);
    if (n > to - from) n = to - from;
    update(j, state, x + from * j->size, y + from * j->size, n);
    from += n;
    if (!draw(seed, 6)) state = through_bytes(state, contexts[draw(seed, 2)], &j->options);
  }
  return state;
}

/* One state is left, of them all. */
static heddle_state *merge_all(const job *j, heddle_state **states, size_t count, uint64_t *seed) {
  while (count > 1) {
    size_t left = draw(seed, count - 1), right = left + 1;
    if (j->order_free) right = (left + 1 + draw(seed, count - 1)) % count;
    const int back = draw(seed, 2) == 1;
    heddle_state *into = states[back ? right : left], *from = states[back ? left : right];
    same_status(HEDDLE_OK, heddle_state_merge(into, from), "merge: %s", heddle_message());
    heddle_state_free(from);
    const size_t keep = left < right ? left : right, drop = left < right ? right : left;
    states[keep] = into;
    for (size_t i = drop; i + 1 < count; i++) states[i] = states[i + 1];
    count--;
  }
  return states[0];
}

static void merged_pieces(const machine *m, const job *j, const char *x, const char *y, size_t n,
                          uint64_t seed) {
  const uint64_t first = seed;
  const size_t pieces = 1 + draw(&seed, PIECES);
  size_t cuts[PIECES + 1];
  heddle_state *states[PIECES];
  cut(&seed, n, cuts, pieces);
  for (size_t i = 0; i < pieces; i++) states[i] = take(m, j, x, y, cuts[i], cuts[i + 1], &seed);
  heddle_state *state = merge_all(j, states, pieces, &seed), *whole = begin(m->ctx, j, 0);
  check(j, state, x, y, n, m->label, first);
  update(j, whole, x, y, n);
  same_saved(whole, state, "whole");
  heddle_state_free(whole);
  heddle_state_details d = HEDDLE_STATE_DETAILS_INIT;
  same_status(HEDDLE_OK, heddle_state_info(state, &d), "info");
  assert_true(d.count == n && d.start == 0 && d.type == j->type);
  state = through_bytes(state, draw(&seed, 2) ? m->ctx : other, &j->options);
  const size_t more = 1 + draw(&seed, MORE);
  update(j, state, x + n * j->size, y + n * j->size, more);
  check(j, state, x, y, n + more, m->label, first);
  heddle_state_free(state);
}

/* ---- every verb, operator and type --------------------------------------------------------------- */

static size_t lengths[] = {0, 1, 700, 1024, 2049, 9000, 40000};

static void run_job(const job *given, enum data_kind kind) {
  job j = *given;
  const size_t most = 40000;
  j.size = data_size(j.type);
  char *x = data_new(kind, j.type, 21 + (uint64_t)j.op, most + MORE);
  char *y = data_new(DATA_WIDE, j.type, 22, most + MORE);
  if (j.verb == EXACT_OF_DOT) /* a sum that is certainly below zero */
    for (size_t i = 0; i < most + MORE; i++)
      data_put(j.type, y, i, data_bits(j.type, x, i) ^ 1ull << (8 * j.size - 1));
  for (size_t i = 0; i < compare_on.count; i = machines_after(&compare_on, i, 6)) {
    const machine *m = &compare_on.of[i];
    if (!compare_takes(i, compare_job("merge", (int)j.verb * 16 + (int)j.op, j.type, &j.options)))
      continue;
    for (size_t l = 0; l < 7; l++) {
      const size_t n = lengths[l] / (m->slow ? 3 : 1);
      merged_pieces(m, &j, x, y, n, i * 100 + l * 7 + (uint64_t)j.type);
    }
  }
  free(x);
  free(y);
}

static void reductions(void **unused) {
  (void)unused;
  uint64_t init;
  for (size_t t = 0; t < type_count; t++)
    for (size_t o = 0; o < op_count; o++) {
      const heddle_op op = all_ops[o];
      const heddle_type type = all_types[t];
      if (!ref_reduces(op, type)) continue;
      const int arithmetic = ref_class_of(op) == REF_ARITHMETIC;
      job j = {
          .verb = REDUCE, .op = op, .type = type, .order_free = !arithmetic || !ref_is_float(type)};
      j.options = make_options(nan_policies[(t + o) % 2], 0, 0, NULL);
      if (arithmetic && ref_is_float(type) && (t ^ o) & 1) j.options.acc_type = HEDDLE_F64;
      data_fill(DATA_WIDE, ref_out_type(op, type, &j.options), 5, 1, &init);
      if ((t + o) % 3 == 0) j.options.init = &init;
      run_job(&j, op == HEDDLE_PROD ? DATA_NEAR1 : (t + o) & 1 ? DATA_HOLES : DATA_SPECIAL);
    }
}

static void other_verbs(void **unused) {
  (void)unused;
  for (size_t t = 0; t < type_count; t++)
    for (int nan = 0; nan < 2; nan++) {
      const heddle_type type = all_types[t];
      job j = {
          .verb = ARGREDUCE, .op = nan ? HEDDLE_MIN : HEDDLE_MAX, .type = type, .order_free = 1};
      j.options = make_options(nan_policies[(t + (size_t)nan) % 2], 0, 0, NULL);
      run_job(&j, t & 1 ? DATA_SMALL : DATA_HOLES);
      j.verb = DOT, j.op = HEDDLE_SUM, j.order_free = !ref_is_float(type);
      run_job(&j, DATA_HOLES);
      j.verb = DESCRIBE, j.order_free = 0;
      j.options.figures = every_figures[t % 3];
      run_job(&j, DATA_HOLES);
    }
}

static void exact_sums(void **unused) {
  (void)unused;
  uint64_t init;
  for (size_t t = 0; t < float_type_count; t++)
    for (int what = 0; what < 3; what++) {
      const heddle_type type = float_types[t];
      job j = {.verb = what == 2 ? EXACT_OF_DOT : EXACT, .type = type, .order_free = 1};
      j.op = what == 1 ? HEDDLE_SUM_SQUARES : HEDDLE_SUM;
      j.options = exact_options(nan_policies[what & 1], what ? HEDDLE_F64 : type);
      data_fill(DATA_WIDE, j.options.out_type, 6, 1, &init);
      if (what != 1) j.options.init = &init;
      if (what == 1) j.options.divisor = 1000;
      run_job(&j, t & 1 ? DATA_WIDE : DATA_TINY);
      run_job(&j, DATA_SPECIAL);
    }
}

/* ---- custom operators ------------------------------------------------------------------------------ */

/* Composition of affine maps modulo 2^32, which does not commute. */
typedef struct map {
  uint32_t a, b;
} map;
static map compose(map f, map g) { return (map){g.a * f.a, g.a * f.b + g.b}; }
static heddle_status map_combine(void *acc, const void *x, size_t n, void *user) {
  (void)user;
  for (size_t i = 0; i < n; i++) ((map *)acc)[i] = compose(((map *)acc)[i], ((const map *)x)[i]);
  return HEDDLE_OK;
}
static heddle_status map_pairs(void *out, const void *x, size_t n, void *user) {
  (void)user;
  for (size_t i = 0; i < n; i++)
    ((map *)out)[i] = compose(((const map *)x)[2 * i], ((const map *)x)[2 * i + 1]);
  return HEDDLE_OK;
}
static const map map_identity = {1, 0};
static const heddle_custom map_operator = {sizeof(heddle_custom),
                                           sizeof(map),
                                           &map_identity,
                                           0,
                                           map_combine,
                                           map_pairs,
                                           NULL,
                                           "uint2: make_uint2(b.x * a.x, b.x * a.y + b.y)"};

static void custom_pieces(void **unused) {
  (void)unused;
  enum { LENGTH = 6000 };
  heddle_options options = make_options(0, 0, 0, NULL);
  options.custom = &map_operator;
  map *x = data_new(DATA_WIDE, HEDDLE_U64, 9, LENGTH), total = map_identity;
  for (size_t i = 0; i < LENGTH; i++) total = compose(total, x[i]);
  for (size_t i = 0; i < compare_on.count; i = machines_after(&compare_on, i, 6)) {
    heddle_context *ctx = compare_on.of[i].ctx;
    uint64_t seed = i;
    if (!compare_takes(i, compare_job("merge", 3, HEDDLE_F32, NULL))) continue;
    for (int turn = 0; turn < 6; turn++) {
      size_t cuts[PIECES + 1];
      heddle_state *states[PIECES];
      const job j = {.order_free = 0};
      map got = {0, 0};
      cut(&seed, LENGTH, cuts, PIECES);
      for (size_t p = 0; p < PIECES; p++) {
        options.start = cuts[p];
        same_status(HEDDLE_OK,
                    heddle_reduce_begin(ctx, HEDDLE_OP_CUSTOM, HEDDLE_CUSTOM, &options, &states[p]),
                    "begin: %s", heddle_message());
        same_status(HEDDLE_OK, heddle_reduce_update(states[p], x + cuts[p], cuts[p + 1] - cuts[p]),
                    "update");
        if (draw(&seed, 2)) states[p] = through_bytes(states[p], ctx, &options);
      }
      heddle_state *state = merge_all(&j, states, PIECES, &seed);
      same_status(HEDDLE_OK, heddle_reduce_finish(state, &got), "finish: %s", heddle_message());
      same_bytes(&total, &got, sizeof got, "maps merged on %s", compare_on.of[i].label);
      heddle_state_free(state);
    }
  }
  free(x);
}

static int setup(void **state) {
  other = open_cpu("scalar", 1);
  return compare_setup(state) || !other;
}
static int teardown(void **state) {
  heddle_close(other);
  return compare_teardown(state);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(reductions), cmocka_unit_test(other_verbs),
                                     cmocka_unit_test(exact_sums), cmocka_unit_test(custom_pieces)};
  return cmocka_run_group_tests(tests, setup, teardown);
}
