/* integer_tmpl.h - integers of one type to slot numbers, compared as integers
 *
 * Parameters HIST_T, HIST_U (its unsigned type). Result hist_integer_T. */
#define HN_(a, b) a##_##b
#define HN(a, b) HN_(a, b)

static void HN(hist_integer, HIST_T)(const struct hd_index *p, const void *in, size_t n,
                                     u32 *index) {
  typedef HIST_T unaligned __attribute__((aligned(1)));
  const unaligned *x = in;
  const HIST_T least = (HIST_T)p->least, most = (HIST_T)p->most;
  const u32 skip = p->skip, under = p->bins + HD_SLOT_UNDER, over = p->bins + HD_SLOT_OVER;
  const u32 shift = p->shift;
  if (p->none_inside) {
    for (size_t i = 0; i < n; i++) index[i] = skip << shift;
    return;
  }
  for (size_t i = 0; i < n; i++) {
    HIST_T v = x[i];
    u32 bin = (u32)(HIST_U)((HIST_U)v - (HIST_U)least) + skip;
    bin = v < least ? under : bin;
    index[i] = (v > most ? over : bin) << shift;
  }
}

#undef HN
#undef HN_
