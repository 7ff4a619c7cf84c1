/* buckets_tmpl.h - places and buckets for f32 or f64 keys
 *
 * Parameters PLAN_F (f32 or f64), PLAN_I and PLAN_U (the integers of its width).
 * Result     choose_F, fill_F.
 * Limits     the arithmetic is that of kernels/histogram/find.h, operation by operation. */
#define PN_(a, b) a##_##b
#define PN(a, b) PN_(a, b)
#define KEY PN(key, PLAN_F)

static PLAN_U PN(ordered, PLAN_F)(PLAN_F x) { return (PLAN_U)PN(hd_key_of, PLAN_F)(x + 0); }

/* The key next to x on one side; infinities stay. */
static PLAN_F PN(neighbour, PLAN_F)(PLAN_F x, int side) {
  PLAN_I key = PN(hd_key_of, PLAN_F)(x + 0);
  if (!isfinite(x) && (x > 0) == (side > 0)) return x;
  return PN(key_to, PLAN_F)(side > 0 ? key + 1 : key ? key - 1 : -2);
}

/* `keys` keys on one side of x, but no infinity, and not below zero from above it. */
static PLAN_F PN(away, PLAN_F)(PLAN_F x, int side, PLAN_U keys) {
  const PLAN_U key = PN(ordered, PLAN_F)(x);
  const PLAN_U end = PN(ordered, PLAN_F)(side > 0 ? (PLAN_F)INFINITY
                                         : x > 0  ? 0
                                                  : -(PLAN_F)INFINITY);
  const PLAN_U room = side > 0 ? end - key : key - end;
  if (!isfinite(x) || keys < 2 || room < 2) return PN(neighbour, PLAN_F)(x, side);
  if (keys >= room) keys = room - 1;
  return PN(key_to, PLAN_F)((PLAN_I)(side > 0 ? key + keys : key - keys));
}

static u32 PN(place, PLAN_F)(const struct hist_slots *p, PLAN_F x) {
  if (p->by_bits) {
    x -= p->KEY.origin;
    PLAN_F inside = x < p->KEY.first ? p->KEY.first : x > p->KEY.last ? p->KEY.last : x;
    return (u32)((PLAN_U)(PN(ordered, PLAN_F)(inside) * p->bits_scale - (PLAN_U)p->bits_origin) >>
                 p->bits_shift);
  }
  PLAN_F t = (x - p->KEY.origin) * p->KEY.scale;
  i32 most = (i32)p->place_last, least = INT32_C(1) << p->place_bits;
  i32 place = t >= 0x1p30 * 2 ? INT32_MAX : t <= 0 ? 0 : (i32)t;
  return (u32)(place < least ? least : place > most ? most : place);
}

static bool PN(set_line, PLAN_F)(struct hist_slots *p, unsigned bits) {
  const f64 bucket = (f64)(UINT32_C(1) << p->place_bits), buckets = (f64)(UINT32_C(1) << bits);
  const PLAN_F first = p->KEY.first, last = p->KEY.last;
  p->by_bits = 0;
  p->place_last = (UINT32_C(1) << (p->place_bits + bits)) - 2; /* -1 looks as if in doubt */
  p->KEY.scale = (PLAN_F)((buckets - 6) * bucket / ((f64)last - (f64)first));
  p->KEY.origin = (PLAN_F)((f64)first - ((f64)last - (f64)first) * (3 / (buckets - 6)));
  return isfinite(p->KEY.scale) && p->KEY.scale > 0 && isfinite(p->KEY.origin) &&
         isfinite(last - p->KEY.origin);
}

/* The factor and the shift that spread so many numbers over `room` places, as far as one fits. */
static void PN(set_scale, PLAN_F)(struct hist_slots *p, PLAN_U span, u64 room) {
  p->bits_shift = 0;
  p->bits_scale = 1;
  if (sizeof(PLAN_F) == 4) {
    /* A small factor is a coarse one: then the product has more bits. */
    while (room << p->bits_shift < FINE * (u64)span && room << (p->bits_shift + 1) >> 32 == 0)
      p->bits_shift++;
    p->bits_scale = (u32)((room << p->bits_shift) / span);
    if (p->bits_scale) return;
    p->bits_shift = 0;
    p->bits_scale = 1;
  }
  while (span >> p->bits_shift > room) p->bits_shift++;
}

/* Places by the leading bits of x - origin. Elements beyond the ends count as keys a bucket or two away,
 * so that the range stays small, and edges that crowd at an end do not slow them down. */
static void PN(set_bits, PLAN_F)(struct hist_slots *p, unsigned bits, PLAN_F origin) {
  const PLAN_F first = p->KEY.first - origin, last = p->KEY.last - origin;
  /* How the kernel makes keys: f32 ones are clamped as integers, f64 ones before that. */
  p->by_bits = first > 0 || (first == 0 && sizeof(PLAN_F) == 4) ? 2 : 1;
  p->KEY.origin = origin;
  const PLAN_U margin = 2 * ((PN(ordered, PLAN_F)(last) - PN(ordered, PLAN_F)(first)) >> bits) + 1;
  p->KEY.first = PN(away, PLAN_F)(first, -1, margin);
  p->KEY.last = PN(away, PLAN_F)(last, 1, margin);
  const PLAN_U low = PN(ordered, PLAN_F)(p->KEY.first);
  const PLAN_U span = PN(ordered, PLAN_F)(p->KEY.last) - low;
  const u64 bucket = UINT64_C(1) << p->place_bits;
  PN(set_scale, PLAN_F)(p, span, ((UINT64_C(1) << bits) - 4) * bucket);
  p->bits_origin = (i64)(PLAN_U)(low * p->bits_scale - ((PLAN_U)(2 * bucket) << p->bits_shift));
  p->place_last = (PN(place, PLAN_F)(p, (PLAN_F)INFINITY) | (u32)(bucket - 1)) - 1;
}

/* The edges that are counted: those at most x tell x's bin. The last one is the first number above
 * the last bin, or none. */
static void PN(close, PLAN_F)(struct hd_plan *plan) {
  PLAN_F *edges = plan->tables, last = plan->index.KEY.last;
  edges[plan->bins.count] = last == (PLAN_F)INFINITY ? (PLAN_F)NAN : PN(neighbour, PLAN_F)(last, 1);
}

static size_t PN(edges, PLAN_F)(const struct hd_plan *plan) {
  const size_t bins = plan->bins.count;
  return isnan(plan->index.KEY.edges[bins]) ? bins : bins + 1;
}

/* The edges behind `share` others in one bucket, or `most`. */
static size_t PN(pairs, PLAN_F)(const struct hd_plan *plan, const struct hist_slots *p, u32 share,
                                size_t most) {
  const size_t edges = PN(edges, PLAN_F)(plan);
  size_t pairs = 0, others = 0;
  u32 bucket = UINT32_MAX;
  for (size_t i = 0; i < edges && pairs < most; i++) {
    u32 c = PN(place, PLAN_F)(p, plan->index.KEY.edges[i]) >> p->place_bits;
    others = c == bucket ? others + 1 : 0;
    pairs += others >= share;
    bucket = c;
  }
  return pairs;
}

/* Whether elements below edge number i may have its place. */
static bool PN(doubt, PLAN_F)(const struct hd_plan *plan, const struct hist_slots *p, size_t i) {
  const PLAN_F edge = plan->index.KEY.edges[i];
  if (!isfinite(edge)) return true;
  const f64 below = hd_element_below(plan->type, (f64)edge);
  return PN(place, PLAN_F)(p, (PLAN_F)below) == PN(place, PLAN_F)(p, edge);
}

/* How badly a choice of buckets suits the edges; *p is sure if buckets of edges in doubt may be split
 * like others. */
static size_t PN(rate, PLAN_F)(const struct hd_plan *plan, struct hist_slots *p, unsigned bits,
                               u32 share, size_t most) {
  const size_t pairs = PN(pairs, PLAN_F)(plan, p, share, most), edges = PN(edges, PLAN_F)(plan);
  size_t doubts = 0;
  if (pairs >= most || share > 1) return pairs; /* with several edges places decide nothing */
  for (size_t i = 0; i < edges; i++) doubts += PN(doubt, PLAN_F)(plan, p, i);
  p->sure = doubts * SURE_SHARE <= edges &&
            doubts <= hd_cuda_buckets_parts(UINT32_C(1) << bits) / HD_BUCKET_PARTS;
  return pairs + doubts / DOUBTS_A_PAIR;
}

/* Tries places by the leading bits of x - origin; *best is the one that is rated lower. */
static void PN(try_bits, PLAN_F)(const struct hd_plan *plan, unsigned bits, PLAN_F origin,
                                 u32 share, const struct hist_slots *find, struct hist_slots *best,
                                 size_t *rating) {
  struct hist_slots tried = *find;
  if (!isfinite(origin) || !isfinite(find->KEY.last - origin)) return;
  PN(set_bits, PLAN_F)(&tried, bits, origin);
  const size_t rate = PN(rate, PLAN_F)(plan, &tried, bits, share, *rating);
  if (rate >= *rating) return;
  *best = tried;
  *rating = rate;
}

static size_t PN(choose, PLAN_F)(const struct hd_plan *plan, u32 buckets, int lifts, u32 share,
                                 struct hist_slots *find) {
  const f64 first = (f64)find->KEY.first, span = (f64)find->KEY.last - first;
  unsigned bits = 0;
  while (buckets >> bits > 1) bits++;
  struct hist_slots best = *find;
  size_t rating = SIZE_MAX;
  if (PN(set_line, PLAN_F)(&best, bits))
    rating = PN(rate, PLAN_F)(plan, &best, bits, share, rating);
  if (rating) PN(try_bits, PLAN_F)(plan, bits, -(PLAN_F)0, share, find, &best, &rating);
  for (int lift = 0; rating && lift < lifts; lift++) {
    const PLAN_F origin = (PLAN_F)(first - ldexp(span, -lift));
    if (find->KEY.first > origin)
      PN(try_bits, PLAN_F)(plan, bits, origin, share, find, &best, &rating);
  }
  *find = best;
  return PN(pairs, PLAN_F)(plan, find, share, SIZE_MAX);
}

/* The word of a bucket, or part of one, behind `first` edges that has `count`, the first of them at
 * `place`. */
static u32 PN(word, PLAN_F)(const struct hd_plan *plan, const struct hist_slots *p, u32 first,
                            u32 count, u32 place) {
  if (!count) return (first << 16) + (p->sure ? 0 : 1);
  const bool doubt = count == 1 && PN(doubt, PLAN_F)(plan, p, first);
  if (count > 1 || (doubt && p->sure)) return CROWDED + (first << 16);
  return (first << 16) + 0x10001 - (place & 0xffff) - (doubt || p->sure);
}

/* The edges from number i on whose places >> bits are `bucket`, and the first one's place. */
static u32 PN(count, PLAN_F)(const struct hd_plan *plan, const struct hist_slots *p, u32 i,
                             u32 bits, u32 bucket, u32 *place) {
  const u32 edges = (u32)PN(edges, PLAN_F)(plan), first = i;
  for (; i < edges; i++) {
    const u32 at = PN(place, PLAN_F)(p, plan->index.KEY.edges[i]);
    if (at >> bits != bucket) break;
    if (i == first) *place = at;
  }
  return i - first;
}

/* The words of the parts of bucket c. */
static void PN(split, PLAN_F)(const struct hd_plan *plan, const struct hist_slots *p, u32 c,
                              u32 first, u32 *words) {
  for (u32 part = 0; part < HD_BUCKET_PARTS; part++) {
    u32 place = 0;
    const u32 count = PN(count, PLAN_F)(plan, p, first, p->place_bits - PART_BITS,
                                        c * HD_BUCKET_PARTS + part, &place);
    words[part] = PN(word, PLAN_F)(plan, p, first, count, place);
    first += count;
  }
}

static void PN(fill, PLAN_F)(const struct hd_plan *plan, struct hist_slots *p, u32 most,
                             u32 *before, u32 *packed) {
  const u32 buckets = (p->place_last >> p->place_bits) + 1;
  u32 first = 0;
  p->crowded = 0;
  p->words = (buckets + HD_BUCKET_PARTS - 1) / HD_BUCKET_PARTS * HD_BUCKET_PARTS;
  for (u32 c = 0; c < buckets; c++) {
    u32 place = 0;
    const u32 count = PN(count, PLAN_F)(plan, p, first, p->place_bits, c, &place);
    before[c] = first;
    if (packed) {
      u32 word = PN(word, PLAN_F)(plan, p, first, count, place);
      const bool fits = p->words + HD_BUCKET_PARTS <= most;
      if (word >= CROWDED && !fits) p->crowded = 1;
      if (word >= CROWDED && fits) {
        PN(split, PLAN_F)(plan, p, c, first, packed + p->words);
        word = SPLIT + (p->words << (p->place_bits - PART_BITS));
        p->words += HD_BUCKET_PARTS;
      }
      packed[c] = word - (c << 16);
    }
    first += count;
  }
  before[buckets] = first;
}

#undef KEY
#undef PN
#undef PN_
#undef PLAN_F
#undef PLAN_I
#undef PLAN_U
