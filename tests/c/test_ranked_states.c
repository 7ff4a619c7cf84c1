/* test_ranked_states.c - first elements, and elements of given ranks, of data that come in pieces
 *
 * longer than 400 lines because two kinds of states are cut, merged, refused and fed with bytes in one way
 *
 * Method   Arrays of many distributions are cut at random; each piece goes to a state of some machine, which may go
 *          through bytes; states are merged by random trees. What comes has the bits of heddle_partial_sort and
 *          heddle_nth of the whole array. Then what is refused: states of other calls, bytes that are anyone's. */
#include "saved.h"
#include "sort_reference.h"

enum { MOST = 6000, PIECES = 5 };

static heddle_context *other; /* a scalar CPU on one thread */

static void ok(heddle_status got, const char *what) {
  same_status(HEDDLE_OK, got, "%s: %s", what, heddle_message());
}

static void merge_all(heddle_state **piece, size_t pieces, uint64_t *seed) {
  while (pieces > 1) {
    const size_t a = draw(seed, pieces), b = (a + 1 + draw(seed, pieces - 1)) % pieces;
    ok(heddle_state_merge(piece[a], piece[b]), "merge");
    heddle_state_free(piece[b]);
    piece[b] = piece[--pieces];
  }
}

/* ---- first elements ----------------------------------------------------------------------------- */

struct firsts {
  size_t found;
  char value[MOST * 8];
  uint64_t at[MOST];
};

static heddle_state *firsts_begun(heddle_context *ctx, heddle_type type, size_t k, uint64_t start,
                                  const heddle_sort_options *options) {
  heddle_state *state = NULL;
  ok(heddle_partial_sort_begin(ctx, type, k, start, options, &state), "begin");
  return state;
}

static void take(heddle_state *state, const char *in, size_t count) {
  ok(heddle_partial_sort_update(state, in, count), "update");
}

/* All of it in pieces. */
static heddle_state *firsts_in_pieces(const machine *m, heddle_type type, size_t k, size_t n,
                                      const char *in, const heddle_sort_options *options,
                                      uint64_t *seed) {
  heddle_state *piece[PIECES];
  const size_t size = data_size(type);
  const size_t pieces = 1 + draw(seed, PIECES);
  size_t at = 0;
  for (size_t p = 0; p < pieces; p++) {
    heddle_context *const ctx = draw(seed, 2) ? m->ctx : other;
    const size_t end = p + 1 == pieces ? n : at + draw(seed, n - at + 1);
    const size_t middle = at + draw(seed, end - at + 1);
    piece[p] = firsts_begun(ctx, type, k, at, options);
    take(piece[p], in + at * size, middle - at);
    if (!draw(seed, 3)) {
      heddle_state *const copy = loaded(ctx, piece[p]);
      heddle_state_free(piece[p]);
      piece[p] = copy;
    }
    take(piece[p], in + middle * size, end - middle);
    at = end;
  }
  merge_all(piece, pieces, seed);
  return piece[0];
}

static void check_firsts(const machine *m, heddle_type type, enum sort_kind kind, size_t n,
                         uint64_t seed) {
  static struct firsts got, wanted;
  const size_t size = data_size(type), k = draw(&seed, 3) ? draw(&seed, 40) : draw(&seed, n + 9);
  const heddle_sort_options options = sort_options((int)draw(&seed, 2), (int)draw(&seed, 2));
  heddle_state_details d = HEDDLE_STATE_DETAILS_INIT;
  char *in = allocate(n * size + 1);
  sort_fill(kind, type, seed, n, in);
  heddle_state *state = firsts_in_pieces(m, type, k, n, in, &options, &seed);
  ok(heddle_state_info(state, &d), "info");
  assert_true(d.first == k && d.count == n && d.start == 0 && d.type == type && !d.shares &&
              !d.ranks);
  memset(&got, 0, sizeof got);
  memset(&wanted, 0, sizeof wanted);
  ok(heddle_partial_sort_finish(state, got.value, HEDDLE_U64, got.at, &got.found), "finish");
  wanted.found = k < n ? k : n;
  ok(heddle_partial_sort(other, type, in, n, wanted.found, wanted.value, HEDDLE_U64, wanted.at,
                         &options),
     "whole");
  same_bytes(&wanted, &got, sizeof got, "the first %zu of %zu %s %s in pieces, on %s", k, n,
             sort_name(kind), heddle_type_name(type), m->label);
  uint32_t narrow[MOST];
  ok(heddle_partial_sort_finish(state, NULL, HEDDLE_U32, narrow, &got.found), "finish");
  for (size_t i = 0; i < got.found; i++) assert_int_equal(narrow[i], wanted.at[i]);
  heddle_state_free(state);
  free(in);
}

static void first_elements(void **unused) {
  (void)unused;
  static const size_t lengths[] = {0, 1, 7, 300, MOST - 9};
  size_t turn = 0, machine_of = 0;
  for (size_t t = 0; t < type_count; t++)
    for (int kind = 0; kind < SORT_KINDS; kind++)
      for (size_t l = 0; l < COUNT(lengths); l++)
        if (turn++ % (3 * lightness()) == 0)
          check_firsts(&sort_on.of[machine_of++ % sort_on.count], all_types[t],
                       (enum sort_kind)kind, lengths[l], turn);
}

/* From the device's memory, and to it. */
static void on_a_device(void **unused) {
  (void)unused;
  enum { N = 2000, K = 20 };
  for (size_t m = sort_on.cpus; m < sort_on.count; m++) {
    heddle_context *const ctx = sort_on.of[m].ctx;
    float *x = data_new(DATA_WIDE, HEDDLE_F32, 3, N), values[K], wanted[K];
    uint64_t at[K], wanted_at[K];
    char *there = NULL;
    size_t found;
    ok(heddle_device_alloc(ctx, N * sizeof *x + K * 16, (void **)&there), "device memory");
    ok(heddle_copy(ctx, there, x, N * sizeof *x), "copy");
    heddle_state *state = firsts_begun(ctx, HEDDLE_F32, K, 0, NULL);
    take(state, there, 999);
    take(state, there + 999 * sizeof *x, N - 999);
    char *const out = there + N * sizeof *x;
    ok(heddle_partial_sort_finish(state, out + K * 8, HEDDLE_U64, out, &found), "finish");
    ok(heddle_copy(ctx, at, out, sizeof at), "copy");
    ok(heddle_copy(ctx, values, out + K * 8, sizeof values), "copy");
    ok(heddle_partial_sort(other, HEDDLE_F32, x, N, K, wanted, HEDDLE_U64, wanted_at, NULL), "all");
    same_bytes(wanted, values, sizeof values, "elements");
    same_bytes(wanted_at, at, sizeof at, "positions");
    ok(heddle_device_free(ctx, there), "free");
    heddle_state_free(state);
    free(x);
  }
}

/* ---- ranks -------------------------------------------------------------------------------------- */

static heddle_state *nth_begun(heddle_context *ctx, heddle_type type, const uint64_t *ranks,
                               size_t count, const heddle_sort_options *options) {
  heddle_state *state = NULL;
  ok(heddle_nth_begin(ctx, type, ranks, count, options, &state), "begin");
  return state;
}

static int round_of(heddle_state *state) {
  int again = -1;
  ok(heddle_quantiles_round(state, &again), "round");
  return again;
}

static heddle_state *pass(const machine *m, heddle_state *from, heddle_type type, size_t n,
                          const char *in, uint64_t *seed) {
  heddle_state *piece[PIECES];
  const size_t size = data_size(type), pieces = 1 + draw(seed, PIECES);
  size_t at = 0;
  for (size_t p = 0; p < pieces; p++) {
    const size_t end = p + 1 == pieces ? n : at + draw(seed, n - at + 1);
    piece[p] = loaded(draw(seed, 2) ? m->ctx : other, from);
    ok(heddle_quantiles_update(piece[p], in + at * size, end - at), "update");
    at = end;
  }
  merge_all(piece, pieces, seed);
  heddle_state_free(from);
  return piece[0];
}

static void check_nth(const machine *m, heddle_type type, enum sort_kind kind, size_t n,
                      uint64_t seed) {
  enum { RANKS = 4 };
  const size_t size = data_size(type), count = n ? draw(&seed, RANKS + 1) : 0;
  const heddle_sort_options options = sort_options((int)draw(&seed, 2), (int)draw(&seed, 2));
  heddle_state_details d = HEDDLE_STATE_DETAILS_INIT;
  uint64_t ranks[RANKS];
  char wanted[RANKS * 8] = {0}, got[RANKS * 8] = {0}, *in = allocate(n * size + 1);
  for (size_t j = 0; j < count; j++) ranks[j] = draw(&seed, n);
  sort_fill(kind, type, seed, n, in);
  heddle_state *state = nth_begun(m->ctx, type, ranks, count, &options);
  do {
    state = pass(m, state, type, n, in, &seed);
    ok(heddle_state_info(state, &d), "info");
    assert_true(d.ranks == count && !d.shares && d.count == n && d.again == 1 && d.type == type);
  } while (round_of(state));
  heddle_state *const done = loaded(other, state);
  ok(heddle_nth_finish(done, got), "finish");
  ok(heddle_nth(other, type, in, n, ranks, count, wanted, &options), "whole");
  same_bytes(wanted, got, sizeof got, "%zu ranks of %zu %s %s in pieces, on %s", count, n,
             sort_name(kind), heddle_type_name(type), m->label);
  heddle_state_free(done);
  heddle_state_free(state);
  free(in);
}

static void ranks_of_pieces(void **unused) {
  (void)unused;
  static const size_t lengths[] = {0, 1, 900, MOST};
  size_t turn = 0, machine_of = 0;
  for (size_t t = 0; t < type_count; t++)
    for (int kind = 0; kind < SORT_KINDS; kind++)
      for (size_t l = 0; l < COUNT(lengths); l++)
        if (turn++ % (7 * lightness()) == 0)
          check_nth(&sort_on.of[machine_of++ % sort_on.count], all_types[t], (enum sort_kind)kind,
                    lengths[l], turn);
}

/* ---- what is refused ---------------------------------------------------------------------------- */

static void refused(heddle_status got, heddle_status status, const char *words) {
  same_status(status, got, "refused: %s", heddle_message());
  if (!strstr(heddle_message(), words)) fail_msg("`%s` is not in: %s", words, heddle_message());
}

static void unlike(heddle_state *a, heddle_state *b, const char *words) {
  refused(heddle_state_merge(a, b), HEDDLE_BAD_ARGUMENT, words);
  heddle_state_free(b);
}

static void firsts_of_other_calls(void **unused) {
  (void)unused;
  const float x[] = {3, 1, 2, 9};
  const heddle_sort_options falling = sort_options(1, 0), nan_first = sort_options(0, 1);
  float out[4];
  uint32_t index[4];
  size_t found;
  heddle_state *a = firsts_begun(other, HEDDLE_F32, 2, 0, NULL), *b;
  take(a, (const char *)x, 4);
  unlike(a, firsts_begun(other, HEDDLE_F64, 2, 0, NULL), "another type");
  unlike(a, firsts_begun(other, HEDDLE_F32, 3, 0, NULL), "another k");
  unlike(a, firsts_begun(other, HEDDLE_F32, 2, 0, &falling), "another descending");
  unlike(a, firsts_begun(other, HEDDLE_F32, 2, 0, &nan_first), "another nan_first");
  unlike(a, loaded(other, a), "the same position");
  ok(heddle_reduce_begin(other, HEDDLE_SUM, HEDDLE_F32, NULL, &b), "sum");
  unlike(a, b, "first elements and `from` a fold");
  b = firsts_begun(other, HEDDLE_F32, 2, UINT64_MAX - 3, NULL);
  refused(heddle_partial_sort_update(b, x, 4), HEDDLE_BAD_ARGUMENT, "positions end");
  take(b, (const char *)x, 3);
  refused(heddle_partial_sort_finish(b, out, HEDDLE_U32, index, &found), HEDDLE_BAD_ARGUMENT,
          "do not fit HEDDLE_U32");
  heddle_state_free(b);
  refused(heddle_partial_sort_finish(a, out, HEDDLE_U32, out, &found), HEDDLE_BAD_ARGUMENT,
          "overlap");
  refused(heddle_partial_sort_finish(a, out, HEDDLE_F32, index, &found), HEDDLE_BAD_ARGUMENT,
          "index_type");
  refused(heddle_partial_sort_finish(a, out, HEDDLE_U32, index, NULL), HEDDLE_BAD_ARGUMENT,
          "found");
  refused(heddle_partial_sort_begin(other, HEDDLE_F32, SIZE_MAX / 9, 0, NULL, &b),
          HEDDLE_BAD_ARGUMENT, "more than memory can hold");
  refused(heddle_partial_sort_begin(other, HEDDLE_F32, 1, 0, NULL, NULL), HEDDLE_BAD_ARGUMENT,
          "out");
  ok(heddle_prepare_begin(other), "prepare");
  refused(heddle_partial_sort_begin(other, HEDDLE_F32, 1, 0, NULL, &b), HEDDLE_UNSUPPORTED,
          "being prepared");
  ok(heddle_prepare_end(other, NULL), "prepare");
  heddle_state_free(a);
}

static void ranks_of_other_calls(void **unused) {
  (void)unused;
  const float x[] = {3, 1, 2, 9};
  const double q = 0.5;
  const uint64_t ranks[] = {1, 4};
  const heddle_sort_options falling = sort_options(1, 0);
  double out[2];
  int again;
  heddle_state *a = nth_begun(other, HEDDLE_F32, ranks, 1, NULL), *b;
  unlike(a, nth_begun(other, HEDDLE_F32, ranks, 2, NULL), "ranks: 1 and `from` 2");
  unlike(a, nth_begun(other, HEDDLE_F32, ranks + 1, 1, NULL), "a rank 1 and `from` 4");
  unlike(a, nth_begun(other, HEDDLE_F32, ranks, 1, &falling), "descending 0 and `from` 1");
  ok(heddle_quantiles_begin(other, HEDDLE_F32, &q, 1, NULL, &b), "quantiles");
  refused(heddle_nth_finish(b, out), HEDDLE_BAD_ARGUMENT, "another verb");
  unlike(a, b, "ranks and `from` quantiles");
  refused(heddle_quantiles_finish(a, out), HEDDLE_BAD_ARGUMENT, "another verb");
  refused(heddle_nth_finish(a, out), HEDDLE_BAD_ARGUMENT, "in its pass 1");
  refused(heddle_nth_begin(other, HEDDLE_F32, ranks, 1 << 17, NULL, &b), HEDDLE_BAD_ARGUMENT,
          "at most 65536");
  heddle_state_free(a);
  a = nth_begun(other, HEDDLE_F32, ranks, 2, NULL);
  ok(heddle_quantiles_update(a, x, 4), "update");
  refused(heddle_quantiles_round(a, &again), HEDDLE_BAD_ARGUMENT, "`ranks[1]` is 4");
  heddle_state_free(a);
}

/* ---- bytes that are anyone's -------------------------------------------------------------------- */

/* Whatever loads can be used to the end; 1: it did. */
static int use(const unsigned char *bytes, size_t count) {
  static const double x[64];
  heddle_state *state = NULL;
  int again = 1;
  size_t found;
  heddle_state_details d = HEDDLE_STATE_DETAILS_INIT;
  unsigned char *copy = malloc(count); /* of exactly this size, for the sanitizer */
  memcpy(copy, bytes, count);
  const heddle_status status = heddle_state_load(other, copy, count, NULL, &state);
  free(copy);
  if (status != HEDDLE_OK) {
    assert_true(status == HEDDLE_BAD_DATA);
    return 0;
  }
  ok(heddle_state_info(state, &d), "info");
  const size_t results = d.first ? count : d.ranks + d.shares; /* it holds no more than bytes */
  double *out = allocate((results + 1) * sizeof *out);
  uint64_t *at = allocate((results + 1) * sizeof *at);
  heddle_state *more = loaded(other, state);
  (void)!heddle_state_merge(more, state);
  (void)!heddle_partial_sort_finish(state, out, HEDDLE_U64, at, &found);
  (void)!heddle_partial_sort_update(more, x, 7);
  (void)!heddle_quantiles_update(state, x, 7);
  for (int i = 0; i < 70 && again && !heddle_quantiles_round(state, &again); i++) {
  }
  (void)!heddle_quantiles_finish(state, out);
  (void)!heddle_nth_finish(state, out);
  heddle_state_free(more);
  heddle_state_free(state);
  free(out);
  free(at);
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
  for (int i = 0; i < 600; i++) {
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

/* Fields of a saved state of first elements, behind the 24 bytes of its head: what each may not say. */
static void fields_of_firsts(void **unused) {
  (void)unused;
  enum { DESCENDING = 28, HELD = 48, START = 56, END = 64, POSITIONS = 80, ELEMENTS = 96 };
  static const struct {
    size_t at;
    unsigned char value;
    const char *words;
  } wrong[] = {{DESCENDING, 2, "no such order"},      {HELD, 1, "as many as came first"},
               {START, 9, "more than its positions"}, {END, 2, "more than its positions"},
               {POSITIONS, 7, "not of its own"},      {ELEMENTS + 3, 0x7f, "out of order"}};
  const float x[] = {3, 1, 2, 9};
  heddle_state *state = firsts_begun(other, HEDDLE_F32, 2, 0, NULL), *none = NULL;
  size_t bytes;
  take(state, (const char *)x, 4);
  unsigned char *good = saved(state, &bytes), *bad = allocate(bytes);
  for (size_t i = 0; i < COUNT(wrong); i++) {
    memcpy(bad, good, bytes);
    bad[wrong[i].at] = wrong[i].value;
    make_fit(bad, bytes);
    refused(heddle_state_load(other, bad, bytes, NULL, &none), HEDDLE_BAD_DATA, wrong[i].words);
  }
  heddle_state_free(state);
  free(good);
  free(bad);
}

static void hostile_bytes(void **unused) {
  (void)unused;
  enum { N = 300 };
  const uint64_t ranks[] = {17, 250};
  float *x = data_new(DATA_HOLES, HEDDLE_F32, 4, N);
  heddle_state *state = firsts_begun(other, HEDDLE_F32, 9, 5, NULL);
  hostile(loaded(other, state), 1);
  take(state, (const char *)x, N);
  hostile(state, 2);
  state = nth_begun(other, HEDDLE_F32, ranks, 2, NULL);
  ok(heddle_quantiles_update(state, x, N), "update");
  assert_int_equal(round_of(state), 1);
  hostile(loaded(other, state), 3);
  ok(heddle_quantiles_update(state, x, N), "update");
  hostile(loaded(other, state), 4);
  assert_int_equal(round_of(state), 0);
  hostile(state, 5);
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
      cmocka_unit_test(first_elements),       cmocka_unit_test(on_a_device),
      cmocka_unit_test(ranks_of_pieces),      cmocka_unit_test(firsts_of_other_calls),
      cmocka_unit_test(ranks_of_other_calls), cmocka_unit_test(fields_of_firsts),
      cmocka_unit_test(hostile_bytes),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
