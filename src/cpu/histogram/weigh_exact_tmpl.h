/* weigh_exact_tmpl.h - weights of one type into accumulators that they leave nothing of
 *
 * Method     As weigh_tmpl.h, but a weight of which lo would round, or which is too large or no number, adds
 *            0, and is told. Where scaling leaves nothing of a weight, which only an f64 is small enough for,
 *            that shows; where it rounds, lo does.
 * Parameters HIST_T, of which every value is an f64, and HIST_BITS. Result hist_weigh_exact_T. */
#define HN_(a, b, c) a##_##b##c
#define HN(a, b, c) HN_(a, b, c)

static size_t HN(hist_weigh_exact, HIST_T, )(const struct hd_cpu_weighing *p, const void *weights,
                                             const u32 *index, size_t n, u16 *left) {
  const struct hd_cpu_weighing own = *p;
  const f64 magic = 0x1.8p52;
  const vu64 zero = (vu64)((vf64){0} + magic);
  const char *bytes = weights;
  size_t lefts = 0;
  _Alignas(64) char room[HIST_PAGE + HIST_PAIRS];
  for (size_t i = 0; i < n; i += HD_WEIGH_GROUP, bytes += HD_WEIGH_GROUP * sizeof(HIST_T)) {
    HIST_T tail[HD_WEIGH_GROUP];
    vi64 fit[HD_WEIGH_GROUP / LANES64], fits = ~(vi64){0};
    const size_t count = n - i < HD_WEIGH_GROUP ? n - i : HD_WEIGH_GROUP;
    const char *from = bytes;
    if (count < HD_WEIGH_GROUP) {
      memset(tail, 0, sizeof tail);
      memcpy(tail, bytes, count * sizeof(HIST_T));
      from = (const char *)tail;
    }
    i64 *pairs = hist_pairs_room(room, from, index + i);
    for (size_t b = 0; b < HD_WEIGH_GROUP * sizeof(HIST_T); b += 64)
      __builtin_prefetch(bytes + HD_WEIGH_AHEAD + b, 0, 2);
    for (size_t k = 0; k < count; k += LANES64) {
      const vf64 w = HN(load, HIST_T, _f64)(from + k * sizeof(HIST_T));
      const vf64 a = w * own.scale.one * own.scale.two, hi = a + magic;
      const vf64 rest = (a - (hi - magic)) * 0x1p43, lo = rest + magic;
      vi64 whole = (vi64)(a < 0x1p43) & (vi64)(a > -0x1p43) & (vi64)(lo - magic == rest);
#if HIST_BITS == 64
      whole &= (vi64)(a != 0) | (vi64)(w == 0);
#endif
      fit[k / LANES64] = whole;
      fits &= whole;
      hist_store_pairs(pairs + 2 * k, (vi64)((vu64)hi - zero) & whole,
                       (vi64)((vu64)lo - zero) & whole);
    }
    hist_weigh_pairs(&own, pairs, index + i, count);
    if (!hist_any_i64(~fits)) continue;
    for (size_t k = 0; k < count; k++) {
      left[lefts] = (u16)(i + k);
      lefts += !fit[k / LANES64][k % LANES64];
    }
  }
  return lefts;
}

#undef HN
#undef HN_
