/* masks_tmpl.h - elements compared, a bit each; included once a width of elements
 *
 * Parameters  SELECT_T     u8, u16, u32 or u64, the bits of an element
 *             SELECT_I     the signed integer as wide
 *             SELECT_FLOAT 1: elements are floats
 * Result      select_masks_T or select_masks_float_T, a hd_cpu_masks_kernel
 * Method      Every comparison is a range of keys: one subtraction, one comparison. */
#define SELECT_JOIN__(a, b) a##_##b
#define SELECT_JOIN_(a, b) SELECT_JOIN__(a, b)
#if SELECT_FLOAT
#define SELECT_NAME(name) SELECT_JOIN_(name##_float, SELECT_T)
#else
#define SELECT_NAME(name) SELECT_JOIN_(name, SELECT_T)
#endif
#define SELECT_WITHIN SELECT_JOIN_(within, SELECT_T)
#define SELECT_V__(t) v##t
#define SELECT_V_(t) SELECT_V__(t)
#define SELECT_V SELECT_V_(SELECT_T)
#define SELECT_VI SELECT_V_(SELECT_I)

/* 64 elements. */
static inline u64 SELECT_NAME(select_mask)(const char *x, SELECT_T low, SELECT_T span) {
  enum { LANES = VEC_BYTES / sizeof(SELECT_T) };
  u64 mask = 0;
  for (size_t k = 0; k < 64; k += LANES) {
    SELECT_V v;
    memcpy(&v, x + k * sizeof(SELECT_T), sizeof v);
    if (SELECT_FLOAT) {
      const SELECT_VI negative = (SELECT_VI)v >> (8 * sizeof(SELECT_T) - 1);
      v ^= (SELECT_V)negative & (SELECT_T)((SELECT_T)-1 >> 1);
    }
    mask |= SELECT_WITHIN(v - low, span) << k;
  }
  return mask;
}

static size_t SELECT_NAME(select_masks)(const void *x, size_t n,
                                        const struct hd_cpu_key_range *range, u64 *masks) {
  const SELECT_T low = (SELECT_T)range->low, span = (SELECT_T)range->span;
  const u64 flip = range->invert ? HD_U64_MAX : 0;
  const char *p = x;
  size_t found = 0;
  for (; n >= 64; n -= 64, p += 64 * sizeof(SELECT_T)) {
    for (size_t b = 0; b < 64 * sizeof(SELECT_T); b += 64)
      __builtin_prefetch(p + HD_SELECT_AHEAD + b, 0, 2);
    const u64 mask = SELECT_NAME(select_mask)(p, low, span) ^ flip;
    *masks++ = mask;
    found += (size_t)__builtin_popcountll(mask);
  }
  if (n) {
    SELECT_T last[64] = {0};
    memcpy(last, p, n * sizeof *last);
    const u64 mask =
        (SELECT_NAME(select_mask)((const char *)last, low, span) ^ flip) & (((u64)1 << n) - 1);
    *masks = mask;
    found += (size_t)__builtin_popcountll(mask);
  }
  return found;
}

#undef SELECT_JOIN__
#undef SELECT_JOIN_
#undef SELECT_NAME
#undef SELECT_WITHIN
#undef SELECT_V__
#undef SELECT_V_
#undef SELECT_V
#undef SELECT_VI
#undef SELECT_T
#undef SELECT_I
#undef SELECT_FLOAT
