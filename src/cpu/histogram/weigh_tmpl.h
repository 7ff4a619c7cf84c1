/* weigh_tmpl.h - weights of one type into accumulators
 *
 * Method     Adding 1.5 * 2^52 rounds to the nearest integer, ties to even, and leaves it in the low
 *            bits: hi of a = w * 2^(43 - E), then lo of (a - hi) * 2^43, which is exact.
 * Parameters HIST_T, of which every value is an f64. Result hist_weigh_T. */
#define HN_(a, b, c) a##_##b##c
#define HN(a, b, c) HN_(a, b, c)

static size_t HN(hist_weigh, HIST_T, )(const struct hd_cpu_weighing *p, const void *weights,
                                       const u32 *index, size_t n) {
  const struct hd_cpu_weighing own = *p;
  const f64 magic = 0x1.8p52;
  const vu64 zero =
      (vu64)((vf64){0} + magic); /* without a sign: of weights that do not fit it wraps */
  const char *bytes = weights;
  _Alignas(64) char room[HIST_PAGE + HIST_PAIRS];
  for (size_t i = 0; i < n; i += HD_WEIGH_GROUP, bytes += HD_WEIGH_GROUP * sizeof(HIST_T)) {
    HIST_T tail[HD_WEIGH_GROUP];
    const size_t count = n - i < HD_WEIGH_GROUP ? n - i : HD_WEIGH_GROUP;
    const char *from = bytes;
    if (count < HD_WEIGH_GROUP) {
      memset(tail, 0, sizeof tail);
      memcpy(tail, bytes, count * sizeof(HIST_T));
      from = (const char *)tail;
    }
    i64 *pairs = hist_pairs_room(room, from, index + i);
    vi64 fits = ~(vi64){0};
    for (size_t b = 0; b < HD_WEIGH_GROUP * sizeof(HIST_T); b += 64)
      __builtin_prefetch(bytes + HD_WEIGH_AHEAD + b, 0, 2);
    for (size_t k = 0; k < count; k += LANES64) {
      vf64 a = HN(load, HIST_T, _f64)(from + k * sizeof(HIST_T)) * own.scale.one * own.scale.two;
      fits &= (vi64)(a < 0x1p43) & (vi64)(a > -0x1p43);
      vf64 hi = a + magic;
      vf64 lo = (a - (hi - magic)) * 0x1p43 + magic;
      hist_store_pairs(pairs + 2 * k, (vi64)((vu64)hi - zero), (vi64)((vu64)lo - zero));
    }
    if (hist_any_i64(~fits)) return i;
    hist_weigh_pairs(&own, pairs, index + i, count);
  }
  return n;
}

#undef HN
#undef HN_
