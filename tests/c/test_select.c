/* test_select.c - select, partition and positions against plain loops
 *
 * Method   Every type and comparison, with NaN, both zeros and extremes among the elements and as the value;
 *          every size of elements, lengths around those of vectors, masks and chunks, misaligned arrays, in
 *          place and not; on every instruction set and on several threads. The elements that are moved tell
 *          each from every other, and what lies behind the selected ones stays as it was. */
#include "support.h"

static machines on;

static int setup(void **state) {
  (void)state;
  machines_open(&on, 3);
  return 0;
}
static int teardown(void **state) {
  (void)state;
  machines_close(&on);
  return 0;
}

static const heddle_comparison comparisons[] = {
    HEDDLE_NONZERO,    HEDDLE_EQUAL,   HEDDLE_NOT_EQUAL,    HEDDLE_LESS,
    HEDDLE_LESS_EQUAL, HEDDLE_GREATER, HEDDLE_GREATER_EQUAL};
enum { COMPARISONS = 7, LARGEST = 16 };
#define COUNT(array) (sizeof(array) / sizeof *(array))

/* ---- the loops ------------------------------------------------------------------------------- */

static int compares(heddle_comparison comparison, double x, double v) {
  switch (comparison) {
  case HEDDLE_NONZERO: return x != 0;
  case HEDDLE_EQUAL: return x == v;
  case HEDDLE_NOT_EQUAL: return x != v;
  case HEDDLE_LESS: return x < v;
  case HEDDLE_LESS_EQUAL: return x <= v;
  case HEDDLE_GREATER: return x > v;
  default: return x >= v;
  }
}

/* -1, 0 or 1. */
static int order_of(heddle_type type, ref_value x, ref_value v) {
  if (ref_is_signed(type)) return ((int64_t)x.u > (int64_t)v.u) - ((int64_t)x.u < (int64_t)v.u);
  return (x.u > v.u) - (x.u < v.u);
}

static int selects(const heddle_where *where, size_t i) {
  if (where->comparison == HEDDLE_PREDICATE) { /* user: the comparison that it makes */
    heddle_where same = *(const heddle_where *)where->predicate->user;
    same.of = where->of;
    return selects(&same, i);
  }
  const ref_value x = ref_load(where->type, where->of, i);
  ref_value v = {0, 0};
  if (where->comparison != HEDDLE_NONZERO) v = ref_load(where->type, where->value, 0);
  if (ref_is_float(where->type)) return compares(where->comparison, x.f, v.f);
  return compares(where->comparison, order_of(where->type, x, v), 0);
}

/* What the calls have to give: elements, partition, positions. */
struct expected {
  size_t n, bytes, found;
  unsigned char *picked, *parted;
  uint32_t *narrow;
  uint64_t *wide;
};

static struct expected expect(const heddle_where *where, const unsigned char *in, size_t n,
                              size_t bytes) {
  struct expected e = {n,
                       bytes,
                       0,
                       allocate(n * bytes + 1),
                       allocate(n * bytes + 1),
                       allocate(n * 4 + 1),
                       allocate(n * 8 + 1)};
  for (size_t i = 0; i < n; i++) {
    if (!selects(where, i)) continue;
    memcpy(e.picked + e.found * bytes, in + i * bytes, bytes);
    e.narrow[e.found] = (uint32_t)i;
    e.wide[e.found++] = i;
  }
  size_t to = e.found;
  memcpy(e.parted, e.picked, to * bytes);
  for (size_t i = 0; i < n; i++)
    if (!selects(where, i)) memcpy(e.parted + to++ * bytes, in + i * bytes, bytes);
  return e;
}

static void expected_free(struct expected *e) {
  free(e->picked), free(e->parted), free(e->narrow), free(e->wide);
}

/* ---- one job on one machine ------------------------------------------------------------------ */

#define WHERE "%s of %zu, %s, comparison %d, %zu bytes, on %s"
#define IT(what) what, e->n, heddle_type_name(w->type), (int)w->comparison, e->bytes, m->label
enum { CANARY = 0xa5, ROOM = 64 };

static void check_found(const heddle_where *w, const struct expected *e, const machine *m,
                        uint64_t found) {
  const uint64_t want = e->found;
  same_bytes(&want, &found, sizeof found, WHERE, IT("count"));
}

/* The outcome at `out`, and nothing behind it. */
static void check_out(const heddle_where *w, const struct expected *e, const machine *m,
                      const char *what, const void *want, const unsigned char *out, size_t bytes) {
  unsigned char canary[ROOM];
  memset(canary, CANARY, ROOM);
  same_bytes(want, out, bytes, WHERE, IT(what));
  same_bytes(canary, out + bytes, ROOM, WHERE, IT("behind the outcome"));
}

/* shift: how many bytes outputs are off their alignment. */
static void check_on(const heddle_where *w, const struct expected *e, const machine *m,
                     const unsigned char *in, size_t shift) {
  unsigned char *memory = allocate(e->n * LARGEST + 2 * ROOM), *out = memory + shift;
  const size_t all = e->n * LARGEST + 2 * ROOM, picked = e->found * e->bytes;
  uint64_t found = 77;
  memset(memory, CANARY, all);
  same_status(HEDDLE_OK, heddle_select(m->ctx, w, e->bytes, in, e->n, out, &found), WHERE,
              IT("select"));
  check_found(w, e, m, found);
  check_out(w, e, m, "select", e->picked, out, picked);
  memset(memory, CANARY, all);
  same_status(HEDDLE_OK, heddle_partition(m->ctx, w, e->bytes, in, e->n, out, &found), WHERE,
              IT("partition"));
  check_found(w, e, m, found);
  check_out(w, e, m, "partition", e->parted, out, e->n * e->bytes);
  memset(memory, CANARY, all);
  same_status(HEDDLE_OK, heddle_positions(m->ctx, w, e->n, HEDDLE_U32, out, &found), WHERE,
              IT("u32 positions"));
  check_found(w, e, m, found);
  check_out(w, e, m, "u32 positions", e->narrow, out, e->found * 4);
  memset(memory, CANARY, all);
  same_status(HEDDLE_OK, heddle_positions(m->ctx, w, e->n, HEDDLE_U64, out, &found), WHERE,
              IT("u64 positions"));
  check_found(w, e, m, found);
  check_out(w, e, m, "u64 positions", e->wide, out, e->found * 8);
  found = 77;
  same_status(HEDDLE_OK, heddle_positions(m->ctx, w, e->n, HEDDLE_U64, NULL, &found), WHERE,
              IT("count alone"));
  check_found(w, e, m, found);
  memcpy(out, in, e->n * e->bytes);
  same_status(HEDDLE_OK, heddle_select(m->ctx, w, e->bytes, out, e->n, out, &found), WHERE,
              IT("select in place"));
  check_found(w, e, m, found);
  same_bytes(e->picked, out, picked, WHERE, IT("select in place"));
  free(memory);
}

static void check(const heddle_where *w, size_t n, size_t bytes, size_t shift) {
  unsigned char *memory = allocate(n * LARGEST + LARGEST), *in = memory + shift;
  for (size_t i = 0; i < n * bytes; i++) in[i] = (unsigned char)data_word(99, i);
  struct expected e = expect(w, in, n, bytes);
  for (size_t i = 0; i < on.count; i++)
    if (n < 100000 || on.of[i].threads != 1 || i % 2 == 0) check_on(w, &e, &on.of[i], in, shift);
  expected_free(&e);
  free(memory);
}

/* ---- what is asked --------------------------------------------------------------------------- */

static const size_t lengths[] = {0,   1,   2,    3,     7,     8,     15,    16,   17,
                                 31,  33,  63,   64,    65,    127,   128,   129,  191,
                                 255, 257, 1000, 16383, 16384, 16385, 32768, 40000};

/* Elements that the value equals, neighbours of it, and others. */
static void *elements(heddle_type type, size_t n, size_t seed, void *value) {
  char *of = data_new(seed % 2 ? DATA_SPECIAL : DATA_SMALL, type, seed, n + 1);
  const size_t size = data_size(type);
  memcpy(value, of + (n ? data_word(seed, 3) % n : 0) * size, size);
  return of;
}

static void every_comparison(void **state) {
  (void)state;
  uint64_t value;
  for (size_t t = 0; t < type_count; t++)
    for (size_t c = 0; c < COMPARISONS; c++)
      for (size_t turn = 0; turn < 3; turn++) {
        const size_t at = t * 13 + c * 5 + turn * 9, n = lengths[at % COUNT(lengths)];
        void *of = elements(all_types[t], n, at, &value);
        heddle_where w = HEDDLE_WHERE_INIT;
        w.comparison = comparisons[c], w.type = all_types[t], w.of = of, w.value = &value;
        check(&w, n, (size_t)1 << at % 5, at % 3 ? 0 : (size_t)1 << at % 5);
        free(of);
      }
}

/* The comparison that user is, as a test of the caller's own. */
static heddle_status compare_as(unsigned char *holds, const void *x, size_t n, void *user) {
  heddle_where where = *(const heddle_where *)user;
  where.of = x;
  for (size_t i = 0; i < n; i++) holds[i] = selects(&where, i) ? (unsigned char)(1 + i % 255) : 0;
  return HEDDLE_OK;
}

static void predicates(void **state) {
  (void)state;
  uint64_t value;
  for (size_t t = 0; t < type_count; t++)
    for (size_t turn = 0; turn < 6; turn++) {
      const size_t n = turn ? lengths[(t * 5 + turn * 7) % COUNT(lengths)] : 300001 / lightness();
      void *of = elements(all_types[t], n, t * 3 + turn, &value);
      heddle_where w = HEDDLE_WHERE_INIT, same = HEDDLE_WHERE_INIT;
      heddle_predicate p = HEDDLE_PREDICATE_INIT;
      same.comparison = comparisons[1 + (t + turn) % (COMPARISONS - 1)];
      same.type = w.type = all_types[t], w.of = of, same.value = &value;
      p.test = compare_as, p.user = &same;
      w.comparison = HEDDLE_PREDICATE, w.predicate = &p;
      check(&w, n, (size_t)1 << turn % 5, 0);
      free(of);
    }
}

/* Both zeros, infinities, NaN, the numbers next to them. */
static uint64_t special(heddle_type type, size_t k) {
  const unsigned bits = (unsigned)data_size(type) * 8;
  const unsigned fraction = type == HEDDLE_F16    ? 10
                            : type == HEDDLE_BF16 ? 7
                            : bits == 32          ? 23
                                                  : 52;
  const uint64_t sign = UINT64_C(1) << (bits - 1);
  const uint64_t infinity = (sign - 1) >> fraction << fraction;
  const uint64_t magnitude[] = {0, 1, infinity - 1, infinity, infinity + 1, sign - 1};
  return magnitude[k / 2 % 6] | (k % 2 ? sign : 0);
}

static void special_values(void **state) {
  (void)state;
  enum { N = 300, SPECIAL = 12 };
  for (size_t t = 0; t < float_type_count; t++)
    for (size_t v = 0; v < SPECIAL; v++)
      for (size_t c = 1; c < COMPARISONS; c++) {
        const heddle_type type = float_types[t];
        const uint64_t value = special(type, v);
        char *of = data_new(DATA_SPECIAL, type, v, N);
        for (size_t k = 0; k < N / 3; k++) data_put(type, of, 3 * k + 1, special(type, k));
        heddle_where w = HEDDLE_WHERE_INIT;
        w.comparison = comparisons[c], w.type = type, w.of = of, w.value = &value;
        check(&w, N, 4, 0);
        free(of);
      }
}

/* All, none, a few, most: of masks of bytes. Chunks of several threads. */
static void densities(void **state) {
  (void)state;
  static const size_t per[] = {0, 1, 2, 30, 999, 1000};
  for (size_t d = 0; d < COUNT(per); d++)
    for (size_t turn = 0; turn < 2; turn++) {
      const size_t n = turn ? 300001 / lightness() : 5000;
      unsigned char *mask = allocate(n);
      for (size_t i = 0; i < n; i++)
        mask[i] = (unsigned char)(data_word(d, i) % 1000 < per[d] ? 1 + i % 255 : 0);
      heddle_where w = HEDDLE_WHERE_INIT;
      w.of = mask;
      check(&w, n, (size_t)1 << (d + turn) % 5, 0);
      if (turn && d == 2) check(&w, n, 4, 4);
      free(mask);
    }
}

/* x[x > value] in the array itself. */
static void in_place_of_itself(void **state) {
  (void)state;
  static const heddle_type types[] = {HEDDLE_U8, HEDDLE_F16, HEDDLE_F32, HEDDLE_I64};
  for (size_t t = 0; t < COUNT(types); t++)
    for (size_t turn = 0; turn < 3; turn++) {
      const size_t n = turn == 0 ? 100 : turn == 1 ? 17000 : 300001 / lightness();
      const size_t size = data_size(types[t]);
      uint64_t value = 0;
      char *x = data_new(DATA_WIDE, types[t], t, n), *copy = allocate(n * size);
      heddle_where where = HEDDLE_WHERE_INIT;
      const heddle_where *const w = &where;
      where.comparison = HEDDLE_GREATER, where.type = types[t], where.of = x, where.value = &value;
      if (types[t] == HEDDLE_U8) value = 100;
      struct expected made = expect(w, (unsigned char *)x, n, size), *e = &made;
      where.of = copy;
      for (size_t i = 0; i < on.count; i++) {
        const machine *m = &on.of[i];
        uint64_t found = 0;
        memcpy(copy, x, n * size);
        same_status(HEDDLE_OK, heddle_select(m->ctx, w, size, copy, n, copy, &found), WHERE,
                    IT("select of itself"));
        check_found(w, e, m, found);
        same_bytes(e->picked, copy, e->found * size, WHERE, IT("select of itself"));
      }
      expected_free(e);
      free(x);
      free(copy);
    }
}

/* ---- what is refused ------------------------------------------------------------------------- */

static void refused(heddle_status got, const char *words) {
  same_status(HEDDLE_BAD_ARGUMENT, got, "%s", words);
  if (!strstr(heddle_message(), words)) fail_msg("\"%s\" lacks \"%s\"", heddle_message(), words);
}

static void refusals(void **state) {
  (void)state;
  heddle_context *ctx = open_one();
  float x[64] = {1, 2, 3}, out[64];
  uint64_t found = 5, index[64];
  const float value = 2;
  heddle_where w = HEDDLE_WHERE_INIT;
  w.type = HEDDLE_F32, w.of = x, w.value = &value, w.comparison = HEDDLE_LESS;
  refused(heddle_select(NULL, &w, 4, x, 8, out, &found), "heddle_select: `ctx` is NULL");
  refused(heddle_select(ctx, NULL, 4, x, 8, out, &found), "`where` is NULL");
  refused(heddle_select(ctx, &w, 3, x, 8, out, &found), "`element_bytes` is 3");
  refused(heddle_select(ctx, &w, 4, NULL, 8, out, &found), "`in` is NULL");
  refused(heddle_select(ctx, &w, 4, x, 8, NULL, &found), "`out` is NULL");
  refused(heddle_select(ctx, &w, 4, x, 8, out, NULL), "`selected` is NULL");
  refused(heddle_select(ctx, &w, 4, x, 8, x + 1, &found), "`out` overlaps `in`");
  refused(heddle_select(ctx, &w, 4, out, 8, x, &found), "`out` overlaps `where->of`");
  refused(heddle_select(ctx, &w, 2, x, 8, x, &found), "`out` overlaps `where->of`");
  refused(heddle_select(ctx, &w, 8, index, 8, out, index), "`selected` overlaps `in`");
  refused(heddle_select(ctx, &w, 4, x, SIZE_MAX / 2, out, &found), "more than memory can hold");
  refused(heddle_partition(ctx, &w, 4, x, 8, x, &found), "heddle_partition: `out` overlaps `in`");
  refused(heddle_positions(ctx, &w, 8, HEDDLE_F32, out, &found), "`index_type`");
  refused(heddle_positions(ctx, &w, 8, HEDDLE_U32, x, &found), "`index` overlaps `where->of`");
  refused(heddle_positions(ctx, &w, ((size_t)1 << 32) + 1, HEDDLE_U32, index, &found),
          "do not fit HEDDLE_U32");
  w.comparison = (heddle_comparison)8;
  refused(heddle_select(ctx, &w, 4, x, 8, out, &found), "`where->comparison` 8");
  heddle_predicate p = HEDDLE_PREDICATE_INIT;
  w.comparison = HEDDLE_PREDICATE;
  refused(heddle_select(ctx, &w, 4, x, 8, out, &found), "`where->predicate` is NULL");
  w.predicate = &p, p.cuda_source = "x > 2";
  refused(heddle_select(ctx, &w, 4, x, 8, out, &found), "`where->predicate->test` is NULL");
  p.size = 3;
  refused(heddle_select(ctx, &w, 4, x, 8, out, &found), "`where->predicate->size` is 3");
  w.comparison = HEDDLE_LESS, w.value = NULL;
  refused(heddle_select(ctx, &w, 4, x, 8, out, &found), "`where->value` is NULL");
  w.value = &value, w.type = (heddle_type)99;
  refused(heddle_select(ctx, &w, 4, x, 8, out, &found), "`where->type` 99");
  w.type = HEDDLE_F32, w.of = NULL;
  refused(heddle_select(ctx, &w, 4, x, 8, out, &found), "`where->of` is NULL");
  w.of = x, w.size = 4;
  refused(heddle_select(ctx, &w, 4, x, 8, out, &found), "`where->size` is 4");
  assert_int_equal(found, 5);
  heddle_close(ctx);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_comparison), cmocka_unit_test(special_values),
      cmocka_unit_test(densities),        cmocka_unit_test(in_place_of_itself),
      cmocka_unit_test(predicates),       cmocka_unit_test(refusals)};
  return cmocka_run_group_tests(tests, setup, teardown);
}
