/* heads_tmpl.h - elements that differ from the one before, a bit each; included once a type of keys
 *
 * Parameters  HEADS_NAME  of the kernel
 *             HEADS_T     u8, u16, u32 or u64, the bits of an element
 *             HEADS_INF   of floats the bits of infinity; 0: integers
 * Result      HEADS_NAME, a hd_cpu_heads_kernel
 * Method      Bits are compared. Where they differ, floats are equal if both are zeros or both NaN. */
#define HEADS_JOIN__(a, b) a##_##b
#define HEADS_JOIN_(a, b) HEADS_JOIN__(a, b)
#define HEADS_FN(part) HEADS_JOIN_(HEADS_NAME, part)
#define HEADS_WITHIN HEADS_JOIN_(within, HEADS_T)
#define HEADS_LESSER HEADS_JOIN_(lesser, HEADS_T)
#define HEADS_V__(t) v##t
#define HEADS_V_(t) HEADS_V__(t)
#define HEADS_V HEADS_V_(HEADS_T)

/* 64 elements, and the 64 that are each before one. */
static inline u64 HEADS_FN(mask)(const char *x, const char *before) {
  enum { LANES = VEC_BYTES / sizeof(HEADS_T) };
  HEADS_V a, b;
  u64 same = 0;
  for (size_t k = 0; k < 64; k += LANES) {
    memcpy(&a, x + k * sizeof(HEADS_T), sizeof a);
    memcpy(&b, before + k * sizeof(HEADS_T), sizeof b);
    same |= HEADS_WITHIN(a ^ b, 0) << k;
  }
#if HEADS_INF
  const HEADS_T most = (HEADS_T)((HEADS_T)-1 >> 1), first = (HEADS_T)(HEADS_INF + 1);
  for (size_t k = 0; k < 64 && ~same; k += LANES) {
    memcpy(&a, x + k * sizeof(HEADS_T), sizeof a);
    memcpy(&b, before + k * sizeof(HEADS_T), sizeof b);
    a &= most, b &= most;
    const HEADS_V least = HEADS_LESSER(a, b); /* both are NaN if it is one */
    same |= (HEADS_WITHIN(a | b, 0) | HEADS_WITHIN(least - first, (HEADS_T)(most - first))) << k;
  }
#endif
  return ~same;
}

static size_t HEADS_NAME(const void *x, size_t n, const void *before, u64 *masks) {
  const char *p = x;
  HEADS_T now[64], then[64];
  size_t found = 0;
  for (size_t i = 0; i < n; i += 64, p += sizeof now) {
    const bool is_part = n - i < 64;
    u64 mask;
    if (!i || is_part) {
      const size_t here = is_part ? n - i : 64;
      memset(now, 0, sizeof now);
      memset(then, 0, sizeof then);
      memcpy(now, p, here * sizeof *now);
      memcpy(then + 1, now, sizeof now - sizeof *now);
      if (i)
        memcpy(then, p - sizeof *then, sizeof *then);
      else if (before)
        memcpy(then, before, sizeof *then);
      mask = HEADS_FN(mask)((const char *)now, (const char *)then);
      if (!i && !before) mask |= 1;
      if (is_part) mask &= ((u64)1 << here) - 1;
    } else {
      mask = HEADS_FN(mask)(p, p - sizeof *now);
    }
    masks[i / 64] = mask;
    found += (size_t)__builtin_popcountll(mask);
  }
  return found;
}

#undef HEADS_JOIN__
#undef HEADS_JOIN_
#undef HEADS_FN
#undef HEADS_WITHIN
#undef HEADS_LESSER
#undef HEADS_V__
#undef HEADS_V_
#undef HEADS_V
#undef HEADS_NAME
#undef HEADS_T
#undef HEADS_INF
