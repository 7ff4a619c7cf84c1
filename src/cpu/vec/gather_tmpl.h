/* gather_tmpl.h - gather_T: strided elements made neighbours, for elements of one size
 *
 * Parameters  GATHER_T  u8, u16, u32 or u64
 * Method      Steps of 2, 3, 4 and -1 by loops of a constant step, which compilers make shuffles
 *             of; others one by one, addresses known ahead. Pieces of elements far apart fetch what
 *             lies n elements on, where the caller goes next: the fold in between would leave the
 *             memory idle. Where they are near, the processor does that itself.
 * Limits      Nothing outside the elements' span is read. Any alignment. `to` is none of x. */
#define GATHER_CAT_(a, b) a##b
#define GATHER_CAT(a, b) GATHER_CAT_(a, b)
#define GATHER_FN(part) GATHER_CAT(GATHER_CAT(gather_, part), GATHER_T)
#define GATHER_E GATHER_CAT(gather_element_, GATHER_T)

typedef GATHER_T GATHER_E __attribute__((aligned(1), may_alias));

static inline __attribute__((always_inline)) void
GATHER_FN(by_)(const GATHER_E *restrict x, i64 step, size_t n, GATHER_E *restrict to) {
  for (size_t e = 0; e < n; e++) to[e] = x[(i64)e * step];
}

static inline void GATHER_FN(any_)(const GATHER_E *restrict x, i64 step, size_t n,
                                   GATHER_E *restrict to) {
  enum { GROUP = 8 };
  size_t e = 0;
  for (; e + GROUP <= n; e += GROUP) {
    const GATHER_E *from = x + (i64)e * step;
    GATHER_T group[GROUP];
    for (i64 i = 0; i < GROUP; i++) group[i] = from[i * step];
    memcpy(to + e, group, sizeof group);
  }
  for (; e < n; e++) to[e] = x[(i64)e * step];
}

static inline void GATHER_FN(fetch_)(const char *x, i64 apart, size_t n) {
  enum { LINE = 64 };
  const i64 elements = apart < LINE && apart > -LINE ? LINE / (apart < 0 ? -apart : apart) : 1;
  for (i64 e = 0; e < (i64)n; e += elements) __builtin_prefetch(x + e * apart, 0, 2);
}

static void GATHER_FN()(const void *x, i64 step, size_t n, void *to) {
  enum { PIECE = 256, FAR = 64 /* bytes */ };
  const i64 apart = step * (i64)sizeof(GATHER_T);
  for (size_t at = 0; at < n; at += PIECE) {
    const size_t m = n - at < PIECE ? n - at : PIECE;
    const GATHER_E *from = (const GATHER_E *)x + (i64)at * step;
    GATHER_E *y = (GATHER_E *)to + at;
    if (apart >= FAR || apart <= -FAR)
      GATHER_FN(fetch_)((const char *)from + (i64)n * apart, apart, m);
    switch (step) {
    case 2: GATHER_FN(by_)(from, 2, m, y); break;
    case 3: GATHER_FN(by_)(from, 3, m, y); break;
    case 4: GATHER_FN(by_)(from, 4, m, y); break;
    case -1: GATHER_FN(by_)(from, -1, m, y); break;
    default: GATHER_FN(any_)(from, step, m, y);
    }
  }
}

#undef GATHER_CAT_
#undef GATHER_CAT
#undef GATHER_FN
#undef GATHER_E
#undef GATHER_T
