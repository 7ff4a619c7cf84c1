/* test_states.c - begin, update, finish: any cut of the input gives the bits of the whole call
 *
 * Results are compared after every tenth update too, with the reference on what came so far. */
#include "compare.h"

/* The next piece: none, a few elements, around a chunk, or a long one. */
static size_t piece(uint64_t seed, size_t i, size_t left) {
  const uint64_t w = data_word(seed, i);
  static const size_t most[] = {1, 3, 40, 1100, 2100, 5000, 70000, 1};
  const size_t n = (size_t)(w >> 8) % most[w & 7] + (w & 7 ? (w >> 3) & 1 : 0);
  return n < left ? n : left;
}

static int takes(const machine *m, const char *what, int op, heddle_type type) {
  return compare_takes((size_t)(m - compare_on.of), compare_job(what, (int)op, type, NULL));
}

static size_t length_for(heddle_type type) {
  return ((size_t)1 << 19) / data_size(type) / lightness() + 7777;
}

static void reduce_in_pieces(const machine *m, heddle_op op, heddle_type type, const char *x,
                             size_t n, uint64_t seed, const heddle_options *options) {
  heddle_state *state = NULL;
  unsigned char expected[8], got[8];
  if (!takes(m, "reduce state", (int)op, type)) return;
  const size_t out_size = data_size(ref_out_type(op, type, options));
  same_status(HEDDLE_OK, heddle_reduce_begin(m->ctx, op, type, options, &state), "begin");
  for (size_t i = 0, at = 0; at < n || i < 3; i++) {
    const size_t count = piece(seed, i, n - at);
    same_status(HEDDLE_OK, heddle_reduce_update(state, x + at * data_size(type), count), "update");
    at += count;
    if (i % 10 && at < n) continue;
    const heddle_status status = ref_reduce(op, type, x, at, expected, options);
    same_status(status, heddle_reduce_finish(state, got), "finish");
    if (status == HEDDLE_OK)
      same_bytes(expected, got, out_size, "%s of %zu %s in pieces, seed %d, on %s", op_name(op), at,
                 heddle_type_name(type), (int)seed, m->label);
  }
  heddle_state_free(state);
}

static void reduce_states(void **unused) {
  (void)unused;
  for (size_t t = 0; t < type_count; t++) {
    const heddle_type type = all_types[t];
    const size_t n = length_for(type);
    for (size_t o = 0; o < op_count; o++) {
      const heddle_op op = all_ops[o];
      if (!ref_reduces(op, type)) continue;
      void *x = data_new(op == HEDDLE_PROD ? DATA_NEAR1 : DATA_HOLES, type, 1, n);
      const heddle_options skip = make_options(HEDDLE_NAN_SKIP, 0, 0, NULL);
      for (size_t i = 0; i < compare_on.count; i = machines_after(&compare_on, i, 5))
        reduce_in_pieces(&compare_on.of[i], op, type, x, i % 3 ? n / 40 : n, i,
                         i % 2 ? &skip : NULL);
      free(x);
    }
  }
}

static void argreduce_states(void **unused) {
  (void)unused;
  for (size_t t = 0; t < type_count; t++)
    for (size_t i = 0; i < compare_on.count; i = machines_after(&compare_on, i, 4)) {
      const heddle_type type = all_types[t];
      if (!takes(&compare_on.of[i], "argreduce state", (int)t % 4 * 3, type)) continue;
      const size_t n = length_for(type) / (i % 3 ? 40 : 1);
      char *x = data_new(i & 8 ? DATA_HOLES : DATA_SMALL, type, 2, n);
      const heddle_options options = make_options(i & 4 ? HEDDLE_NAN_SKIP : 0, 0, 0, NULL);
      const heddle_extreme which = i & 1 ? HEDDLE_ARGMIN : HEDDLE_ARGMAX;
      heddle_state *state = NULL;
      uint64_t expected_index = 0, index = 0;
      unsigned char expected[8], value[8];
      same_status(HEDDLE_OK,
                  heddle_argreduce_begin(compare_on.of[i].ctx, which, type, &options, &state),
                  "begin");
      assert_int_equal(heddle_argreduce_finish(state, value, &index), HEDDLE_EMPTY);
      for (size_t p = 0, at = 0; at < n; p++) {
        const size_t count = piece(i, p, n - at);
        same_status(HEDDLE_OK, heddle_argreduce_update(state, x + at * data_size(type), count),
                    "update");
        at += count;
        if ((p % 10 && at < n) || at == 0) continue;
        const heddle_status status =
            ref_argreduce(which, type, x, at, expected, &expected_index, &options);
        same_status(status, heddle_argreduce_finish(state, value, &index), "finish");
        if (status != HEDDLE_OK) continue;
        same_bytes(&expected_index, &index, 8, "index of %zu in pieces", at);
        same_bytes(expected, value, data_size(type), "value of %zu in pieces", at);
      }
      heddle_state_free(state);
      free(x);
    }
}

static void dot_and_describe_states(void **unused) {
  (void)unused;
  for (size_t t = 0; t < type_count; t++)
    for (size_t i = 0; i < compare_on.count; i = machines_after(&compare_on, i, 5)) {
      const heddle_type type = all_types[t];
      if (!takes(&compare_on.of[i], "dot state", (int)t % 4 * 3, type)) continue;
      const size_t n = length_for(type) / (i % 3 ? 40 : 1), size = data_size(type);
      char *x = data_new(DATA_HOLES, type, 3, n), *y = data_new(DATA_WIDE, type, 4, n);
      const heddle_options skip = make_options(HEDDLE_NAN_SKIP, 0, 0, NULL);
      const heddle_options *options = i & 1 ? &skip : NULL;
      heddle_state *dot = NULL, *describe = NULL;
      heddle_context *ctx = compare_on.of[i].ctx;
      same_status(HEDDLE_OK, heddle_dot_begin(ctx, type, options, &dot), "begin");
      same_status(HEDDLE_OK, heddle_describe_begin(ctx, type, options, &describe), "begin");
      for (size_t p = 0, at = 0; at < n; p++) {
        const size_t count = piece(i, p, n - at);
        same_status(HEDDLE_OK, heddle_dot_update(dot, x + at * size, y + at * size, count), "dot");
        same_status(HEDDLE_OK, heddle_describe_update(describe, x + at * size, count), "describe");
        at += count;
        if (p % 10 && at < n) continue;
        unsigned char expected[8], got[8];
        heddle_description wanted, given = HEDDLE_DESCRIPTION_INIT;
        assert_int_equal(ref_dot(type, x, y, at, expected, options), HEDDLE_OK);
        assert_int_equal(ref_describe(type, x, at, &wanted, options), HEDDLE_OK);
        same_status(HEDDLE_OK, heddle_dot_finish(dot, got), "dot");
        same_status(HEDDLE_OK, heddle_describe_finish(describe, &given), "describe");
        same_bytes(expected, got, data_size(ref_acc_type(HEDDLE_SUM, type, NULL)),
                   "dot of %zu %s in pieces on %s", at, heddle_type_name(type),
                   compare_on.of[i].label);
        same_description(&wanted, &given, "describe of %zu %s in pieces on %s", at,
                         heddle_type_name(type), compare_on.of[i].label);
      }
      heddle_state_free(dot);
      heddle_state_free(describe);
      free(x);
      free(y);
    }
}

static void scan_in_pieces(const machine *m, heddle_op op, heddle_scan_kind kind, heddle_type type,
                           const char *x, size_t n, uint64_t seed, const heddle_options *options) {
  const heddle_type out_type = options && options->out_type ? options->out_type : type;
  const size_t size = data_size(out_type);
  char *expected = allocate(n * size), *got = allocate(n * size), total[8], wanted[8];
  heddle_state *state = NULL;
  if (!takes(m, "scan state", (int)op, type)) {
    free(expected);
    free(got);
    return;
  }
  assert_int_equal(ref_scan(op, kind, type, x, n, expected, options), HEDDLE_OK);
  same_status(HEDDLE_OK, heddle_scan_begin(m->ctx, op, kind, type, options, &state), "begin");
  for (size_t i = 0, at = 0; at < n; i++) {
    const size_t count = piece(seed, i, n - at);
    same_status(HEDDLE_OK,
                heddle_scan_update(state, x + at * data_size(type), count, got + at * size),
                "update");
    at += count;
    if ((i % 10 && at < n) || at == 0) continue;
    heddle_options as_reduce = make_options(0, 0, out_type, NULL);
    if (options) as_reduce = *options;
    as_reduce.out_type = out_type;
    assert_int_equal(ref_reduce(op, type, x, at, wanted, &as_reduce), HEDDLE_OK);
    same_status(HEDDLE_OK, heddle_scan_finish(state, total), "finish");
    same_bytes(wanted, total, size, "total of a scan in pieces, %zu of %zu", at, n);
  }
  same_array(out_type, expected, got, n, "%s scan kind %d of %s in pieces, seed %d, on %s",
             op_name(op), kind, heddle_type_name(type), (int)seed, m->label);
  heddle_state_free(state);
  free(expected);
  free(got);
}

static void scan_states(void **unused) {
  (void)unused;
  for (size_t t = 0; t < type_count; t++) {
    const heddle_type type = all_types[t];
    const size_t n = length_for(type);
    unsigned char init[8];
    data_fill(DATA_WIDE, type, 77, 1, init);
    for (size_t o = 0; o < op_count; o++) {
      const heddle_op op = all_ops[o];
      if (!ref_is_numeric(op)) continue;
      void *x = data_new(op == HEDDLE_PROD ? DATA_NEAR1 : DATA_WIDE, type, 5, n);
      const heddle_options options = make_options(0, 0, type, init);
      for (size_t i = 0; i < compare_on.count; i = machines_after(&compare_on, i, 5))
        for (size_t kind = 0; kind < 2; kind++)
          if (i >= compare_on.cpus || kind == (i & 1))
            scan_in_pieces(&compare_on.of[i], op, scan_kinds[kind], type, x, i % 3 ? n / 40 : n, i,
                           (i >> 1 ^ t ^ kind) & 1 ? &options : NULL);
      free(x);
    }
  }
}

/* One element at a time, across chunks. */
static void single_elements(void **unused) {
  (void)unused;
  enum { LENGTH = 4200 };
  double *x = data_new(DATA_WIDE, HEDDLE_F64, 6, LENGTH);
  for (size_t m = 0; m < compare_on.count; m = machines_after(&compare_on, m, 9)) {
    if (compare_on.of[m].slow && m != compare_on.cpus + 1) continue;
    heddle_state *sum = NULL, *scan = NULL;
    heddle_context *ctx = compare_on.of[m].ctx;
    assert_int_equal(heddle_reduce_begin(ctx, HEDDLE_SUM, HEDDLE_F64, NULL, &sum), HEDDLE_OK);
    assert_int_equal(heddle_scan_begin(ctx, HEDDLE_SUM, HEDDLE_INCLUSIVE, HEDDLE_F64, NULL, &scan),
                     HEDDLE_OK);
    for (size_t i = 0; i < (compare_on.of[m].slow ? 200 : LENGTH); i++) {
      double total, running, expected;
      assert_int_equal(heddle_reduce_update(sum, &x[i], 1), HEDDLE_OK);
      assert_int_equal(heddle_scan_update(scan, &x[i], 1, &running), HEDDLE_OK);
      assert_int_equal(heddle_reduce_finish(sum, &total), HEDDLE_OK);
      assert_int_equal(heddle_reduce(ctx, HEDDLE_SUM, HEDDLE_F64, x, i + 1, &expected, NULL),
                       HEDDLE_OK);
      same_bytes(&expected, &total, 8, "sum of %zu, one at a time", i + 1);
      same_bytes(&expected, &running, 8, "scan of %zu, one at a time", i + 1);
    }
    heddle_state_free(sum);
    heddle_state_free(scan);
  }
  free(x);
}

/* Two states of one context do not mix, and neither do plain calls in between. */
static void states_are_apart(void **unused) {
  (void)unused;
  enum { LENGTH = 10000 };
  float *x = data_new(DATA_WIDE, HEDDLE_F32, 7, LENGTH),
        *y = data_new(DATA_WIDE, HEDDLE_F32, 8, LENGTH);
  heddle_context *ctx = compare_on.of[1].ctx;
  heddle_state *a = NULL, *b = NULL;
  float expected, got, other;
  assert_int_equal(heddle_reduce_begin(ctx, HEDDLE_SUM, HEDDLE_F32, NULL, &a), HEDDLE_OK);
  assert_int_equal(heddle_reduce_begin(ctx, HEDDLE_SUM, HEDDLE_F32, NULL, &b), HEDDLE_OK);
  for (size_t i = 0; i < LENGTH; i += 500) {
    assert_int_equal(heddle_reduce_update(a, x + i, 500), HEDDLE_OK);
    assert_int_equal(heddle_reduce(ctx, HEDDLE_SUM, HEDDLE_F32, x, i, &other, NULL), HEDDLE_OK);
    assert_int_equal(heddle_reduce_update(b, y + i, 500), HEDDLE_OK);
  }
  assert_int_equal(ref_reduce(HEDDLE_SUM, HEDDLE_F32, x, LENGTH, &expected, NULL), HEDDLE_OK);
  assert_int_equal(heddle_reduce_finish(a, &got), HEDDLE_OK);
  same_bytes(&expected, &got, sizeof got, "the first state");
  assert_int_equal(ref_reduce(HEDDLE_SUM, HEDDLE_F32, y, LENGTH, &expected, NULL), HEDDLE_OK);
  assert_int_equal(heddle_reduce_finish(b, &got), HEDDLE_OK);
  same_bytes(&expected, &got, sizeof got, "the second state");
  heddle_state_free(a);
  heddle_state_free(b);
  heddle_state_free(NULL);
  free(x);
  free(y);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reduce_states),           cmocka_unit_test(argreduce_states),
      cmocka_unit_test(dot_and_describe_states), cmocka_unit_test(scan_states),
      cmocka_unit_test(single_elements),         cmocka_unit_test(states_are_apart),
  };
  return cmocka_run_group_tests_name("states", tests, compare_setup, compare_teardown);
}
