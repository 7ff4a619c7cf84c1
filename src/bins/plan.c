/* plan.c - choosing and preparing the strategy from elements to slots
 *
 * Method   Few elements on a CPU: binary search in the f64 edges. Types of 8 bits: a table of all values.
 *          Integer bins: a subtraction. Otherwise the edges are rounded up to f32 or f64, and either
 *          even bins are computed with a margin that is measured on the edges themselves, or a
 *          monotone function cuts the range into buckets, each of which knows its first bin.
 * Source   docs/histogram.md, with the proofs. */
#include "plan.h"

#include <math.h>
#include <string.h>

#include "edges.h"
#include "order/convert.h"
#include "order/float_bits.h"

enum {
  FEW = 256,  /* elements, below which no table pays */
  OFTEN = 64, /* one lane in so many doubtful: a vector of 16 in four */
  BUCKETS_A_BIN = 16,
  LEAST_BUCKETS = 4096,
  MOST_BUCKETS = 1 << 16 /* of 4 bytes: a part of the second-level cache */
};

static inline f32 above_f32(f64 x) { /* the least f32 >= x */
  f32 y = (f32)x;
  u32 bits = hd_bits_f32(y), up = y < 0 ? (u32)-1 : 1; /* y < x: y is no -0.0 */
  return hd_f32_of_bits(bits + (y < x ? up : 0));
}
static inline f32 below_f32(f64 x) { return -above_f32(-x); }
static inline f64 above_f64(f64 x) { return x; }
static inline f64 below_f64(f64 x) { return x; }

static bool fits_f32(heddle_type type) {
  return type == HEDDLE_U16 || type == HEDDLE_I16 || type == HEDDLE_F16 || type == HEDDLE_BF16 ||
         type == HEDDLE_F32;
}

f64 hd_element_below(heddle_type type, f64 x) {
  if (!fits_f32(type)) return x == 0 ? -0x1p-1074 : hd_f64_of_key(hd_key_of_f64(x) - 1);
  f32 y = above_f32(x);
  return y == 0 ? -0x1p-149 : (f64)hd_f32_of_key(hd_key_of_f32(y) - 1);
}

#define PLAN_F f32
#define PLAN_I i32
#define PLAN_U u32
#include "plan_tmpl.h"
#define PLAN_F f64
#define PLAN_I i64
#define PLAN_U u64
#include "plan_tmpl.h"

/* ---- by search ------------------------------------------------------------------------- */

static u32 edges_slot(const struct hd_plan *plan, f64 x) {
  size_t bins = plan->bins.count;
  if (x < plan->edges[0]) return plan->index.bins + HD_SLOT_UNDER;
  if (x > plan->edges[bins]) return plan->index.bins + HD_SLOT_OVER;
  if (x != x) return plan->index.bins + HD_SLOT_NAN;
  size_t low = 0, high = bins; /* edges[low] <= x; low is the answer when nothing is between */
  while (high - low > 1) {
    size_t middle = low + (high - low) / 2;
    if (plan->edges[middle] <= x)
      low = middle;
    else
      high = middle;
  }
  return (u32)low;
}

static u32 integer_slot(const struct hd_plan *plan, const void *element) {
  const struct hd_index *p = &plan->index;
  u64 v;
  if (p->none_inside) return p->skip;
  hd_convert_one(plan->type, element, hd_is_signed(plan->type) ? HEDDLE_I64 : HEDDLE_U64, &v);
  if (hd_is_signed(plan->type)) {
    if ((i64)v < (i64)p->least) return p->bins + HD_SLOT_UNDER;
    if ((i64)v > (i64)p->most) return p->bins + HD_SLOT_OVER;
  } else {
    if (v < p->least) return p->bins + HD_SLOT_UNDER;
    if (v > p->most) return p->bins + HD_SLOT_OVER;
  }
  return (u32)(v - p->least) + p->skip;
}

u32 hd_plan_slot(const struct hd_plan *plan, const void *element) {
  if (plan->bins.kind == HEDDLE_BINS_INTEGER) return integer_slot(plan, element);
  f64 x;
  hd_convert_one(plan->type, element, HEDDLE_F64, &x);
  return edges_slot(plan, x);
}

/* ---- integer bins ---------------------------------------------------------------------- */

/* The part of the bins that the type can reach, in the type's own arithmetic: nothing overflows.
 * Wide enough for both signs, because first + count - 1 is compared as a distance. */
static void plan_integers(struct hd_plan *plan) {
  struct hd_index *p = &plan->index;
  unsigned bits = (unsigned)plan->element_bytes * 8;
  i64 first = plan->bins.first;
  u64 reach = plan->bins.count - 1; /* first + reach is the last bin's value */
  if (hd_is_signed(plan->type)) {
    i64 least = bits == 64 ? INT64_MIN : -(INT64_C(1) << (bits - 1)), most = -(least + 1);
    p->none_inside = first > most || (first < least && (u64)least - (u64)first > reach);
    p->skip = plan->index.bins + (first > most ? HD_SLOT_UNDER : HD_SLOT_OVER);
    if (p->none_inside) return;
    p->least = (u64)(first < least ? least : first);
    p->most = (u64)most - (u64)first <= reach ? (u64)most : (u64)first + reach;
  } else {
    u64 most = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
    u64 under = first < 0 ? 0 - (u64)first : 0; /* bins below 0 */
    p->none_inside = under > reach || (first > 0 && (u64)first > most);
    p->skip = plan->index.bins + (first > 0 ? HD_SLOT_UNDER : HD_SLOT_OVER);
    if (p->none_inside) return;
    p->least = first < 0 ? 0 : (u64)first;
    u64 room = reach - under;
    p->most = most - p->least <= room ? most : p->least + room;
  }
  p->skip = (u32)(p->least - (u64)first);
}

/* ---- making a plan --------------------------------------------------------------------- */

static void plan_values(struct hd_plan *plan) {
  for (unsigned v = 0; v < 256; v++) {
    u8 element = (u8)v;
    plan->value_slot[v] = hd_plan_slot(plan, &element);
  }
  plan->strategy = HD_PLAN_VALUES;
}

/* Integers often fall on whole edges, where every one of them would have to be compared. Half a unit
 * below such edges none does, and x >= edge has the same answer. */
static f64 half_a_unit(const struct hd_plan *plan) {
  const f64 most = plan->narrow ? 0x1p22 : 0x1p51; /* so that halves are exact */
  bool whole = hd_is_integer(plan->type);
  for (size_t i = 0; whole && i <= plan->bins.count; i++) {
    f64 e = plan->edges[i];
    whole = e >= -most && e <= most && e == (f64)(i64)e;
  }
  return whole ? 0.5 : 0;
}

static u32 bucket_count(size_t bins) {
  u32 buckets = LEAST_BUCKETS;
  while (buckets < MOST_BUCKETS && buckets < BUCKETS_A_BIN * bins) buckets *= 2;
  return buckets;
}

/* What every strategy needs, and all that those of integers and of the search need. */
static heddle_status plan_begin(struct hd_plan *plan, heddle_context *ctx, heddle_type type,
                                const heddle_bins *bins) {
  memset(plan, 0, sizeof *plan);
  plan->ctx = ctx;
  plan->type = type;
  plan->element_bytes = heddle_type_size(type);
  plan->bins = *bins;
  plan->index.bins = (u32)bins->count;
  if (bins->kind == HEDDLE_BINS_INTEGER) {
    plan_integers(plan);
    return HEDDLE_OK;
  }
  plan->edges = hd_allocate(ctx, (bins->count + 1) * sizeof *plan->edges);
  if (!plan->edges) return HEDDLE_OUT_OF_MEMORY;
  hd_histogram_edges(type, bins, plan->edges);
  return HEDDLE_OK;
}

/* By even bins if these are, else by `buckets` buckets, or as many as the caller will make itself (0). */
static heddle_status plan_keys(struct hd_plan *plan, bool narrow, u32 buckets) {
  plan->narrow = narrow;
  plan->half = half_a_unit(plan);
  if (!(narrow ? make_keys_f32 : make_keys_f64)(plan, buckets)) return HEDDLE_OUT_OF_MEMORY;
  bool even = (narrow ? plan_even_f32 : plan_even_f64)(plan); /* explicit edges may be, too */
  plan->strategy = even ? HD_PLAN_EVEN : HD_PLAN_BUCKETS;
  if (!even && buckets) (narrow ? plan_buckets_f32 : plan_buckets_f64)(plan, buckets);
  return HEDDLE_OK;
}

heddle_status hd_plan_make(struct hd_plan *plan, heddle_context *ctx, heddle_type type,
                           const heddle_bins *bins, u64 expected) {
  heddle_status status = plan_begin(plan, ctx, type, bins);
  if (status || expected < FEW) return status;
  bool integer = bins->kind == HEDDLE_BINS_INTEGER;
  if (!integer && expected < bins->count / 8) return HEDDLE_OK;
  if (plan->element_bytes == 1)
    plan_values(plan);
  else if (integer)
    plan->strategy = HD_PLAN_INTEGER;
  else
    return plan_keys(plan, fits_f32(type), bucket_count(bins->count));
  return HEDDLE_OK;
}

heddle_status hd_plan_make_keys(struct hd_plan *plan, heddle_context *ctx, heddle_type type,
                                const heddle_bins *bins) {
  heddle_status status = plan_begin(plan, ctx, type, bins);
  if (status) return status;
  if (plan->element_bytes == 1)
    plan_values(plan);
  else if (bins->kind == HEDDLE_BINS_INTEGER)
    plan->strategy = HD_PLAN_INTEGER;
  else
    return plan_keys(plan, fits_f32(type), 0);
  return HEDDLE_OK;
}

void hd_plan_free(struct hd_plan *plan) {
  if (!plan->ctx) return;
  hd_release(plan->ctx, plan->edges,
             plan->edges ? (plan->bins.count + 1) * sizeof *plan->edges : 0);
  hd_release(plan->ctx, plan->tables, plan->tables_bytes);
  plan->edges = NULL;
  plan->tables = NULL;
}
