/* test_partial.c - white-box: totals of parts of an array, merged in any association, against the
 * whole call
 *
 * Arrays are cut at random multiples of the chunk; of kinds that are order-free anywhere. The parts are
 * totalled, on threads of any number, and neighbours merged in random order until one is left, whose
 * result must have the bits of the whole call. Totals must have the bytes of those of one thread of the
 * scalar CPU; on a device each part and each merge is the device's or that CPU's, by lot. */
#include "api/backend.h"
#include "compare.h"
#include "custom_sources.h"
#include "order/moments.h"
#include "order/total.h"

enum { PARTS = 9 };

/* Composition of affine maps, which rounds and does not commute, and a count that must not be lost.
 * The identity is one to the bit: 0 times an infinite factor would be NaN, of which there is one. */
typedef struct affine {
  float a, b;
  uint32_t count;
} affine;
static float tidy(float x) {
  const uint32_t nan = 0x7fc00000;
  if (x != x) memcpy(&x, &nan, sizeof x);
  return x;
}
static affine compose(affine f, affine g) {
  if (f.a == 1 && f.b == 0 && !f.count) return g;
  return (affine){tidy(g.a * f.a), tidy(g.a * f.b + g.b), f.count + g.count};
}
static heddle_status affine_combine(void *acc, const void *x, size_t n, void *user) {
  affine *to = acc;
  (void)user;
  for (size_t i = 0; i < n; i++) to[i] = compose(to[i], ((const affine *)x)[i]);
  return HEDDLE_OK;
}
static heddle_status affine_pairs(void *out, const void *x, size_t n, void *user) {
  const affine *from = x;
  (void)user;
  for (size_t i = 0; i < n; i++) ((affine *)out)[i] = compose(from[2 * i], from[2 * i + 1]);
  return HEDDLE_OK;
}
static const affine affine_identity = {1, 0, 0};
static const heddle_custom affine_operator = {
    sizeof(heddle_custom), sizeof(affine), &affine_identity,     0, affine_combine,
    affine_pairs,          NULL,           counted_affine_source};

/* ---- a job ----------------------------------------------------------------------------------- */

/* What the public entries would hand to a back end, with results in the accumulator's type. */
static struct hd_fold job_of(enum hd_verb verb, heddle_op op, heddle_type type, heddle_type acc,
                             heddle_nan nan) {
  struct hd_fold fold = {.entry = "test_partial", .verb = verb, .op = op, .type = type, .nan = nan};
  fold.acc_type = fold.out_type = acc;
  if (op == HEDDLE_OP_CUSTOM) fold.custom = &affine_operator;
  return fold;
}

static bool is_arithmetic(const struct hd_fold *fold) {
  return ref_class_of(fold->op) == REF_ARITHMETIC;
}

static uint32_t kind_of(const struct hd_fold *fold) {
  const bool wide = is_arithmetic(fold) ? fold->acc_type == HEDDLE_F64 : fold->type == HEDDLE_F64;
  const bool logical = ref_class_of(fold->op) == REF_LOGICAL;
  return HD_TOTAL_KIND(
      fold->verb == HD_ARGREDUCE, fold->verb == HD_DESCRIBE, false, fold->op == HEDDLE_OP_CUSTOM,
      HD_TOTAL_OF_NUMBERS(logical, is_arithmetic(fold), ref_is_float(fold->type), wide));
}

static size_t element_bytes(const struct hd_fold *fold) {
  return fold->custom ? sizeof(affine) : data_size(fold->type);
}
static size_t total_bytes(const struct hd_fold *fold) {
  return HD_TOTAL_BYTES(kind_of(fold), element_bytes(fold));
}
/* 1: elements of an order-free fold. */
static uint32_t chunk_of(const struct hd_fold *fold) {
  const uint32_t kind = kind_of(fold);
  if (HD_TOTAL_IS_ORDER_FREE(kind)) return 1;
  if (kind == HD_TOTAL_CUSTOM) return hd_chunk_of(sizeof(affine));
  return kind == HD_TOTAL_F32 ? HD_CHUNK(4) : HD_CHUNK(8);
}

struct result {
  unsigned char value[16];
  uint64_t index;
  heddle_description description;
};
static struct hd_fold_out out_of(const struct hd_fold *fold, struct result *r) {
  return (struct hd_fold_out){fold->verb == HD_DESCRIBE ? NULL : r->value,
                              fold->verb == HD_ARGREDUCE ? &r->index : NULL,
                              fold->verb == HD_DESCRIBE ? &r->description : NULL};
}

/* ---- machines and their memory ------------------------------------------------------------------ */

static machine scalar; /* whose totals all others must have */

static int setup(void **unused) {
  scalar.ctx = open_cpu("scalar", 1);
  (void)snprintf(scalar.label, sizeof scalar.label, "scalar");
  return compare_setup(unused);
}
static int teardown(void **unused) {
  heddle_close(scalar.ctx);
  return compare_teardown(unused);
}

/* Every other context of a device has its arrays and results there. */
static int has_device_arrays(const machine *m) {
  const size_t i = (size_t)(m - compare_on.of);
  return compare_is_device(m) && (i - compare_on.cpus) % 2;
}
static void *moved(const machine *m, const void *from, size_t bytes) {
  void *memory = NULL;
  assert_int_equal(heddle_device_alloc(m->ctx, bytes, &memory), HEDDLE_OK);
  assert_int_equal(heddle_copy(m->ctx, memory, from, bytes), HEDDLE_OK);
  return memory;
}
static void drop(const machine *m, void *memory) {
  if (memory) assert_int_equal(heddle_device_free(m->ctx, memory), HEDDLE_OK);
}

/* ---- cuts and merges ---------------------------------------------------------------------------- */

struct part {
  struct hd_run run;
  unsigned char totals[2 * HD_RUN_TOTALS * sizeof(struct hd_moments)];
};

static uint64_t state;
static uint64_t draw(uint64_t below) { return data_word(77, state++) % below; }

static size_t cut(const struct hd_fold *fold, size_t n, struct part *part) {
  const size_t chunk = chunk_of(fold), chunks = n / chunk;
  size_t parts = 1;
  uint64_t at[PARTS + 1] = {0};
  for (; parts < PARTS && chunks; parts++) {
    const uint64_t place = draw(chunks + 1);
    /* now and then a power of two, whose blocks merge far up */
    at[parts] = draw(2) && place ? (uint64_t)1 << hd_top_bit(place) : place;
  }
  for (size_t i = 1; i < parts; i++)
    for (size_t k = i; k > 1 && at[k] < at[k - 1]; k--) {
      const uint64_t t = at[k];
      at[k] = at[k - 1], at[k - 1] = t;
    }
  for (size_t i = 0; i < parts; i++) {
    const uint64_t end = i + 1 < parts ? at[i + 1] * chunk : n;
    part[i].run = (struct hd_run){at[i] * chunk, end - at[i] * chunk};
  }
  return parts;
}

/* part[i] = part[i] and part[i + 1], by m, or for a device now and then by the CPU. */
static void merge_at(const machine *m, const struct hd_fold *fold, struct part *part, size_t i) {
  struct part *left = &part[i], *right = &part[i + 1];
  static struct part both;
  heddle_context *by = compare_is_device(m) && draw(2) ? scalar.ctx : m->ctx;
  const bool in_place = draw(2);
  assert_int_equal(by->backend->merge(by, fold, left->run, left->totals, right->run, right->totals,
                                      in_place ? left->totals : both.totals),
                   HEDDLE_OK);
  if (!in_place) memcpy(left->totals, both.totals, sizeof both.totals);
  left->run.count += right->run.count;
}

static size_t totals_bytes(const struct hd_fold *fold, struct hd_run run) {
  return hd_run_totals(chunk_of(fold) == 1, chunk_of(fold), run) * total_bytes(fold);
}

/* Nothing was written from byte `first` on. */
static void expect_untouched(const machine *m, const struct part *part, size_t first,
                             const char *what) {
  static struct part fresh;
  if (fresh.totals[0] != 0xA5) memset(fresh.totals, 0xA5, sizeof fresh.totals);
  if (memcmp(part->totals + first, fresh.totals + first, sizeof fresh.totals - first) == 0) return;
  while (part->totals[first] == 0xA5) first++;
  fail_msg("%s: byte %zu was written, %s", m->label, first, what);
}

/* One call's job and data, and the scalar CPU's totals of all. */
struct call {
  const struct hd_fold *fold;
  const char *x, *y;
  size_t n;
  const struct part *all;
  char label[120];
};

static void total(const machine *m, const struct call *c, const char *x, const char *y,
                  struct part *part) {
  const size_t offset = part->run.first * element_bytes(c->fold);
  memset(part->totals, 0xA5, sizeof part->totals);
  assert_int_equal(m->ctx->backend->partial(m->ctx, c->fold, x + offset, y ? y + offset : NULL,
                                            part->run, part->totals),
                   HEDDLE_OK);
  expect_untouched(m, part, totals_bytes(c->fold, part->run), c->label);
}

/* The same, where the arrays lie at x and y for the machine; a device's is the scalar CPU's. */
static void total_part(const machine *m, const struct call *c, const char *x, const char *y,
                       struct part *part) {
  static struct part expected;
  total(m, c, x, y, part);
  if (!compare_is_device(m)) return;
  expected.run = part->run;
  total(&scalar, c, c->x, c->y, &expected);
  same_bytes(expected.totals, part->totals, totals_bytes(c->fold, part->run),
             "%s: totals of %llu from %llu on, %s", m->label, (unsigned long long)part->run.count,
             (unsigned long long)part->run.first, c->label);
}

/* The result of a part that is all, given to where the machine's arrays lie. */
static heddle_status result_of(const machine *m, const struct hd_fold *fold,
                               const struct part *part, struct result *out) {
  const struct hd_backend *backend = m->ctx->backend;
  memset(out, 0, sizeof *out);
  if (!has_device_arrays(m))
    return backend->partial_result(m->ctx, fold, part->run, part->totals, out_of(fold, out));
  struct result *there = moved(m, out, sizeof *out);
  heddle_status status =
      backend->partial_result(m->ctx, fold, part->run, part->totals, out_of(fold, there));
  if (!status) status = heddle_sync(m->ctx);
  assert_int_equal(heddle_copy(m->ctx, out, there, sizeof *out), HEDDLE_OK);
  drop(m, there);
  return status;
}

static void check_on(const machine *m, const struct call *c) {
  static struct part part[PARTS];
  const struct hd_fold *fold = c->fold;
  const size_t bytes = c->n * element_bytes(fold) + 8;
  const bool away = has_device_arrays(m);
  char *x = away ? moved(m, c->x, bytes) : NULL, *y = away && c->y ? moved(m, c->y, bytes) : NULL;
  struct result whole, merged;
  memset(&whole, 0, sizeof whole);
  const heddle_status status = m->ctx->backend->fold(m->ctx, fold, away ? x : c->x, away ? y : c->y,
                                                     c->n, out_of(fold, &whole));
  size_t parts = cut(fold, c->n, part);
  for (size_t p = parts; p-- > 0;) total_part(m, c, away ? x : c->x, away ? y : c->y, &part[p]);
  for (; parts > 1; parts--) {
    const size_t at = draw(parts - 1);
    merge_at(m, fold, part, at);
    for (size_t p = at + 1; p + 1 < parts; p++) part[p] = part[p + 1];
  }
  assert_int_equal(part[0].run.count, c->n);
  same_bytes(c->all->totals, part[0].totals, totals_bytes(fold, part[0].run),
             "%s: merged totals, %s", m->label, c->label);
  same_status(status, result_of(m, fold, &part[0], &merged), "%s, %s", m->label, c->label);
  same_bytes(&whole, &merged, sizeof whole, "%s: %s", m->label, c->label);
  drop(m, x);
  drop(m, y);
}

static const enum data_kind kinds[] = {DATA_WIDE, DATA_HOLES, DATA_SPECIAL, DATA_SMALL};

static void check(const struct hd_fold *fold, enum data_kind kind, size_t n) {
  static const char *const verbs[] = {"partial reduce", "partial argreduce", "partial dot",
                                      "partial describe"};
  const heddle_type as = fold->custom ? HEDDLE_F32 : fold->type;
  const bool wide = fold->acc_type == HEDDLE_F64 && as != HEDDLE_F64 && fold->verb != HD_DESCRIBE;
  const heddle_options options =
      make_options(fold->nan, wide ? HEDDLE_F64 : HEDDLE_TYPE_DEFAULT, HEDDLE_TYPE_DEFAULT, NULL);
  const uint64_t job = compare_job(verbs[fold->verb], (int)fold->op, fold->type, &options);
  char *x = data_new(kind, as, 5, n * (fold->custom ? 3 : 1) + 8);
  char *y = fold->verb == HD_DOT ? data_new(kind, as, 6, n + 8) : NULL;
  static struct part all;
  struct call c = {fold, x, y, n, &all, ""};
  (void)snprintf(c.label, sizeof c.label, "verb %d of %s, operator %d, %s, %zu elements",
                 (int)fold->verb, heddle_type_name(fold->type), (int)fold->op, data_name(kind), n);
  all.run = (struct hd_run){0, n};
  total(&scalar, &c, x, y, &all);
  for (size_t i = 0; i < compare_on.cpus; i = machines_after(&compare_on, i, 3))
    check_on(&compare_on.of[i], &c);
  size_t at = 0;
  for (const machine *m; (m = compare_next(&at, 0, job));)
    if (compare_is_device(m)) check_on(m, &c);
  free(x);
  free(y);
}

/* ---- verbs ---------------------------------------------------------------------------------------- */

/* The longest first: of a job's first calls a slow device takes most. */
static const size_t lengths[] = {300001, 40000, 6145, 2048, 1023, 1, 0};

static void check_all(enum hd_verb verb, heddle_op op, heddle_type type, heddle_type acc) {
  for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++)
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
      for (size_t nan = 0; nan < 2; nan++) {
        const struct hd_fold fold = job_of(verb, op, type, acc, nan_policies[nan]);
        if (fold.nan == HEDDLE_NAN_SKIP && kinds[k] == DATA_WIDE) continue;
        check(&fold, kinds[k], lengths[l] / lightness());
      }
}

static heddle_type sum_type(heddle_type type) { return ref_acc_type(HEDDLE_SUM, type, NULL); }

static void sums_and_products(void **unused) {
  (void)unused;
  for (size_t i = 0; i < type_count; i++)
    for (size_t o = 0; o < op_count; o++) {
      const heddle_type t = all_types[i];
      const heddle_op op = all_ops[o];
      if (ref_class_of(op) != REF_ARITHMETIC) continue;
      check_all(HD_REDUCE, op, t, sum_type(t));
      if (ref_is_float(t) && t != HEDDLE_F64) check_all(HD_REDUCE, op, t, HEDDLE_F64);
    }
}

static void selections(void **unused) {
  (void)unused;
  for (size_t i = 0; i < type_count; i++)
    for (size_t o = 0; o < op_count; o++) {
      const heddle_type t = all_types[i];
      const ref_class class = ref_class_of(all_ops[o]);
      if (class == REF_ARITHMETIC || !ref_reduces(all_ops[o], t)) continue;
      check_all(HD_REDUCE, all_ops[o], t, class == REF_LOGICAL ? HEDDLE_U8 : t);
    }
}

static void places(void **unused) {
  (void)unused;
  for (size_t i = 0; i < type_count; i++) {
    check_all(HD_ARGREDUCE, HEDDLE_MIN, all_types[i], all_types[i]);
    check_all(HD_ARGREDUCE, HEDDLE_MAX, all_types[i], all_types[i]);
  }
}

static void dots(void **unused) {
  (void)unused;
  for (size_t i = 0; i < type_count; i++)
    check_all(HD_DOT, HEDDLE_SUM, all_types[i], sum_type(all_types[i]));
}

static void descriptions(void **unused) {
  (void)unused;
  for (size_t i = 0; i < type_count; i++)
    check_all(HD_DESCRIBE, HEDDLE_SUM, all_types[i], HEDDLE_F64);
}

static void operators_of_ones_own(void **unused) {
  (void)unused;
  check_all(HD_REDUCE, HEDDLE_OP_CUSTOM, HEDDLE_CUSTOM, HEDDLE_CUSTOM);
}

/* ---- calls that write nothing --------------------------------------------------------------------- */

/* A context being prepared does no work; elements that reach beyond their memory are refused. */
static void what_writes_nothing(void **unused) {
  static struct part part;
  static float x[4096];
  static struct result result;
  const struct hd_fold fold =
      job_of(HD_REDUCE, HEDDLE_SUM, HEDDLE_F32, HEDDLE_F32, HEDDLE_NAN_PROPAGATE);
  const struct hd_fold max =
      job_of(HD_REDUCE, HEDDLE_MAX, HEDDLE_F32, HEDDLE_F32, HEDDLE_NAN_PROPAGATE);
  const int32_t no_value = HD_KEY32_EMPTY(false);
  (void)unused;
  memset(&part, 0xA5, sizeof part);
  part.run = (struct hd_run){0, 4096};
  for (size_t i = 0; i < compare_on.count; i++) {
    const machine *m = &compare_on.of[i];
    size_t bytes = 0;
    assert_int_equal(heddle_prepare_begin(m->ctx), HEDDLE_OK);
    const struct hd_backend *backend = m->ctx->backend;
    if (!compare_is_device(m)) {
      assert_null(backend->partial);
    } else {
      assert_int_equal(backend->partial(m->ctx, &fold, x, NULL, part.run, part.totals), HEDDLE_OK);
      /* whose total of no value is no failure: nothing was folded */
      assert_int_equal(
          backend->partial_result(m->ctx, &max, part.run, &no_value, out_of(&max, &result)),
          HEDDLE_OK);
    }
    assert_int_equal(heddle_prepare_end(m->ctx, &bytes), HEDDLE_OK);
    expect_untouched(m, &part, 0, "while preparing");
    for (size_t k = 0; k < sizeof result.value; k++) assert_int_equal(result.value[k], 0);
    if (!has_device_arrays(m)) continue;
    void *memory = moved(m, x, sizeof x / 2);
    assert_int_equal(m->ctx->backend->partial(m->ctx, &fold, memory, NULL, part.run, part.totals),
                     HEDDLE_BAD_ARGUMENT);
    assert_non_null(strstr(heddle_message(), "`in` needs 16384 bytes"));
    expect_untouched(m, &part, 0, "by a call that failed");
    drop(m, memory);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(sums_and_products),
                                     cmocka_unit_test(selections),
                                     cmocka_unit_test(places),
                                     cmocka_unit_test(dots),
                                     cmocka_unit_test(descriptions),
                                     cmocka_unit_test(operators_of_ones_own),
                                     cmocka_unit_test(what_writes_nothing)};
  return cmocka_run_group_tests_name("totals of parts", tests, setup, teardown);
}
