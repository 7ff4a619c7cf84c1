/* weigh_exact.c - weights into accumulators that hold all of them, and limbs for the others; see weigh.h
 *
 * Method   An accumulator holds a weight w if it is a multiple of 2^(E - 86) below 2^E: from the exponent of its
 *          leading bit up to 86 more than that of its lowest one, every E does. Of a sample, that E is taken
 *          which most do with; of several, the middle one, since others may be larger or smaller.
 * Limits   any E gives the same sums: a bad one takes longer */
#include <string.h>

#include "order/exact/format.h"
#include "weigh.h"

enum { SAMPLE = 1024, LEAST = -1100, EXPONENTS = 2300 };

/* f16 has no limbs (kernels.h). */
static f64 weight_at(heddle_type type, const void *weights, size_t i) {
  f64 wide;
  f32 narrow;
  bf16 half;
  switch (type) {
  case HEDDLE_F64: return memcpy(&wide, (const char *)weights + i * sizeof wide, sizeof wide), wide;
  case HEDDLE_F32:
    return (f64)(memcpy(&narrow, (const char *)weights + i * sizeof narrow, sizeof narrow), narrow);
  default: memcpy(&half, (const char *)weights + i * sizeof half, sizeof half);
  }
  return (f64)hd_f32_from_bf16(half);
}

/* ---- the exponent ------------------------------------------------------------------------ */

/* How many more weights E = LEAST + i holds than the one before. */
struct exponents {
  i32 more[EXPONENTS + 1];
  i32 least, most; /* of those that make sense for the type */
};

static void count_one(struct exponents *e, f64 w) {
  i32 unit;
  if (w == 0 || !(w - w == 0)) return;
  const i64 integer = hd_exact_integer(w, &unit);
  const u64 magnitude = (u64)(integer < 0 ? -integer : integer);
  i32 from = unit + (i32)hd_top_bit(magnitude) + 1;
  i32 to = unit + (i32)hd_low_bit(magnitude) + HD_FIXED_BITS;
  if (from < e->least) from = e->least;
  if (to > e->most) to = e->most;
  e->more[from - LEAST]++;
  e->more[to + 1 - LEAST]--;
}

static i32 best_of(const struct exponents *e) {
  i32 holds = 0, best = -1, length = 0, begin = e->least, run = 0;
  for (i32 i = e->least; i <= e->most; i++) {
    holds += e->more[i - LEAST];
    run = e->more[i - LEAST] == 0 ? run + 1 : 1;
    if (holds > best || (holds == best && run > length))
      best = holds, length = run, begin = i - run + 1;
  }
  return begin + length / 2;
}

void hd_cpu_weigh_find(struct hd_cpu_weigh *w, const void *weights, size_t n) {
  const struct hd_exact_format of = hd_exact_format_of_type(w->type);
  const size_t part = (n + SAMPLE - 1) / SAMPLE;
  struct exponents e = {.least = of.least + HD_FIXED_BITS, .most = of.most};
  for (size_t k = 0; k * part < n; k++) {
    const size_t at = k * part + (u32)(k * 2654435761u) % part; /* by no period */
    if (at < n) count_one(&e, weight_at(w->type, weights, at));
  }
  w->exponent = best_of(&e);
  w->scale = hd_fixed_scale(w->exponent);
  w->found = true;
}

/* ---- adding ------------------------------------------------------------------------------ */

static unsigned mark_of(f64 w) {
  if (w - w == 0) return 0;
  return w != w ? HD_MARK_NAN : w > 0 ? HD_MARK_PLUS : HD_MARK_MINUS;
}

static unsigned add_left(heddle_context *ctx, const struct hd_cpu_weigh *w,
                         struct hd_cpu_limbs *limbs, const void *weights, const u32 *index,
                         const u16 *left, size_t lefts) {
  unsigned all = 0;
  for (size_t k = 0; k < lefts; k++) {
    const u32 total = index[left[k]];
    const f64 weight = weight_at(w->type, weights, left[k]);
    const unsigned mark = mark_of(weight);
    if (total >= w->sums) continue;
    if (!mark && !hd_cpu_limbs_add(ctx, limbs, total, weight)) return all | HD_MARK_NO_MEMORY;
    if (mark & ~(unsigned)__atomic_load_n(&w->marks[total], __ATOMIC_RELAXED))
      __atomic_fetch_or(&w->marks[total], (u8)mark, __ATOMIC_RELAXED);
    all |= mark;
  }
  return all;
}

unsigned hd_cpu_weigh_exact_block(heddle_context *ctx, const struct hd_cpu_weigh *w,
                                  struct hd_accumulator *table, struct hd_cpu_limbs *limbs,
                                  const void *weights, const u32 *index, size_t n) {
  const struct hd_cpu_weighing job = {w->scale, table, w->copies, w->whole};
  u16 left[HD_INDEX_BLOCK];
  const size_t lefts = w->exact(&job, weights, index, n, left);
  if (!lefts) return 0;
  if (limbs->shared) pthread_mutex_lock(limbs->shared);
  const unsigned marks = add_left(ctx, w, limbs, weights, index, left, lefts);
  if (limbs->shared) pthread_mutex_unlock(limbs->shared);
  return marks;
}

void hd_cpu_weigh_exact_sum(const struct hd_cpu_weigh *w, struct hd_accumulator a,
                            struct hd_exact *sum) {
  hd_accumulator_carry(&a);
  const i64 digit[3] = {a.lo, a.hi, a.top};
  for (u32 k = 0; k < 3; k++) {
    const struct hd_exact_parts parts =
        hd_exact_split(digit[k], w->exponent - HD_FIXED_BITS + (i32)k * HD_HALF_BITS);
    hd_exact_add_parts(sum, &parts);
  }
}
