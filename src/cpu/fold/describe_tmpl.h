/* describe_tmpl.h - count, extremes, sum and three moments of one type, rule 9
 *
 * Parameters  DESC_IN    element type: load_IN_f64 and one_IN_f64 exist
 *             DESC_SKIP  1: NaN are left out, and the kernel's name ends in _skip; else 0
 * Method      Two passes over a chunk of 1,024 elements in L1: the sum, extremes and counts, then
 *             the powers of the deviations from the chunk's own mean. Chunks merge by Chan's and
 *             Pebay's formulas (order/moments.h). */
#define DESC_CAT_(a, b, c) a##b##c
#define DESC_CAT(a, b, c) DESC_CAT_(a, b, c)
#if DESC_SKIP
#define DESC_NAME DESC_CAT(describe_, DESC_IN, _skip)
#else
#define DESC_NAME DESC_CAT(describe_, DESC_IN, )
#endif
#define DESC_LANES DESC_CAT(load_, DESC_IN, _f64)
#define DESC_ONE DESC_CAT(one_, DESC_IN, _f64)
#define DESC_FN_(name, part) name##_##part
#define DESC_FN__(name, part) DESC_FN_(name, part)
#define DESC_FN(part) DESC_FN__(DESC_NAME, part)

#if DESC_SKIP
#define DESC_OR(v, e) keep_f64(v, e)
#define DESC_AWAY(v, mean) select_f64((v) == (v), (v) - (mean), (vf64){0})
#define DESC_ALL_COUNT(nan) true
#else
#define DESC_OR(v, e) (v)
#define DESC_AWAY(v, mean) ((v) - (mean))
#define DESC_ALL_COUNT(nan) ((nan) == 0)
#endif

enum { DESC_FN(CHUNK) = HD_CHUNK(sizeof(f64)), DESC_FN(ROW) = HD_LANES(sizeof(f64)) };

/* Rule 2 for what f(vector of elements) gives: columns from the top, then halves. */
static inline f64 DESC_FN(powers)(const char *x, f64 mean, f64 *m3) {
  enum { STEP = LANES64, VECTORS = HD_ROW_BYTES / VEC_BYTES, GROUP = 4 };
  vf64 two[VECTORS], three[VECTORS];
  for (int g = 0; g < VECTORS; g += GROUP) {
    vf64 a[GROUP], b[GROUP];
    for (int r = 0; r < HD_CHUNK_ROWS; r++)
      for (int v = 0; v < GROUP; v++) {
        const char *p = x + (size_t)(r * DESC_FN(ROW) + (g + v) * STEP) * sizeof(DESC_IN);
        vf64 e = DESC_LANES(p), d = DESC_AWAY(e, mean), d2 = d * d;
        a[v] = r ? a[v] + d2 : d2;
        b[v] = r ? b[v] + d2 * d : d2 * d;
      }
    for (int v = 0; v < GROUP; v++) two[g + v] = a[v], three[g + v] = b[v];
  }
  *m3 = fold_columns_f64(three);
  return fold_columns_f64(two);
}

/* Extremes of a chunk with NaN among its elements, which are left out. */
static void DESC_FN(extremes)(const char *x, struct hd_moments *out) {
  out->min_key = INT64_MAX, out->max_key = INT64_MIN;
  for (size_t i = 0; i < DESC_FN(CHUNK); i++) {
    f64 e = DESC_ONE(x + i * sizeof(DESC_IN));
    i64 key = hd_key_of_f64(e);
    if (e != e) continue;
    out->min_key = key < out->min_key ? key : out->min_key;
    out->max_key = key > out->max_key ? key : out->max_key;
  }
}

/* NaN and infinities of a chunk that has any. */
static void DESC_FN(count)(const char *x, struct hd_moments *out) {
  for (size_t i = 0; i < DESC_FN(CHUNK); i++) {
    f64 e = DESC_ONE(x + i * sizeof(DESC_IN));
    out->nan += e != e;
    out->infinite += e == e && e - e != 0;
  }
}

/* The mean of a chunk whose sum overflows. */
static f64 DESC_FN(scaled_mean)(const char *x, f64 n) {
  enum { STEP = LANES64, VECTORS = HD_ROW_BYTES / VEC_BYTES };
  vf64 sum[VECTORS];
  for (int v = 0; v < VECTORS; v++)
    for (int r = 0; r < HD_CHUNK_ROWS; r++) {
      vf64 e = DESC_LANES(x + (size_t)(r * DESC_FN(ROW) + v * STEP) * sizeof(DESC_IN)) * 0x1p-11;
      e = DESC_OR(e, -0.0);
      sum[v] = r ? sum[v] + e : e;
    }
  return hd_moments_scaled_mean(fold_columns_f64(sum), n);
}

static inline void DESC_FN(chunk)(const char *x, struct hd_moments *out) {
  enum { STEP = LANES64, VECTORS = HD_ROW_BYTES / VEC_BYTES };
  vf64 sum[VECTORS];
  vi64 least = (vi64){0} + INT64_MAX, most = (vi64){0} + INT64_MIN, magnitude = {0};
  for (int v = 0; v < VECTORS; v++)
    for (int r = 0; r < HD_CHUNK_ROWS; r++) {
      const char *p = x + (size_t)(r * DESC_FN(ROW) + v * STEP) * sizeof(DESC_IN);
      vf64 e = DESC_LANES(p);
      vi64 bits = (vi64)e, key = bits ^ (vi64)((vu64)(bits >> 63) >> 1);
      __builtin_prefetch(p + 4096);
      least = lesser_i64(least, key);
      most = greater_i64(most, key);
      magnitude = greater_i64(magnitude, bits & INT64_MAX);
      e = DESC_OR(e, -0.0);
      sum[v] = r ? sum[v] + e : e;
    }
  out->min_key = INT64_MAX, out->max_key = INT64_MIN;
  out->nan = out->infinite = 0;
  bool finite = true;
  for (int j = 0; j < STEP; j++) {
    out->min_key = least[j] < out->min_key ? least[j] : out->min_key;
    out->max_key = most[j] > out->max_key ? most[j] : out->max_key;
    finite = finite && magnitude[j] < INT64_C(0x7ff0000000000000);
  }
  if (!finite) DESC_FN(count)(x, out);
  if (out->nan) DESC_FN(extremes)(x, out);
  out->sum = fold_columns_f64(sum);
  out->n = (f64)DESC_FN(CHUNK);
#if DESC_SKIP
  out->n -= (f64)out->nan;
#endif
  if (out->n == 0) {
    out->mean = out->m2 = out->m3 = 0;
    return;
  }
  out->mean = out->sum / out->n;
  if (!hd_is_finite(out->sum) && !out->infinite && DESC_ALL_COUNT(out->nan))
    out->mean = DESC_FN(scaled_mean)(x, out->n);
  out->m2 = DESC_FN(powers)(x, out->mean, &out->m3);
}

static heddle_status DESC_FN(chunks)(const void *x, const void *y, u64 first, size_t n,
                                     void *totals, const heddle_custom *custom) {
  struct hd_moments *out = totals;
  (void)y, (void)first, (void)custom;
  for (size_t c = 0; c < n; c++)
    DESC_FN(chunk)((const char *)x + c * DESC_FN(CHUNK) * sizeof(DESC_IN), &out[c]);
  return HEDDLE_OK;
}

/* As tail_tree, of elements some of which may not count. */
static __attribute__((noinline)) unsigned DESC_FN(each)(const char *x, size_t n,
                                                        struct hd_moments *left) {
  struct moments_stack k;
  unsigned blocks = 0;
  if (n == 1) { /* no stack, whose copies its time would show */
    hd_moments_one(left, DESC_ONE(x), DESC_SKIP);
    return 1;
  }
  for (size_t i = 0; i < n; i++) {
    struct hd_moments one;
    hd_moments_one(&one, DESC_ONE(x + i * sizeof(DESC_IN)), DESC_SKIP);
    moments_push(&k, i, 0, one);
  }
  for (u64 rest = n; rest; rest ^= (u64)1 << hd_top_bit(rest))
    left[blocks++] = k.slot[hd_top_bit(rest)];
  return blocks;
}

static heddle_status DESC_FN(tail)(const void *x, const void *y, u64 first, size_t n, void *acc,
                                   const heddle_custom *custom) {
  struct hd_moments left[10], total;
  struct tail_level level[2];
  bool numbers = n >= TAIL_LEAST;
  unsigned blocks;
  (void)y, (void)first, (void)custom;
  for (size_t i = 0; numbers && i < n; i++) {
    const f64 e = DESC_ONE((const char *)x + i * sizeof(DESC_IN));
    level[0].sum[i] = e;
    numbers = e > -0x1p1022 && e < 0x1p1022; /* and so no NaN */
  }
  if (numbers) {
    struct hd_moments ends;
    tail_extremes(level[0].sum, n, &ends);
    blocks = tail_tree(level, n, left);
    left[0].min_key = ends.min_key, left[0].max_key = ends.max_key;
    left[0].infinite = ends.infinite;
  } else {
    blocks = DESC_FN(each)(x, n, left);
  }
  memcpy(&total, acc, sizeof total);
  for (unsigned i = 0; i < blocks; i++) hd_moments_merge(&total, &left[i]);
  memcpy(acc, &total, sizeof total);
  return HEDDLE_OK;
}

static const struct hd_cpu_fold_kernel DESC_NAME = {
    sizeof(DESC_IN),
    DESC_FN(CHUNK),
    HD_TOTAL_MOMENTS,
    {sizeof(struct hd_moments), false, moments_pairs, moments_combine, moments_identity},
    DESC_FN(chunks),
    DESC_FN(tail),
    HD_TEXT(DESC_NAME),
    "cpu/fold/describe_tmpl.h",
    NULL};

#undef DESC_FN_
#undef DESC_FN__
#undef DESC_FN
#undef DESC_OR
#undef DESC_AWAY
#undef DESC_ALL_COUNT
#undef DESC_CAT_
#undef DESC_CAT
#undef DESC_NAME
#undef DESC_LANES
#undef DESC_ONE
