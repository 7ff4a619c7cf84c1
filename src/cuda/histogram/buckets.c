/* buckets.c - tables of buckets for bins that are not even, as the kernels read them
 *
 * Method   A function that never falls cuts the range into buckets: a linear one, the leading bits of
 *          the number, or those of its distance from an origin below the first edge. The nearer
 *          that is, the narrower are the first buckets beside the others. Most buckets have no edge or
 *          one. A bucket's word holds how many edges come before it and the place of that edge within
 *          it; where the element just below the edge has a lower place than the edge, equal places
 *          are above it, otherwise they are in doubt. Buckets with more edges than one are split into
 *          parts of which the same is true, as far as there is room. What lies outside of the
 *          edges is found in the same way: the first edge and the end of the last bin are edges,
 *          too.
 * Source   docs/histogram.md */
#include "buckets.h"

#include <math.h>

#include "order/float_bits.h"

enum {
  PACKED_BITS = 16,
  PART_BITS = 4,
  OPEN_BITS = 8,     /* of a place within a bucket */
  FINE = 8,          /* so large a factor of keys of 32 bits wastes little of the places */
  DOUBTS_A_PAIR = 8, /* so many edges whose place is in doubt do as much harm as two in a bucket */
  SURE_SHARE = 16,   /* one edge in so many may be in doubt */
  LIFTS = 24         /* origins that are tried for packed buckets */
};
#define CROWDED 0x40000000u
#define SPLIT 0x80000000u
#define STEPS_CROWDED 0x8000u
_Static_assert(HD_BUCKET_PARTS == 1 << PART_BITS && PACKED_BITS - PART_BITS == 12,
               "as kernels/histogram/find.h has it");

static f32 key_to_f32(i32 key) { return hd_f32_of_key(key); }
static f64 key_to_f64(i64 key) { return hd_f64_of_key(key); }

#define PLAN_F f32
#define PLAN_I i32
#define PLAN_U u32
#include "buckets_tmpl.h"
#define PLAN_F f64
#define PLAN_I i64
#define PLAN_U u64
#include "buckets_tmpl.h"

void hd_cuda_buckets_close(struct hd_plan *plan) { (plan->narrow ? close_f32 : close_f64)(plan); }

size_t hd_cuda_buckets_choose(const struct hd_plan *plan, u32 buckets, bool packed, u32 share,
                              struct hist_slots *find) {
  find->place_bits = packed ? PACKED_BITS : OPEN_BITS;
  find->bits_scale = 1;
  return (plan->narrow ? choose_f32 : choose_f64)(plan, buckets, packed ? LIFTS : 0, share, find);
}

void hd_cuda_buckets_steps(const u32 *before, u32 buckets, u32 steps, u16 *entries) {
  for (u32 c = 0; c < buckets; c++) {
    const bool crowded = before[c + 1] - before[c] >= UINT32_C(1) << steps;
    entries[c] = (u16)(before[c] + (crowded ? STEPS_CROWDED : 0));
  }
  entries[buckets] = (u16)before[buckets];
}

void hd_cuda_buckets_fill(const struct hd_plan *plan, struct hist_slots *find, u32 most,
                          u32 *before, u32 *packed) {
  (plan->narrow ? fill_f32 : fill_f64)(plan, find, most, before, packed);
}
