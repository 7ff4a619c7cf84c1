/* range_tmpl.h - the least and the greatest finite value of an array
 *
 * Parameters HIST_T (element), HIST_K (integer whose order is the element's), HIST_KEYS(p) (a
 *            vector of them), HIST_LEAST, HIST_MOST (of the finite ones), HIST_VALUE(k) (back to
 *            f64). Result hist_range_T. */
#define HV_(t) v##t
#define HV(t) HV_(t)
#define HN_(a, b) a##_##b
#define HN(a, b) HN_(a, b)
#define VK HV(HIST_K)

static void HN(hist_range, HIST_T)(const void *in, size_t n, bool positive,
                                   struct hd_cpu_range *range) {
  enum { LANES = VEC_BYTES / sizeof(HIST_K) };
  const char *bytes = in;
  const HIST_K least = positive ? 1 : HIST_LEAST, most = HIST_MOST;
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
#undef HIST_MOST
#undef HIST_LEAST
#undef HIST_KEYS
#undef HIST_K
#undef HIST_T
