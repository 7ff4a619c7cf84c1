/* test_partial.c - white-box: totals of parts of an array, merged in any association, against the
 * whole call
 *
 * Arrays are cut at random multiples of the chunk; of kinds that are order-free anywhere. The parts are
 * totalled, on threads of any number, and neighbours merged in random order until one is left, whose
 * result must have the bits of the whole call; so must totals themselves, between machines. */
#include "api/backend.h"
#include "compare.h"
#include "order/total.h"

enum { PARTS = 9 };

/* Composition of affine maps, which rounds and does not commute, and a count that must not be lost.
 * The identity is one to the bit: 0 times an infinite factor would be NaN. */
typedef struct affine {
  float a, b;
  uint32_t count;
} affine;
static affine compose(affine f, affine g) {
  if (f.a == 1 && f.b == 0 && !f.count) return g;
  return (affine){g.a * f.a, g.a * f.b + g.b, f.count + g.count};
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
    sizeof(heddle_custom), sizeof(affine), &affine_identity, 0, affine_combine,
    affine_pairs,          NULL,           "affine"};

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
      fold->verb == HD_ARGREDUCE, fold->verb == HD_DESCRIBE, fold->op == HEDDLE_OP_CUSTOM,
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
  memset(r, 0, sizeof *r);
  return (struct hd_fold_out){fold->verb == HD_DESCRIBE ? NULL : r->value,
                              fold->verb == HD_ARGREDUCE ? &r->index : NULL,
                              fold->verb == HD_DESCRIBE ? &r->description : NULL};
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

/* part[i] = part[i] and part[i + 1]. */
static void merge_at(const machine *m, const struct hd_fold *fold, struct part *part, size_t i) {
  struct part *left = &part[i], *right = &part[i + 1];
  static struct part both;
  const bool in_place = draw(2);
  assert_int_equal(m->ctx->backend->merge(m->ctx, fold, left->run, left->totals, right->run,
                                          right->totals, in_place ? left->totals : both.totals),
                   HEDDLE_OK);
  if (!in_place) memcpy(left->totals, both.totals, sizeof both.totals);
  left->run.count += right->run.count;
}

static const enum data_kind kinds[] = {DATA_WIDE, DATA_HOLES, DATA_SPECIAL, DATA_SMALL};

static void check(const struct hd_fold *fold, enum data_kind kind, size_t n) {
  const size_t bytes = element_bytes(fold);
  const heddle_type as = fold->custom ? HEDDLE_F32 : fold->type;
  char *x = data_new(kind, as, 5, n * (fold->custom ? 3 : 1) + 1);
  char *y = fold->verb == HD_DOT ? data_new(kind, as, 6, n + 1) : NULL;
  static struct part part[PARTS];
  unsigned char first[2 * HD_RUN_TOTALS * sizeof(struct hd_moments)];
  size_t first_bytes = 0;
  for (size_t i = 0; i < compare_on.count; i = machines_after(&compare_on, i, 3)) {
    const machine *m = &compare_on.of[i];
    const struct hd_backend *backend = m->ctx->backend;
    if (!backend->partial) continue;
    struct result whole, merged;
    const heddle_status status = backend->fold(m->ctx, fold, x, y, n, out_of(fold, &whole));
    size_t parts = cut(fold, n, part);
    for (size_t p = parts; p-- > 0;) {
      const size_t offset = part[p].run.first * bytes;
      assert_int_equal(backend->partial(m->ctx, fold, x + offset, y ? y + offset : NULL,
                                        part[p].run, part[p].totals),
                       HEDDLE_OK);
    }
    for (; parts > 1; parts--) {
      const size_t at = draw(parts - 1);
      merge_at(m, fold, part, at);
      for (size_t p = at + 1; p + 1 < parts; p++) part[p] = part[p + 1];
    }
    assert_int_equal(part[0].run.count, n);
    same_status(
        status,
        backend->partial_result(m->ctx, fold, part[0].run, part[0].totals, out_of(fold, &merged)),
        "%s, verb %d, operator %d, %zu elements", m->label, fold->verb, fold->op, n);
    same_bytes(&whole, &merged, sizeof whole, "%s of %s: verb %d, operator %d, %s, %zu elements",
               m->label, heddle_type_name(as), fold->verb, fold->op, data_name(kind), n);
    const size_t totals =
        hd_run_totals(chunk_of(fold) == 1, chunk_of(fold), part[0].run) * total_bytes(fold);
    if (!first_bytes) memcpy(first, part[0].totals, first_bytes = totals);
    same_bytes(first, part[0].totals, totals, "%s of %s: totals of verb %d, operator %d, %zu",
               m->label, heddle_type_name(as), fold->verb, fold->op, n);
  }
  free(x);
  free(y);
}

/* ---- verbs ---------------------------------------------------------------------------------------- */

static const size_t lengths[] = {0, 1, 1023, 2048, 6145, 40000, 300001};

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

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(sums_and_products),
                                     cmocka_unit_test(selections),
                                     cmocka_unit_test(places),
                                     cmocka_unit_test(dots),
                                     cmocka_unit_test(descriptions),
                                     cmocka_unit_test(operators_of_ones_own)};
  return cmocka_run_group_tests_name("totals of parts", tests, compare_setup, compare_teardown);
}
