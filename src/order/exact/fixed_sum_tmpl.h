/* fixed_sum_tmpl.h - fix_T: weights of one type, exact in f64, to fixed point
 *
 * Parameters FIX_T, and FIX_IS_NARROW: 1 for floats of 16 bits, which are integers to C; else 0. */
#define FIX_NAME_(t) fix_##t
#define FIX_NAME(t) FIX_NAME_(t)
#define FIX_WIDE_(t) hd_f32_from_##t
#define FIX_WIDE(t) FIX_WIDE_(t)
#if FIX_IS_NARROW
#define FIX_TO_F64(w) ((f64)FIX_WIDE(FIX_T)(w))
#else
#define FIX_TO_F64(w) ((f64)(w))
#endif

static unsigned FIX_NAME(FIX_T)(const void *weights, size_t n, int exponent, struct hd_fixed *fixed,
                                u8 *marks) {
  const struct hd_scale s = hd_fixed_scale(exponent);
  unsigned all = 0;
  for (size_t i = 0; i < n; i++) {
    FIX_T w;
    memcpy(&w, (const char *)weights + i * sizeof w, sizeof w);
    unsigned mark = fix_real(FIX_TO_F64(w), s, &fixed[i]);
    marks[i] = (u8)mark;
    all |= mark;
  }
  return all;
}

#undef FIX_TO_F64
#undef FIX_WIDE_
#undef FIX_WIDE
#undef FIX_NAME_
#undef FIX_NAME
