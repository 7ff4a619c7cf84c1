/* values_tmpl.h - accumulators of floats of one size as the values that they stand for, by vectors
 *
 * Parameters  VALUES_F          f32 or f64
 *             VALUES_I          the signed integer of its size
 *             VALUES_NAN        the bits of the one NaN
 *             VALUES_INFINITY   those of infinity, and of the sign
 *             VALUES_SIGN
 *             VALUES_MOST       the greatest VALUES_I
 * Result      values_F, values_negated_F, values_least_I, values_greatest_I, lanes_least_I, lanes_greatest_I:
 *             what values.h says of them */
#define VALUES_CAT_(a, b) a##b
#define VALUES_CAT(a, b) VALUES_CAT_(a, b)
#define VALUES_FLOATS(part) VALUES_CAT(part, VALUES_F)
#define VALUES_KEYS(part) VALUES_CAT(part, VALUES_I)
#define VALUES_VF VALUES_CAT(v, VALUES_F)
#define VALUES_VI VALUES_CAT(v, VALUES_I)
#define VALUES_OF_BITS VALUES_CAT(VALUES_CAT(hd_, VALUES_F), _of_bits)

/* Where the vector of element i of n begins, in bytes. */
static inline size_t VALUES_FLOATS(values_at_)(size_t i, size_t n) {
  const size_t step = VEC_BYTES / sizeof(VALUES_F);
  return (i + step <= n ? i : n - step) * sizeof(VALUES_F);
}

static inline VALUES_VF VALUES_FLOATS(values_load_)(const void *at) {
  VALUES_VF v;
  memcpy(&v, at, sizeof v);
  return v;
}

static inline void VALUES_FLOATS(values_one_)(const void *from, size_t at, void *to, bool negated) {
  const VALUES_VF x = VALUES_FLOATS(values_load_)((const char *)from + at);
  const VALUES_VF v = VALUES_FLOATS(keep_)(negated ? -x : x, VALUES_OF_BITS(VALUES_NAN));
  memcpy((char *)to + at, &v, sizeof v);
}

static inline void VALUES_FLOATS(values_signed_)(const void *from, size_t n, void *to,
                                                 bool negated) {
  enum { STEP = VEC_BYTES / sizeof(VALUES_F), TURN = 4 };
  size_t i = 0;
  for (; i + TURN * STEP <= n; i += TURN * STEP)
    for (size_t v = i; v < i + TURN * STEP; v += STEP)
      VALUES_FLOATS(values_one_)(from, v * sizeof(VALUES_F), to, negated);
  for (; i < n; i += STEP)
    VALUES_FLOATS(values_one_)(from, VALUES_FLOATS(values_at_)(i, n), to, negated);
}
static void VALUES_FLOATS(values_)(const void *from, size_t n, void *to) {
  VALUES_FLOATS(values_signed_)(from, n, to, false);
}
static void VALUES_FLOATS(values_negated_)(const void *from, size_t n, void *to) {
  VALUES_FLOATS(values_signed_)(from, n, to, true);
}

/* The keys of no value and of NaN become bits of NaN, which no number's does: they are looked for once. */
static inline void VALUES_KEYS(values_keys_)(const void *from, size_t n, void *to, bool is_min) {
  const VALUES_F none = VALUES_OF_BITS(VALUES_INFINITY | (is_min ? 0 : VALUES_SIGN));
  const VALUES_I empty = is_min ? VALUES_MOST : -1; /* the bits that no value's key becomes */
  const size_t step = VEC_BYTES / sizeof(VALUES_F);
  VALUES_VI others = {0};
  for (size_t i = 0; i < n; i += step) {
    const size_t at = VALUES_FLOATS(values_at_)(i, n);
    const VALUES_VI key = (VALUES_VI)VALUES_FLOATS(values_load_)((const char *)from + at);
    const VALUES_VF v = (VALUES_VF)(key ^ ((key < 0) & VALUES_MOST));
    others |= v != v;
    memcpy((char *)to + at, &v, sizeof v);
  }
  if (!hist_any_i64((vi64)others)) return;
  for (size_t i = 0; i < n; i += step) {
    char *at = (char *)to + VALUES_FLOATS(values_at_)(i, n);
    const VALUES_VF x = VALUES_FLOATS(values_load_)(at);
    const VALUES_VF number = VALUES_FLOATS(keep_)(x, VALUES_OF_BITS(VALUES_NAN));
    const VALUES_VF v =
        VALUES_FLOATS(select_)((VALUES_VI)x == empty, none - (VALUES_VF){0}, number);
    memcpy(at, &v, sizeof v);
  }
}
static void VALUES_KEYS(values_least_)(const void *from, size_t n, void *to) {
  VALUES_KEYS(values_keys_)(from, n, to, true);
}
static void VALUES_KEYS(values_greatest_)(const void *from, size_t n, void *to) {
  VALUES_KEYS(values_keys_)(from, n, to, false);
}

static void VALUES_KEYS(lanes_least_)(void *totals, size_t n) {
  VALUES_KEYS(values_keys_)(totals, n, totals, true);
}
static void VALUES_KEYS(lanes_greatest_)(void *totals, size_t n) {
  VALUES_KEYS(values_keys_)(totals, n, totals, false);
  for (size_t i = 0; i < n; i += VEC_BYTES / sizeof(VALUES_F)) {
    char *at = (char *)totals + i * sizeof(VALUES_F);
    const VALUES_VF v = -VALUES_FLOATS(values_load_)(at);
    memcpy(at, &v, sizeof v);
  }
}

#undef VALUES_CAT_
#undef VALUES_CAT
#undef VALUES_FLOATS
#undef VALUES_KEYS
#undef VALUES_VF
#undef VALUES_VI
#undef VALUES_OF_BITS
#undef VALUES_F
#undef VALUES_I
#undef VALUES_NAN
#undef VALUES_INFINITY
#undef VALUES_SIGN
#undef VALUES_MOST
