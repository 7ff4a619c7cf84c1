/* digit.c - which bucket of a partition a key goes to
 *
 * Method   The topmost of the bits that differ, as many as buckets of the wanted size need, if a sample
 *          says that they spread the keys evenly. Those of floats do not: half of the numbers from 0 to 1
 *          have one exponent. Then the topmost bits choose a prefix; prefixes with many keys are cut into a
 *          power of two of buckets by the bits below, and neighbours with few share one.
 * Limits   A prefix is cut evenly, whatever its keys are. Keys that the topmost bit tells apart never share
 *          a bucket, so that each bucket has fewer items than the array. */
#include "digit.h"

#include <string.h>

enum {
  MARGIN = 2, /* bits above those in which the sample differs, which a few other keys may have */

  SHARE = 2 /* a bucket is to have the wanted number of items by so much of a margin */
};

/* Samples whose bits [shift, shift + width) are alike, at most. */
static u32 fullest(const struct hd_cpu_sort_sample *sample, u32 shift, u32 width, u32 *counts) {
  u32 most = 0;
  memset(counts, 0, sizeof *counts << width);
  for (size_t i = 0; i < sample->keys; i++) {
    const u32 count = ++counts[sample->key[i] >> shift & (((u64)1 << width) - 1)];
    if (count > most) most = count;
  }
  return most;
}

/* Numbers buckets; `few` samples are enough for one. The counts of prefixes become the prefixes. */
static u32 number_buckets(u32 *prefix, u32 few, u32 bits_most) {
  u32 bucket = 0, held = 0;
  bool open = false; /* prefixes before may share the last bucket */
  for (u32 c = 0; c < HD_SORT_PREFIXES; c++) {
    const u32 count = prefix[c];
    u32 bits = 0;
    while (bits < bits_most && count >> bits > few) bits++;
    if (open && (bits || held + count > few || c % (HD_SORT_PREFIXES >> (MARGIN + 1)) == 0)) {
      bucket++;
      held = 0;
      open = false;
    }
    prefix[c] = bucket << 8 | bits;
    held += count;
    if (bits)
      bucket += (u32)1 << bits;
    else
      open = true;
    if (bits) held = 0;
  }
  return open ? bucket + 1 : bucket;
}

struct hd_cpu_sort_digit hd_cpu_sort_digit_choose(const struct hd_cpu_sort_sample *sample,
                                                  u64 bits) {
  const u32 top = hd_top_bit(bits) + 1, span = top - hd_low_bit(bits);
  u32 width = hd_top_bit(sample->of / sample->wanted + 1) + 1;
  if (width < HD_SORT_DIGIT_LEAST) width = HD_SORT_DIGIT_LEAST;
  if (width > sample->most) width = sample->most;
  if (width > span) width = span;
  struct hd_cpu_sort_digit digit = {.shift = top - width, .buckets = (u32)1 << width, .top = top};
  if (sample->even_only || top <= HD_SORT_PREFIX_BITS || width == span) return digit;
  const u32 buckets = (u32)1 << sample->most;
  u64 few = (u64)sample->keys * sample->wanted / sample->of / SHARE;
  if (few < sample->keys / (buckets / 4)) few = sample->keys / (buckets / 4);
  if (few < 1) few = 1;
  if (fullest(sample, digit.shift, width, sample->prefix) <= few * SHARE) return digit;
  digit.top = top + MARGIN < sample->top ? top + MARGIN : sample->top;
  digit.shift = digit.top - HD_SORT_PREFIX_BITS;
  (void)fullest(sample, digit.shift, HD_SORT_PREFIX_BITS, sample->prefix);
  digit.prefix = sample->prefix;
  digit.buckets = number_buckets(sample->prefix, (u32)few, digit.shift < 10 ? digit.shift : 10);
  return digit;
}
