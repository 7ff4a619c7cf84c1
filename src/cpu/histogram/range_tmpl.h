/* range_tmpl.h - the least and the greatest finite value of an array
 *
 * Parameters HIST_T         element type; an integer is its own key, HIST_LEAST to HIST_MOST
 *            HIST_IS_FLOAT  1: HIST_KEY is the integer whose order is the type's, HIST_F what an
 *                           element is widened to; else 0
 * Result     hist_range_T. */
#define HV_(t) v##t
#define HV(t) HV_(t)
#define HN_(a, b) a##_##b
#define HN(a, b) HN_(a, b)
#if HIST_IS_FLOAT /* keys of finite numbers; NaN becomes one that is not */
#define HIST_K HIST_KEY
#define HIST_KEYS(p) HN(key, HIST_F)(HN(load, HN(HIST_T, HIST_F))(p), HIST_MOST)
#define HIST_LOW (-HN(hist_finite, HIST_F) - 1)
#define HIST_HIGH HN(hist_finite, HIST_F)
#define HIST_VALUE(k) HN(hd, HN(HIST_F, of_key))(k)
#else
#define HIST_K HIST_T
#define HIST_KEYS(p) HN(load, HN(HIST_T, HIST_T))(p)
#define HIST_LOW HIST_LEAST
#define HIST_HIGH HIST_MOST
#define HIST_VALUE(k) (k)
#endif
#define VK HV(HIST_K)

static void HN(hist_range, HIST_T)(const void *in, size_t n, bool positive,
                                   struct hd_cpu_range *range) {
  enum { LANES = VEC_BYTES / sizeof(HIST_K) };
  const char *bytes = in;
  const HIST_K least = positive ? 1 : HIST_LOW, most = HIST_HIGH;
  VK lo = (VK){0} + most, hi = (VK){0} + least;
  VK found = {0};
  for (size_t i = 0; i < n; i += LANES) {
    HIST_T tail[LANES];
    const void *p = bytes + i * sizeof(HIST_T);
    if (n - i < LANES) { /* filled up with its own first element */
      for (size_t k = 0; k < LANES; k++)
        memcpy(tail + k, bytes + (i + (k < n - i ? k : 0)) * sizeof(HIST_T), sizeof(HIST_T));
      p = tail;
    }
    VK k = HIST_KEYS(p);
    VK in_range = (VK)(k >= least) & (VK)(k <= most);
    found |= in_range;
    lo = HN(lesser, HIST_K)(lo, (k & in_range) | (most & ~in_range));
    hi = HN(greater, HIST_K)(hi, (k & in_range) | (least & ~in_range));
  }
  HIST_K low = most, high = least, any = 0;
  for (size_t k = 0; k < LANES; k++) {
    low = lo[k] < low ? lo[k] : low;
    high = hi[k] > high ? hi[k] : high;
    any |= found[k];
  }
  if (!any) return;
  f64 low_value = (f64)HIST_VALUE(low), high_value = (f64)HIST_VALUE(high);
  if (low_value < range->lo) range->lo = low_value;
  if (high_value > range->hi) range->hi = high_value;
}

#undef VK
#undef HN
#undef HN_
#undef HV
#undef HV_
#undef HIST_VALUE
#undef HIST_HIGH
#undef HIST_LOW
#undef HIST_KEYS
#undef HIST_K
