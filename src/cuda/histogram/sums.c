/* sums.c - exact sums of weights on the host; see sums.h
 *
 * Method   A counter's sum is that of two numbers of 128 bits, amounts and units, which are shifted against each
 *          other, and of its limbs, of which its marks tell whether there are any. What it gains goes to these. */
#include "sums.h"

enum { MARK_PLUS = 1, MARK_MINUS = 2, MARK_NAN = 4, MARK_LIMBS = 16 }; /* as kernels have them */
enum { LEAST_EXPONENT = -1100, MOST_EXPONENT = 1200 };                 /* fixed_exponent's */

static void *host(u64 address) { return (void *)(uintptr_t)address; }

static i32 exponent_of(const struct hist_args *a) {
  const i32 e = a->exponent ? *(const i32 *)host(a->exponent) : a->exponent_given;
  return e < LEAST_EXPONENT ? LEAST_EXPONENT : e > MOST_EXPONENT ? MOST_EXPONENT : e;
}

static i64 *limbs_of(const struct hist_args *a, u64 counter) {
  return (i64 *)host(a->limbs) + counter * a->limbs_count;
}

void hd_cuda_sums_get(const struct hd_cuda_count *c, u64 counter, struct hd_exact *sum) {
  const struct hist_args *a = &c->args;
  const struct hd_exact_span all = {0, HD_EXACT_LIMBS};
  const u64 *amount = (const u64 *)host(a->amounts) + 2 * counter;
  const u64 *units = (const u64 *)host(a->units) + 2 * counter;
  const u32 mark = ((const u32 *)host(a->marks))[counter];
  const i32 exponent = exponent_of(a);
  hd_exact_clear(sum, all);
  hd_exact_add_fixed(sum, amount[0], (i64)amount[1], exponent);
  hd_exact_add_fixed(sum, units[0], (i64)units[1], exponent + (i32)a->rest_bits);
  if (mark & MARK_LIMBS)
    for (u32 i = 0; i < a->limbs_count; i++)
      sum->limb[a->first_limb + i] += limbs_of(a, counter)[i];
  hd_exact_carry(sum, all);
  sum->nan = (mark & MARK_NAN) != 0;
  sum->plus = (mark & MARK_PLUS) != 0;
  sum->minus = (mark & MARK_MINUS) != 0;
}

void hd_cuda_sums_gain(struct hd_cuda_count *c, u64 counter, const struct hd_exact *sum) {
  const struct hist_args *a = &c->args;
  i64 *limb = limbs_of(a, counter);
  u32 *mark = (u32 *)host(a->marks) + counter;
  for (u32 i = 0; i < a->limbs_count; i++) limb[i] += sum->limb[a->first_limb + i];
  if (sum->limb[HD_EXACT_LIMBS - 1] < 0) limb[a->limbs_count - 1] -= (i64)1 << 32; /* the sign */
  *mark |= (u32)(MARK_LIMBS | (sum->nan ? MARK_NAN : 0) | (sum->plus ? MARK_PLUS : 0) |
                 (sum->minus ? MARK_MINUS : 0));
  c->uncarried++;
}
