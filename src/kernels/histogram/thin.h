/* thin.h - sums of f32 weights in one word of shared memory a counter
 *
 * Result   as fixed.h's section of the same name has it, of other words: w as a multiple of a unit 2^T,
 *          of 32 bits with a sign, and the 32 bits below; units_flush, weigh_add,
 *          warp_weigh_together for these
 * Method   The addition to a word returns what it held, which tells whether it wrapped: then 2^32 units go
 *          to the counter's 64 bits in global memory that have the same unit, and there goes the word
 *          itself at the end. (There are a few copies, as additions to one address wait for each other.) What a weight has below the unit goes to 64 bits beside, multiples of
 *          2^(T - 32). Neither can run over: less than 2^32 weights of less than 2^31 units. Weights that
 *          are larger or have bits further down are added in full to the 128-bit sum. So each bit is
 *          added once, and the sum is exact whatever T is; unit.cu chooses it so that few weights
 *          do more than one addition in shared memory.
 * Limits   less than 2^32 weights in all the launches of a call; counts are not had; numbers of slots that are
 *          no bins have no weight
 * Source   docs/histogram.md */
#ifndef HEDDLE_KERNELS_HISTOGRAM_THIN_H
#define HEDDLE_KERNELS_HISTOGRAM_THIN_H

#define THIN_MOST_UP 39 /* a mantissa of 24 bits so far up has 31 bits above the lower word */

struct units {
  u32 word[2]; /* below the unit, and units */
};

struct fixed_scale {
  i32 exponent;
  u32 least, reach; /* exponents from this one on, for so many, where they are in a float */
};

HD_DEVICE struct fixed_scale scale_of(const struct hist_args *a, i32 exponent) {
  struct fixed_scale s;
  const i32 unit = thin_unit(a), up = exponent - unit + 8; /* of weights just below 2^exponent */
  s.exponent = exponent;
  s.least = (u32)(unit - 32 + 150) << 23;
  s.reach = (u32)(min(up, THIN_MOST_UP) + 1) << 23;
  return s;
}

HD_DEVICE void units_set(struct units *u, u64 low, u64 high) {
  (void)low, (void)high; /* what fix_units has not set is added in full */
  u->word[0] = u->word[1] = 0;
}

/* False: *u is not set. */
HD_DEVICE bool fix_units(weight_bits bits, const struct fixed_scale *s, struct units *u) {
  const u32 beyond = (bits & 0x7f800000u) - s->least, sign = (u32)((i32)bits >> 31);
  const u32 m = (((bits & 0x7fffffu) | 0x800000u) ^ sign) - sign;
  const u64 value = (u64)(i64)(i32)m << (beyond >> 23 & 63);
  u->word[0] = (u32)value;
  u->word[1] = (u32)(value >> 32);
  return beyond < s->reach;
}

/* A counter's units in global memory, with what is below them behind. */
HD_DEVICE u64 *thin_units(const struct hist_args *a, u32 counter) {
  const u32 copy = blockIdx.x % HD_THIN_COPIES * (a->slots * a->channels);
  return (u64 *)a->thin_units + 2 * (u64)(copy + counter);
}

HD_DEVICE void units_flush(const struct hist_args *a, const u32 *words, u32 stride, u32 copies,
                           u64 counter) {
  (void)stride, (void)copies;
  if (words[0]) memory_add64(thin_units(a, (u32)counter), (u64)(i64)(i32)words[0]);
}

#endif
