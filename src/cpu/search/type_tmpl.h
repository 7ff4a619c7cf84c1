/* type_tmpl.h - numbers_T, search_T, thin_T: the search of values of one type
 *
 * Method   A block of values goes down the array step by step: without branches, one load each that no other
 *          waits for. Comparisons are C's, by which both zeros are one; NaN are set right at the end.
 * Parameters SEARCH_T, SEARCH_VALUE what it is compared as, SEARCH_BITS of an element, SEARCH_FLOAT 1 or 0 */
#define SEARCH_NAME_(name, t) name##_##t
#define SEARCH_NAME__(name, t) SEARCH_NAME_(name, t)
#define SEARCH_NAME(name) SEARCH_NAME__(name, SEARCH_T)
#define SEARCH_OF(x) SEARCH_NAME(search_of)(x)
#if SEARCH_FLOAT
#define SEARCH_NAN(v) ((v) != (v))
#else
#define SEARCH_NAN(v) ((void)(v), false)
#endif
#if SEARCH_BITS > 32
#define SEARCH_AT i64 /* a place, as wide as a value, so that both fill a vector alike */
#else
#define SEARCH_AT i32
#endif

/* An element at any address. */
typedef SEARCH_T SEARCH_NAME(search_loose) __attribute__((aligned(1), may_alias));

static inline SEARCH_VALUE SEARCH_NAME(at)(const SEARCH_NAME(search_loose) * x, size_t i) {
  SEARCH_T e;
  memcpy(&e, (const char *)x + i * sizeof e, sizeof e);
  return SEARCH_OF(e);
}

static inline bool SEARCH_NAME(is_before)(SEARCH_VALUE element, SEARCH_VALUE v, bool right) {
  return right ? element <= v : element < v;
}

static size_t SEARCH_NAME(numbers)(const void *sorted, size_t n) {
  size_t at = 0;
  while (n) {
    const size_t half = n / 2;
    const SEARCH_VALUE v = SEARCH_NAME(at)(sorted, at + half);
    const bool number = !SEARCH_NAN(v);
    at += number ? half + 1 : 0;
    n = number ? n - half - 1 : half;
  }
  return at;
}

/* How many of elements at .. at + n - 1 are before v, and `at`. */
static inline size_t SEARCH_NAME(count)(const SEARCH_NAME(search_loose) * x, size_t at, size_t n,
                                        SEARCH_VALUE v, bool right) {
  while (n > 1) {
    const size_t half = n / 2;
    at += SEARCH_NAME(is_before)(SEARCH_NAME(at)(x, at + half - 1), v, right) ? half : 0;
    n -= half;
  }
  return at + (n && SEARCH_NAME(is_before)(SEARCH_NAME(at)(x, at), v, right));
}

/* The same from `at` on, where it is likely to be near: steps that double, then between the last two. */
static inline size_t SEARCH_NAME(gallop)(const SEARCH_NAME(search_loose) * x, size_t at, size_t end,
                                         SEARCH_VALUE v, bool right) {
  size_t step = 1;
  while (step < end - at && SEARCH_NAME(is_before)(SEARCH_NAME(at)(x, at + step - 1), v, right)) {
    at += step;
    step *= 2;
  }
  return SEARCH_NAME(count)(x, at, step < end - at ? step : end - at, v, right);
}

/* at[j] += how many of the n elements from at[j] on are before v[j]. */
static inline __attribute__((always_inline)) void
SEARCH_NAME(steps)(const SEARCH_NAME(search_loose) * x, size_t n, const SEARCH_VALUE *restrict v,
                   SEARCH_AT *restrict at, bool right) {
  if (!n) return;
  for (; n > 1; n -= n / 2) {
    const SEARCH_AT half = (SEARCH_AT)(n / 2);
    for (size_t j = 0; j < HD_SEARCH_BLOCK; j++) {
      const SEARCH_VALUE e = SEARCH_OF(x[at[j] + half - 1]);
      at[j] += half & -(SEARCH_AT)SEARCH_NAME(is_before)(e, v[j], right); /* no branch */
    }
  }
  for (size_t j = 0; j < HD_SEARCH_BLOCK; j++)
    at[j] += (SEARCH_AT)SEARCH_NAME(is_before)(SEARCH_OF(x[at[j]]), v[j], right);
}

/* at[j] becomes the first of the elements of a level below for that of the level above, so that as many
 * follow as steps take. */
static inline void SEARCH_NAME(descend)(SEARCH_AT *restrict at, size_t n) {
  const SEARCH_AT last = (SEARCH_AT)(n - HD_SEARCH_FAN);
  for (size_t j = 0; j < HD_SEARCH_BLOCK; j++) {
    const SEARCH_AT first = at[j] * HD_SEARCH_FAN;
    at[j] = first < last ? first : last;
  }
}

/* at[j] = how many of the job's numbers are before v[j]. */
static inline __attribute__((always_inline)) void
SEARCH_NAME(down)(const struct hd_cpu_search_job *job, const SEARCH_VALUE *v, SEARCH_AT *at,
                  bool right) {
  memset(at, 0, HD_SEARCH_BLOCK * sizeof *at);
  if (!job->levels) {
    SEARCH_NAME(steps)(job->sorted, job->numbers, v, at, right);
    return;
  }
  SEARCH_NAME(steps)(job->level[0], job->level_count[0], v, at, right);
  for (u32 l = 1; l < job->levels; l++) {
    SEARCH_NAME(descend)(at, job->level_count[l]);
    SEARCH_NAME(steps)(job->level[l], HD_SEARCH_FAN, v, at, right);
  }
  SEARCH_NAME(descend)(at, job->numbers);
  SEARCH_NAME(steps)(job->sorted, HD_SEARCH_FAN, v, at, right);
}

/* The n values from `first` on, and the first of them again behind them. False: they are not in order. */
static bool SEARCH_NAME(load)(const struct hd_cpu_search_job *job, size_t first, size_t n,
                              SEARCH_VALUE *v, bool *nan) {
  int falls = 0, nans = 0;
  for (size_t j = 0; j < n; j++) v[j] = SEARCH_NAME(at)(job->values, first + j);
  for (size_t j = 0; j < n; j++) nans |= SEARCH_NAN(v[j]);
  for (size_t j = 1; j < n; j++) falls |= !(v[j - 1] <= v[j]);
  for (size_t j = n; j < HD_SEARCH_BLOCK; j++) v[j] = v[0];
  *nan = nans != 0;
  return !falls && !nans;
}

static void SEARCH_NAME(store)(const struct hd_cpu_search_job *job, size_t first, size_t n,
                               const SEARCH_VALUE *v, const SEARCH_AT *at, size_t base, bool nan) {
  const size_t of_nan = job->right ? job->count : job->numbers;
  for (size_t j = 0; j < n && job->index_bytes == 4; j++) {
    const u32 to = (u32)(base + (size_t)at[j]);
    memcpy((char *)job->index + (first + j) * sizeof to, &to, sizeof to);
  }
  for (size_t j = 0; j < n && job->index_bytes == 8; j++) {
    const u64 to = base + (size_t)at[j];
    memcpy((char *)job->index + (first + j) * sizeof to, &to, sizeof to);
  }
  for (size_t j = 0; j < n && nan; j++) {
    const u64 to = of_nan;
    const u32 narrow = (u32)of_nan;
    if (!SEARCH_NAN(v[j])) continue;
    memcpy((char *)job->index + (first + j) * job->index_bytes,
           job->index_bytes == 4 ? (const void *)&narrow : (const void *)&to, job->index_bytes);
  }
}

/* Places beyond what a vector's lane counts: one by one. */
static void SEARCH_NAME(far)(const struct hd_cpu_search_job *job, const SEARCH_VALUE *v,
                             size_t first, size_t n) {
  for (size_t j = 0; j < n; j++) {
    const SEARCH_AT none[1] = {0};
    const size_t at = SEARCH_NAME(count)(job->sorted, 0, job->numbers, v[j], job->right);
    SEARCH_NAME(store)(job, first + j, 1, v + j, none, at, SEARCH_NAN(v[j]));
  }
}

static inline __attribute__((always_inline)) void
SEARCH_NAME(search_side)(const struct hd_cpu_search_job *job, size_t first, size_t n, bool right) {
  const size_t most = sizeof(SEARCH_AT) < 8 ? INT32_MAX - HD_SEARCH_FAN : (size_t)INT64_MAX;
  _Alignas(64) SEARCH_VALUE v[HD_SEARCH_BLOCK];
  _Alignas(64) SEARCH_AT at[HD_SEARCH_BLOCK];
  size_t before = 0; /* of the last value of the block before */
  for (size_t m; n; first += m, n -= m) {
    bool nan;
    m = n < HD_SEARCH_BLOCK ? n : HD_SEARCH_BLOCK;
    const bool rises = SEARCH_NAME(load)(job, first, m, v, &nan);
    size_t base = 0, end = job->numbers;
    if (rises) {
      const bool back =
          before && !SEARCH_NAME(is_before)(SEARCH_NAME(at)(job->sorted, before - 1), v[0], right);
      base = SEARCH_NAME(gallop)(job->sorted, back ? 0 : before, end, v[0], right);
      before = end = SEARCH_NAME(gallop)(job->sorted, base, end, v[m - 1], right);
    }
    if (end - base > most) {
      SEARCH_NAME(far)(job, v, first, m);
      continue;
    }
    if (end - base == job->numbers) {
      SEARCH_NAME(down)(job, v, at, right);
    } else {
      memset(at, 0, sizeof at);
      SEARCH_NAME(steps)
      ((const SEARCH_NAME(search_loose) *)job->sorted + base, end - base, v, at, right);
    }
    SEARCH_NAME(store)(job, first, m, v, at, base, nan);
  }
}

static void SEARCH_NAME(search)(const struct hd_cpu_search_job *job, size_t first, size_t n) {
  if (job->right)
    SEARCH_NAME(search_side)(job, first, n, true);
  else
    SEARCH_NAME(search_side)(job, first, n, false);
}

static void SEARCH_NAME(thin)(const void *from, size_t n, void *to) {
  for (size_t i = 0; i < n / HD_SEARCH_FAN; i++)
    memcpy((char *)to + i * sizeof(SEARCH_T),
           (const char *)from + (i * HD_SEARCH_FAN + HD_SEARCH_FAN - 1) * sizeof(SEARCH_T),
           sizeof(SEARCH_T));
}

#undef SEARCH_NAME_
#undef SEARCH_NAME__
#undef SEARCH_NAME
#undef SEARCH_OF
#undef SEARCH_AT
#undef SEARCH_NAN
