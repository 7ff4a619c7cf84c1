/* all.h - every exact kernel of one ISA, and what they share: a pass over a block */
#include "windows.h"

#define EXACT_INLINE static inline __attribute__((always_inline))
enum { EXACT_STREAMS = 2 }; /* accumulators side by side, against the latency of additions */

struct exact_sums {
  vf64 window[HD_EXACT_LEVELS + 1];
};

/* A block on its way. */
struct exact_pass {
  f64 number[HD_EXACT_LEVELS], number_error[HD_EXACT_LEVELS]; /* that cut the windows */
  struct exact_sums sum[EXACT_STREAMS], error[EXACT_STREAMS];
  struct exact_ranges {
    vu32 most, least;
  } values, x, y;
  u32 levels;
};

static inline void exact_range(struct exact_ranges *range, vf64 v) {
  const vu64 magnitude = (vu64)v & (u64)INT64_MAX;
  range->most = greater_u32(range->most, (vu32)magnitude);
  range->least = lesser_u32(range->least, (vu32)(magnitude - 1));
}

/* The same of f32, whose words are their own. */
static inline void exact_range_f32(struct exact_ranges *range, vf32 v) {
  const vu32 magnitude = (vu32)v & 0x7fffffffu;
  range->most = greater_u32(range->most, magnitude);
  range->least = lesser_u32(range->least, magnitude - 1);
}

/* Brings what will be read soon: further ahead takes longer, as measured on an Intel Xeon. */
enum { EXACT_AHEAD = 3072 };
static inline void exact_prefetch(const char *x, size_t bytes) {
  for (size_t i = 0; i < bytes; i += 64) __builtin_prefetch(x + EXACT_AHEAD + i);
}

EXACT_INLINE void exact_cut(const f64 *number, struct exact_sums *sums, u32 levels, vf64 v) {
  for (u32 w = 0; w < levels; w++) {
    const vf64 part = (v + number[w]) - number[w];
    sums->window[w] += part;
    v -= part;
  }
  sums->window[levels] += v;
}

EXACT_INLINE void exact_start(struct exact_pass *p, const struct hd_exact_guess *guess, i32 bits) {
  p->levels = guess->levels;
  for (u32 w = 0; w < p->levels; w++) {
    p->number[w] = hd_exact_window(guess->top, w, bits);
    p->number_error[w] = hd_exact_window(guess->top - 53, w, bits);
  }
  for (u32 k = 0; k < EXACT_STREAMS; k++)
    for (u32 w = 0; w <= HD_EXACT_LEVELS; w++)
      p->sum[k].window[w] = p->error[k].window[w] = (vf64){0};
  p->values.most = p->x.most = p->y.most = (vu32){0};
  p->values.least = p->x.least = p->y.least = ~(vu32){0};
}

/* The exponents' words of f32 as those of f64, an infinity for what is no number. */
static inline u32 exact_widen(u32 word) {
  return word >= 0x7f800000u ? (u32)HD_EXACT_SPECIAL : (word >> 3) + ((1023u - 127u) << 20);
}

static inline struct hd_exact_range exact_words(const struct exact_ranges *ranges, bool narrow) {
  struct hd_exact_range range = {0, ~0u};
  for (int i = narrow ? 0 : 1; i < LANES32; i += narrow ? 1 : 2) { /* of little-endian lanes */
    range.most = ranges->most[i] > range.most ? ranges->most[i] : range.most;
    range.least = ranges->least[i] < range.least ? ranges->least[i] : range.least;
  }
  if (!narrow || range.least == ~0u) return range;
  range.most = exact_widen(range.most);
  range.least = exact_widen(range.least);
  return range;
}

enum exact_fit { EXACT_FITS, EXACT_AGAIN, EXACT_NEVER };

/* Whether no lost part of a product of f64 is below f64's range, nor an operand near its end. */
static inline bool exact_is_whole(const struct exact_pass *p) {
  const struct hd_exact_range x = exact_words(&p->x, false), y = exact_words(&p->y, false);
  return hd_exact_least(x) + hd_exact_least(y) >= -1074 + 2 * 52 &&
         hd_exact_top(x) <= HD_EXACT_TOP_MOST && hd_exact_top(y) <= HD_EXACT_TOP_MOST;
}

/* Whether the pass's windows did, and the guess for the next block or attempt. */
static inline enum exact_fit exact_judge(const struct exact_pass *p, struct hd_exact_guess *guess,
                                         struct hd_exact_format of, i32 bits, bool splits,
                                         bool narrow) {
  const struct hd_exact_range range = exact_words(&p->values, narrow);
  const u32 levels = p->levels;
  if (range.most >= HD_EXACT_SPECIAL || (splits && !exact_is_whole(p))) return EXACT_NEVER;
  const i32 top = hd_exact_top(range), least = hd_exact_least(range);
  const bool nothing = range.least == ~0u;
  const i32 begin = levels ? guess->top : top;
  const bool fits = nothing || (top <= begin && hd_exact_levels(begin, least, of, bits) <= levels);
  if (nothing) return EXACT_FITS;
  const i32 next = fits && top + 1 < HD_EXACT_TOP_MOST ? top + 1 : top;
  const u32 needed = hd_exact_levels(next, least, of, bits);
  guess->top = next;
  guess->levels = needed < HD_EXACT_LEVELS ? needed : HD_EXACT_LEVELS;
  return fits ? EXACT_FITS : needed > HD_EXACT_LEVELS ? EXACT_NEVER : EXACT_AGAIN;
}

static inline f64 exact_of_lanes(const struct exact_sums *sums, u32 w) {
  vf64 v = sums[0].window[w];
  for (u32 k = 1; k < EXACT_STREAMS; k++) v += sums[k].window[w];
  f64 sum = v[0];
  for (int i = 1; i < LANES64; i++) sum += v[i];
  return sum;
}

static inline u32 exact_parts(const struct exact_pass *p, bool splits, f64 part[HD_EXACT_PARTS]) {
  u32 n = 0;
  for (u32 w = 0; w <= p->levels; w++) part[n++] = exact_of_lanes(p->sum, w);
  for (u32 w = 0; splits && w <= p->levels; w++) part[n++] = exact_of_lanes(p->error, w);
  return n;
}

#define EXACT_T EACH(NAME)
#define EXACT_ENUM EACH(ENUM)
#define EXACT_BITS EACH(BITS)
#define EACH_WHERE EACH_IS(FLOAT)
#define EACH_TEMPLATE "cpu/exact/type_tmpl.h"
#include "order/each_type.h"
#undef EXACT_T
#undef EXACT_ENUM
#undef EXACT_BITS
