/* plan_tmpl.h - edges as keys, the margin of even bins, buckets; for f32 or f64 keys
 *
 * Parameters PLAN_F (f32 or f64), PLAN_I and PLAN_U (the integers of its width).
 * Result     make_keys_F, plan_zone_F, plan_even_F, plan_buckets_F.
 * Limits     the arithmetic is the kernels' own, operation by operation (cpu/histogram/index_tmpl.h): what is
 *            measured here on the edges bounds, by monotony, what the kernels see between them. */
#define PN_(a, b) a##_##b
#define PN(a, b) PN_(a, b)
#define KEY PN(key, PLAN_F)

/* One allocation: the edges rounded up, NaN as far as a search may look past them, buckets. A search
 * stands on an edge that is at most x, and its step is below `bins`. */
static bool PN(make_keys, PLAN_F)(struct hd_plan *plan, u32 buckets) {
  size_t bins = plan->bins.count, room = 2 * bins + 1 + HD_EXTRA_SLOTS;
  plan->tables_bytes = room * sizeof(PLAN_F) + buckets * sizeof(u32);
  plan->tables = hd_allocate(plan->ctx, plan->tables_bytes);
  if (!plan->tables) return false;
  PLAN_F *edges = plan->tables;
  for (size_t i = 0; i < bins; i++)
    edges[i] = PN(above, PLAN_F)(plan->edges[i]) - (PLAN_F)plan->half;
  for (size_t i = bins; i < room; i++) edges[i] = (PLAN_F)NAN;
  plan->index.KEY.edges = edges;
  plan->index.KEY.first = edges[0];
  plan->index.KEY.last = PN(below, PLAN_F)(plan->edges[bins]);
  plan->buckets = (void *)(edges + room);
  plan->index.buckets = plan->buckets;
  return true;
}

/* (x - origin) * scale as the kernels truncate it; -1 where that is below 0 or 1.5 * 2^30 and more. */
static inline i32 PN(position, PLAN_F)(const struct hd_index *p, PLAN_F x) {
  PLAN_F t = (x - p->KEY.origin) * p->KEY.scale;
  return (i32)(t >= 0 && t < (PLAN_F)0x1p30 + (PLAN_F)0x1p29 ? t : -1);
}

/* For a test on one side: where no inner edge is within `doubt` of (t + lift), t + lift
 * tells the bin. What matters is how far edges fall short of their places, and how far the elements
 * just below them pass those. */
static void PN(plan_zone, PLAN_F)(struct hd_plan *plan) {
  struct hd_index *p = &plan->index;
  i32 low = 0, high = INT32_MIN / 2;
  for (u32 i = 1; i < p->bins; i++) {
    i32 place = (i32)(i << p->fraction);
    i32 at = PN(position, PLAN_F)(p, p->KEY.edges[i]);
    f64 before = hd_element_below(plan->type, (f64)p->KEY.edges[i]);
    low = place - at > low ? place - at : low;
    if (before < (f64)p->KEY.first) continue;
    i32 below = PN(position, PLAN_F)(p, (PLAN_F)before) + 1;
    high = below - place > high ? below - place : high;
  }
  high = high > -low ? high : -low;
  i32 width = 1;
  while (width < high + low) width *= 2;
  p->lift = (u32)(width - high);
  p->doubt = ((UINT32_C(1) << p->fraction) - 1) & ~(u32)(width - 1);
}

/* Even bins: 2^30 positions in all; the margin is the least power of two beyond every edge's
 * distance from its place. False if that leaves no certain position, or none worth the test. */
static bool PN(plan_even, PLAN_F)(struct hd_plan *plan) {
  struct hd_index *p = &plan->index;
  size_t bins = plan->bins.count;
  u32 fraction = 30;
  while (bins >> (30 - fraction)) fraction--; /* bins < 2^(30 - fraction) */
  p->fraction = fraction;
  p->limit = (u32)bins << fraction;
  p->KEY.origin = p->KEY.first;
  p->KEY.scale = (PLAN_F)((f64)p->limit / ((f64)p->KEY.last - plan->half - (f64)p->KEY.first));
  i32 most = 0, least_t = 0;
  for (u32 i = 0; i < bins; i++) {
    i32 t = PN(position, PLAN_F)(p, p->KEY.edges[i]);
    i32 distance = t - (i32)(i << fraction);
    distance = distance < 0 ? -distance : distance;
    most = distance > most ? distance : most;
    least_t = t < least_t ? t : least_t;
  }
  i32 t = PN(position, PLAN_F)(p, p->KEY.last - (PLAN_F)plan->half), distance = t - (i32)p->limit;
  distance = distance < 0 ? -distance : distance;
  most = distance > most ? distance : most;
  if (least_t < 0 || t < 0) return false;
  u32 margin = 1;
  while (margin <= (u32)most && margin < p->limit) margin *= 2;
  if (fraction < 3 || margin > (UINT32_C(1) << (fraction - 2))) return false;
  p->margin = margin;
  /* Where many vectors have a doubtful lane, all of them settle: no branch to predict. */
  bool often = 2 * margin > (UINT32_C(1) << fraction) / OFTEN;
  p->keep = often ? 0 : ((UINT32_C(1) << fraction) - 1) & ~(2 * margin - 1);
  PN(plan_zone, PLAN_F)(plan);
  return true;
}

/* The bucket of x as the kernels compute it; an edge that no element reaches is in the last. */
static u32 PN(bucket, PLAN_F)(const struct hd_index *p, PLAN_F x) {
  if (x > p->KEY.last) return p->bucket_last;
  if (p->by_bits) {
    PLAN_I bits = PN(hd_key_of, PLAN_F)(x + 0);
    PLAN_U c = (PLAN_U)((PLAN_U)bits - (PLAN_U)p->bits_origin) >> p->bits_shift;
    return c < p->bucket_last ? (u32)c : p->bucket_last;
  }
  i32 t = PN(position, PLAN_F)(p, x);
  return t < 0 ? 0 : (u32)t < p->bucket_last ? (u32)t : p->bucket_last;
}

/* Sets p up for one of the two functions; false if it is not fit for these edges. */
static bool PN(choose_buckets, PLAN_F)(struct hd_index *p, u32 buckets, bool by_bits) {
  p->by_bits = by_bits;
  p->KEY.origin = p->KEY.first;
  if (!by_bits) {
    p->bucket_last = buckets - 1;
    p->KEY.scale = (PLAN_F)((f64)buckets / ((f64)p->KEY.last - (f64)p->KEY.first));
    return isfinite(p->KEY.scale) && p->KEY.scale > 0 && isfinite(p->KEY.last - p->KEY.first) &&
           PN(position, PLAN_F)(p, p->KEY.last) >= 0;
  }
  PLAN_I low = PN(hd_key_of, PLAN_F)(p->KEY.first + 0);
  PLAN_U span = (PLAN_U)PN(hd_key_of, PLAN_F)(p->KEY.last + 0) - (PLAN_U)low;
  p->bits_origin = low;
  p->bits_shift = 0;
  while (span >> p->bits_shift >= buckets) p->bits_shift++;
  p->bucket_last = (u32)(span >> p->bits_shift);
  return true;
}

/* The most edges in a bucket, and through *cost the pairs of edges that share one. */
static u32 PN(crowd, PLAN_F)(const struct hd_index *p, f64 *cost) {
  u32 most = 0, here = 0, bucket = UINT32_MAX;
  *cost = 0;
  for (size_t i = 1; i < p->bins; i++) {
    u32 c = PN(bucket, PLAN_F)(p, p->KEY.edges[i]);
    here = c == bucket ? here + 1 : 1;
    bucket = c;
    *cost += here - 1;
    most = here > most ? here : most;
  }
  return most;
}

/* buckets[c] = the edges in buckets before c, which all lie below or at every x of bucket c: the bin at
 * its start. Edges of later buckets lie above. Those inside are searched. */
static void PN(plan_buckets, PLAN_F)(struct hd_plan *plan, u32 buckets) {
  struct hd_index *p = &plan->index;
  f64 cost_even = INFINITY, cost_bits;
  bool even = PN(choose_buckets, PLAN_F)(p, buckets, false);
  if (even) (void)PN(crowd, PLAN_F)(p, &cost_even);
  (void)PN(choose_buckets, PLAN_F)(p, buckets, true);
  u32 most = PN(crowd, PLAN_F)(p, &cost_bits);
  if (cost_even <= cost_bits) {
    (void)PN(choose_buckets, PLAN_F)(p, buckets, false);
    most = PN(crowd, PLAN_F)(p, &cost_even);
  }
  p->step = most ? 1 : 0;
  while (most >= 2 * p->step && p->step) p->step *= 2; /* 2 step - 1 >= most */
  u32 next = 0;                                        /* the first bucket that is not filled in */
  for (u32 i = 1; i < p->bins; i++) {
    u32 c = PN(bucket, PLAN_F)(p, p->KEY.edges[i]);
    while (next <= c) plan->buckets[next++] = i - 1;
    plan->buckets[c] |= HD_BUCKET_SPLIT;
  }
  while (next <= p->bucket_last) plan->buckets[next++] = p->bins - 1;
}

#undef KEY
#undef PN
#undef PN_
#undef PLAN_F
#undef PLAN_I
#undef PLAN_U
