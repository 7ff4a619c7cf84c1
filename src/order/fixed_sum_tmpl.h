/* fixed_sum_tmpl.h - fix_T: weights of one type, exact in f64, to fixed point
 *
 * Parameters FIX_T, FIX_TO_F64(x). */
#define FIX_NAME_(t) fix_##t
#define FIX_NAME(t) FIX_NAME_(t)

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

#undef FIX_NAME_
#undef FIX_NAME
#undef FIX_TO_F64
#undef FIX_T
