/* test_custom.c - operators of the caller's own: reduce, scan, rows and states
 *
 * Composition of affine maps in f32 does not commute, and rounds, so that both the order of
 * the operands and the shape of the tree show in the bits. The other operators commute; their
 * elements have 12, 1, 3 and 600 bytes. */
#include "compare.h"
#include "custom_sources.h"

typedef struct affine {
  float a, b;
} affine; /* x -> a x + b; f op g: first f, then g */

static affine compose(affine f, affine g) { return (affine){g.a * f.a, g.a * f.b + g.b}; }

static heddle_status affine_combine(void *acc, const void *x, size_t n, void *user) {
  for (size_t i = 0; i < n; i++)
    ((affine *)acc)[i] = compose(((affine *)acc)[i], ((const affine *)x)[i]);
  return user ? HEDDLE_OK : HEDDLE_BAD_DATA;
}
static heddle_status affine_pairs(void *out, const void *x, size_t n, void *user) {
  const affine *pairs = x;
  for (size_t i = 0; i < n; i++) ((affine *)out)[i] = compose(pairs[2 * i], pairs[2 * i + 1]);
  return user ? HEDDLE_OK : HEDDLE_BAD_DATA;
}

/* Commutative: a sum that rounds, a count and a maximum, 12 bytes. */
typedef struct tally {
  float sum;
  uint32_t count;
  float max;
} tally;

static tally merge(tally a, tally b) {
  return (tally){a.sum + b.sum, a.count + b.count, a.max > b.max ? a.max : b.max};
}
static heddle_status tally_combine(void *acc, const void *x, size_t n, void *user) {
  (void)user;
  for (size_t i = 0; i < n; i++)
    ((tally *)acc)[i] = merge(((tally *)acc)[i], ((const tally *)x)[i]);
  return HEDDLE_OK;
}
static heddle_status tally_pairs(void *out, const void *x, size_t n, void *user) {
  (void)user;
  const tally *pairs = x;
  for (size_t i = 0; i < n; i++) ((tally *)out)[i] = merge(pairs[2 * i], pairs[2 * i + 1]);
  return HEDDLE_OK;
}

/* Any number of bytes: a op b mixes each byte so that the shape of the tree cannot hide. It is
 * not associative; the order is fixed all the same, which is what is tested. 0 is its identity. */
static unsigned char mix(unsigned char a, unsigned char b) {
  if (a == 0 || b == 0) return a | b;
  return (unsigned char)((a + b) ^ ((a & b) << 1) ^ ((a ^ b) >> 3));
}
static heddle_status bytes_combine(void *acc, const void *x, size_t n, void *user) {
  const size_t bytes = *(const size_t *)user;
  for (size_t i = 0; i < n * bytes; i++)
    ((unsigned char *)acc)[i] = mix(((unsigned char *)acc)[i], ((const unsigned char *)x)[i]);
  return HEDDLE_OK;
}
static heddle_status bytes_pairs(void *out, const void *x, size_t n, void *user) {
  const size_t bytes = *(const size_t *)user;
  const unsigned char *p = x;
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < bytes; k++)
      ((unsigned char *)out)[i * bytes + k] = mix(p[2 * i * bytes + k], p[(2 * i + 1) * bytes + k]);
  return HEDDLE_OK;
}

enum { DEVICE_BYTES = 256 }; /* the largest element that a GPU takes */

static int one = 1; /* what the affine operator expects as its user pointer */
static const affine affine_identity = {1, 0};
static const tally tally_identity = {-0.0f, 0, -3e38f};
static const heddle_custom affine_operator = {
    sizeof(heddle_custom), sizeof(affine), &affine_identity, 0, affine_combine,
    affine_pairs,          &one,           affine_source};
static const heddle_custom tally_operator = {
    sizeof(heddle_custom), sizeof(tally), &tally_identity, 1, tally_combine,
    tally_pairs,           NULL,          tally_source};

static void apply(void *acc, const void *x, const void *user) {
  const heddle_custom *custom = user;
  assert_int_equal(custom->combine(acc, x, 1, custom->user), HEDDLE_OK);
}

static ref_order order_of(const heddle_custom *custom) {
  size_t lanes = 1;
  while (2 * lanes * custom->element_bytes <= 512) lanes *= 2;
  return (ref_order){custom->element_bytes, lanes, !custom->commutative, apply, NULL, custom};
}

static heddle_options options_for(const heddle_custom *custom, const void *init) {
  heddle_options options = HEDDLE_OPTIONS_INIT;
  options.custom = custom;
  options.init = init;
  return options;
}

/* op(init, total), or the total alone. */
static void expected_total(const heddle_custom *custom, const void *x, size_t n, const void *init,
                           void *out) {
  const ref_order order = order_of(custom);
  unsigned char total[4096];
  memcpy(total, custom->identity, custom->element_bytes);
  if (n) ref_fold(&order, x, n, total);
  if (init) {
    memcpy(out, init, custom->element_bytes);
    apply(out, total, custom);
  } else {
    memcpy(out, total, custom->element_bytes);
  }
}

static void check(const heddle_custom *custom, const void *x, size_t n, const void *init) {
  const size_t bytes = custom->element_bytes;
  const ref_order order = order_of(custom);
  const heddle_options options = options_for(custom, init);
  char name[40];
  (void)snprintf(name, sizeof name, "%zu bytes, commutative %d", bytes, custom->commutative);
  const uint64_t job = compare_job(name, HEDDLE_OP_CUSTOM, HEDDLE_CUSTOM, NULL);
  size_t at = 0;
  const machine *m = compare_next(&at, n * bytes, job);
  if (!m) return;
  unsigned char expected[4096], got[4096];
  unsigned char *totals = allocate(n * bytes), *scanned = allocate(n * bytes + bytes);
  ref_running(&order, x, n, totals);
  expected_total(custom, x, n, init, expected);
  for (; m; m = compare_next(&at, n * bytes, job)) {
    if (m->spare) continue;
    if (compare_is_device(m) && bytes > DEVICE_BYTES && strncmp(m->label, "cpu", 3) != 0) {
      same_status(HEDDLE_UNSUPPORTED,
                  heddle_reduce(m->ctx, HEDDLE_OP_CUSTOM, HEDDLE_CUSTOM, x, n, got, &options),
                  "elements of %zu bytes on %s", bytes, m->label);
      continue;
    }
    same_status(HEDDLE_OK,
                heddle_reduce(m->ctx, HEDDLE_OP_CUSTOM, HEDDLE_CUSTOM, x, n, got, &options),
                "custom reduce of %zu", n);
    same_bytes(expected, got, bytes, "custom reduce of %zu elements of %zu bytes on %s", n, bytes,
               m->label);
    for (size_t k = 0; k < 2; k++) {
      const heddle_scan_kind kind = scan_kinds[k];
      const size_t moved = kind == HEDDLE_EXCLUSIVE;
      same_status(
          HEDDLE_OK,
          heddle_scan(m->ctx, HEDDLE_OP_CUSTOM, kind, HEDDLE_CUSTOM, x, n, scanned, &options),
          "custom scan of %zu", n);
      for (size_t i = 0; i < n; i++) {
        unsigned char wanted[4096], *result = scanned + i * bytes;
        const void *first = init ? init : custom->identity;
        if (i < moved) {
          memcpy(wanted, first, bytes);
        } else if (init) {
          memcpy(wanted, init, bytes);
          apply(wanted, totals + (i - moved) * bytes, custom);
        } else {
          memcpy(wanted, totals + (i - moved) * bytes, bytes);
        }
        same_bytes(wanted, result, bytes,
                   "custom scan kind %d of %zu elements of %zu bytes: %zu, %s", (int)kind, n, bytes,
                   i, m->label);
      }
    }
  }
  free(totals);
  free(scanned);
}

static affine *affine_data(size_t n, uint64_t seed) {
  affine *x = allocate(n * sizeof *x);
  for (size_t i = 0; i < n; i++) {
    const uint64_t w = data_word(seed, i);
    x[i] = (affine){1.0f + (float)(w & 0xFFF) / 65536.0f * (w & 0x1000 ? 1.0f : -1.0f),
                    (float)(w >> 40) / 1e6f - 8.0f};
  }
  return x;
}

static tally *tally_data(size_t n, uint64_t seed) {
  tally *x = allocate(n * sizeof *x);
  for (size_t i = 0; i < n; i++) {
    data_fill(DATA_WIDE, HEDDLE_F32, seed + i, 1, &x[i].sum);
    x[i].count = (uint32_t)data_word(seed, i);
    data_fill(DATA_WIDE, HEDDLE_F32, seed + 7 * i, 1, &x[i].max);
  }
  return x;
}

static void affine_maps(void **state) {
  (void)state;
  const size_t n = 50000 / lightness();
  affine *x = affine_data(n, 1);
  const affine init = {0.3f, 7.1f};
  for (const size_t *length = compare_lengths; *length <= 10000; length++)
    if (*length <= n) check(&affine_operator, x, *length, *length % 2 ? &init : NULL);
  check(&affine_operator, x, n, &init);
  free(x);
}

static void a_commutative_struct(void **state) {
  (void)state;
  const size_t n = 40000 / lightness();
  tally *x = tally_data(n, 2);
  const tally init = {0.1f, 3, 5.0f};
  for (const size_t *length = compare_lengths; *length <= 10000; length++)
    if (*length <= n) check(&tally_operator, x, *length, *length % 2 ? &init : NULL);
  check(&tally_operator, x, n, NULL);
  free(x);
}

static void any_element_size(void **state) {
  (void)state;
  static const size_t sizes[] = {1, 2, 3, 5, 16, 100, 256, 257, 511, 512, 513, 600, 4095, 4096};
  unsigned char identity[4096] = {0};
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
    for (int commutative = 0; commutative < 2; commutative++) {
      size_t bytes = sizes[s];
      char source[sizeof bytes_source + 40];
      (void)snprintf(source, sizeof source, bytes_source, bytes, bytes);
      const heddle_custom custom = {sizeof custom, bytes,       identity, commutative,
                                    bytes_combine, bytes_pairs, &bytes,   source};
      const int compiled_twice = (bytes == 3 && commutative) || (bytes == 100 && !commutative);
      if (compare_on.of[0].slow && !compiled_twice && bytes <= DEVICE_BYTES) continue;
      const size_t chunk = 16 * order_of(&custom).lanes;
      const size_t lengths[] = {
          0, 1, 2, 7, chunk - 1, chunk, chunk + 1, 2 * chunk + 3, 5 * chunk + 9};
      unsigned char *x = data_new(DATA_WIDE, HEDDLE_U8, s, (5 * chunk + 9) * bytes);
      for (size_t i = 0; i < 9; i++) check(&custom, x, lengths[i], NULL);
      free(x);
    }
}

static void in_place_and_rows(void **state) {
  (void)state;
  const size_t n = lightness() > 1 ? 5000 : 20000;
  affine *x = affine_data(n, 3), *expected = allocate(n * sizeof *x),
         *work = allocate(n * sizeof *x);
  const ref_order order = order_of(&affine_operator);
  const heddle_options options = options_for(&affine_operator, NULL);
  const uint64_t offsets[] = {0, 0, 1, 40, 1100, n / 2, n};
  heddle_rows rows = HEDDLE_ROWS_INIT;
  rows.offsets = offsets;
  rows.segments = sizeof offsets / sizeof *offsets - 1;
  const uint64_t job = compare_job("affine rows", HEDDLE_OP_CUSTOM, HEDDLE_CUSTOM, NULL);
  size_t at = 0;
  for (const machine *m; (m = compare_next(&at, n * sizeof *x, job));) {
    if (m->spare) continue;
    memcpy(work, x, n * sizeof *x);
    ref_running(&order, x, n, expected);
    same_status(HEDDLE_OK,
                heddle_scan(m->ctx, HEDDLE_OP_CUSTOM, HEDDLE_INCLUSIVE, HEDDLE_CUSTOM, work, n,
                            work, &options),
                "in place");
    same_bytes(expected, work, n * sizeof *x, "custom scan in place on %s", m->label);
    affine totals[6], wanted;
    same_status(
        HEDDLE_OK,
        heddle_reduce_rows(m->ctx, HEDDLE_OP_CUSTOM, HEDDLE_CUSTOM, x, &rows, totals, &options),
        "rows");
    same_status(HEDDLE_OK,
                heddle_scan_rows(m->ctx, HEDDLE_OP_CUSTOM, HEDDLE_INCLUSIVE, HEDDLE_CUSTOM, x,
                                 &rows, work, &options),
                "rows");
    for (size_t r = 0; r < rows.segments; r++) {
      const size_t length = (size_t)(offsets[r + 1] - offsets[r]);
      expected_total(&affine_operator, x + offsets[r], length, NULL, &wanted);
      same_bytes(&wanted, &totals[r], sizeof wanted, "custom row %zu on %s", r, m->label);
      ref_running(&order, x + offsets[r], length, expected + offsets[r]);
    }
    same_bytes(expected, work, n * sizeof *x, "custom scan of rows on %s", m->label);
  }
  free(x);
  free(expected);
  free(work);
}

static void states(void **unused) {
  (void)unused;
  enum { LENGTH = 12345 };
  tally *x = tally_data(LENGTH, 4);
  const heddle_options options = options_for(&tally_operator, NULL);
  tally *expected = allocate(LENGTH * sizeof *x), *got = allocate(LENGTH * sizeof *x);
  const ref_order order = order_of(&tally_operator);
  ref_running(&order, x, LENGTH, expected);
  for (size_t m = 0; m < compare_on.count; m = machines_after(&compare_on, m, 4)) {
    heddle_state *sum = NULL, *scan = NULL;
    heddle_context *ctx = compare_on.of[m].ctx;
    same_status(HEDDLE_OK,
                heddle_reduce_begin(ctx, HEDDLE_OP_CUSTOM, HEDDLE_CUSTOM, &options, &sum), "begin");
    same_status(
        HEDDLE_OK,
        heddle_scan_begin(ctx, HEDDLE_OP_CUSTOM, HEDDLE_INCLUSIVE, HEDDLE_CUSTOM, &options, &scan),
        "begin");
    for (size_t at = 0, i = 0; at < LENGTH; i++) {
      size_t count = data_word(m, i) % (i % 5 ? 70 : 3000);
      if (count > LENGTH - at) count = LENGTH - at;
      same_status(HEDDLE_OK, heddle_reduce_update(sum, x + at, count), "update");
      same_status(HEDDLE_OK, heddle_scan_update(scan, x + at, count, got + at), "update");
      at += count;
      if (at == 0) continue;
      tally total;
      same_status(HEDDLE_OK, heddle_reduce_finish(sum, &total), "finish");
      same_bytes(&expected[at - 1], &total, sizeof total, "custom reduce of %zu in pieces", at);
      same_status(HEDDLE_OK, heddle_scan_finish(scan, &total), "finish");
      same_bytes(&expected[at - 1], &total, sizeof total, "custom scan of %zu in pieces", at);
    }
    same_bytes(expected, got, LENGTH * sizeof *got, "custom scan in pieces");
    heddle_state_free(sum);
    heddle_state_free(scan);
  }
  free(x);
  free(expected);
  free(got);
}

/* ---- callbacks that fail ---------------------------------------------------------------- */

static _Atomic int calls_left;
static heddle_status fail_later(void) { return calls_left-- > 0 ? HEDDLE_OK : HEDDLE_BAD_DATA; }
static heddle_status failing_combine(void *acc, const void *x, size_t n, void *user) {
  const heddle_status status = fail_later();
  return status ? status : affine_combine(acc, x, n, user);
}
static heddle_status failing_pairs(void *out, const void *x, size_t n, void *user) {
  const heddle_status status = fail_later();
  return status ? status : affine_pairs(out, x, n, user);
}

static void failing_callbacks(void **state) {
  (void)state;
  if (compare_on.cpus == 0) skip();
  const size_t n = 60000;
  affine *x = affine_data(n, 5), *out = allocate(n * sizeof *x), canary = {123, 456};
  heddle_custom custom = affine_operator;
  custom.combine = failing_combine;
  custom.pairs = failing_pairs;
  const heddle_options options = options_for(&custom, NULL);
  for (size_t m = 0; m < compare_on.cpus; m += 2) /* a GPU calls nothing back */
    for (int after = 0; after < 12; after++) {
      heddle_context *ctx = compare_on.of[m].ctx;
      affine total = canary;
      calls_left = after;
      same_status(HEDDLE_CALLBACK,
                  heddle_reduce(ctx, HEDDLE_OP_CUSTOM, HEDDLE_CUSTOM, x, n, &total, &options),
                  "reduce, failing after %d calls", after);
      same_bytes(&canary, &total, sizeof total, "reduce after a failure");
      assert_non_null(strstr(heddle_message(), "reduce"));
      calls_left = after;
      same_status(
          HEDDLE_CALLBACK,
          heddle_scan(ctx, HEDDLE_OP_CUSTOM, HEDDLE_INCLUSIVE, HEDDLE_CUSTOM, x, n, out, &options),
          "scan, failing after %d calls", after);
      calls_left = 1 << 30;
      affine wanted;
      expected_total(&affine_operator, x, 5000, NULL, &wanted);
      same_status(HEDDLE_OK,
                  heddle_reduce(ctx, HEDDLE_OP_CUSTOM, HEDDLE_CUSTOM, x, 5000, &total, &options),
                  "reduce after a failure");
      same_bytes(&wanted, &total, sizeof total, "reduce after a failure");
    }
  free(x);
  free(out);
}

static void failing_states(void **unused) {
  (void)unused;
  if (compare_on.cpus == 0) skip();
  affine *x = affine_data(9000, 6), total;
  heddle_custom custom = affine_operator;
  custom.combine = failing_combine;
  custom.pairs = failing_pairs;
  const heddle_options options = options_for(&custom, NULL);
  heddle_state *state = NULL;
  heddle_context *ctx = compare_on.of[0].ctx;
  calls_left = 3;
  same_status(HEDDLE_OK,
              heddle_reduce_begin(ctx, HEDDLE_OP_CUSTOM, HEDDLE_CUSTOM, &options, &state), "begin");
  same_status(HEDDLE_CALLBACK, heddle_reduce_update(state, x, 9000), "update");
  calls_left = 1 << 30;
  assert_int_not_equal(heddle_reduce_update(state, x, 10), HEDDLE_OK);
  assert_int_not_equal(heddle_reduce_finish(state, &total), HEDDLE_OK);
  heddle_state_free(state);
  free(x);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(affine_maps),      cmocka_unit_test(a_commutative_struct),
      cmocka_unit_test(any_element_size), cmocka_unit_test(in_place_and_rows),
      cmocka_unit_test(states),           cmocka_unit_test(failing_callbacks),
      cmocka_unit_test(failing_states),
  };
  return cmocka_run_group_tests_name("custom operators", tests, compare_setup, compare_teardown);
}
