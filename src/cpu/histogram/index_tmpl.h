/* index_tmpl.h - elements of one type to slot numbers: even bins, and any bins by buckets
 *
 * Parameters HIST_T         element type
 *            HIST_F         f32 or f64: what it is compared as
 *            HIST_IS_FLOAT  1: cpu/vec/vec.h has the conversion; else 0
 *            HIST_BITS, HIST_LANE  of an integer: its bits, and the integer it is widened to first
 * Result     hist_even_T, hist_buckets_T; see kernels.h for the method, docs/histogram.md for proofs.
 * Limits     whether a lane is right never depends on rounding: edges decide. */
#define HV_(t) v##t
#define HV(t) HV_(t)
#define HN_(a, b) a##_##b
#define HN(a, b) HN_(a, b)
#define HIST_I HN(hist_i_of, HIST_F)
#define HIST_U HN(hist_u_of, HIST_F)
#define VF HV(HIST_F)
#define VI HV(HIST_I)
#define VU HV(HIST_U)
#define KEY HN(key, HIST_F)
enum { HN(HN(hist_lanes, HIST_T), HIST_F) = VEC_BYTES / sizeof(HIST_F) };
#define LANES HN(HN(hist_lanes, HIST_T), HIST_F)

static inline VF HN(hist_load, HIST_T)(const void *p) {
#if HIST_IS_FLOAT
  return HN(load, HN(HIST_T, HIST_F))(p);
#elif HIST_BITS == 16
  return __builtin_convertvector((VI)HN(load, HN(HIST_T, HIST_LANE))(p), VF);
#else
  typedef HIST_T narrow __attribute__((vector_size(LANES * sizeof(HIST_T))));
  narrow v;
  memcpy(&v, p, sizeof v);
  return __builtin_convertvector(v, VF);
#endif
}

/* The slot of x: i within the edges, else that for numbers below, above, or for NaN. */
static inline VI HN(hist_slot, HIST_T)(const struct hd_index *p, VF x, VI i) {
  HIST_I under = (HIST_I)p->bins + HD_SLOT_UNDER, over = (HIST_I)p->bins + HD_SLOT_OVER;
  HIST_I nan = (HIST_I)p->bins + HD_SLOT_NAN;
  VI below = x<p->KEY.first, above = x> p->KEY.last, unordered = x != x;
  i = (i & ~(below | above | unordered)) | (below & under);
  return i | (above & over) | (unordered & nan);
}

/* For lanes that may be within margin of an edge: the bin is this or the next. */
static inline VI HN(hist_settle, HIST_T)(const struct hd_index *p, VF x, VI t) {
  VI low = (VI)((VU)t - p->margin) >> (HIST_I)p->fraction;
  low = HN(greater, HIST_I)(low, (VI){0});
  low = HN(lesser, HIST_I)(low, (VI){0} + (HIST_I)(p->bins - 1));
  VI past = x >= HN(hist_gather, HIST_F)(p->KEY.edges + 1, low);
  return HN(hist_slot, HIST_T)(p, x, low - past);
}

static inline VI HN(hist_even_lanes, HIST_T)(const struct hd_index *p, VF x) {
  VI t = HN(hist_trunc, HIST_F)((x - p->KEY.origin) * p->KEY.scale);
  VI i = (VI)((VU)t >> p->fraction);
  if (__builtin_expect(HN(hist_doubtful, HIST_I)(t, p->margin, p->keep, p->limit), 0))
    i = HN(hist_settle, HIST_T)(p, x, t);
  return i << (HIST_I)p->shift;
}

static inline VI HN(hist_bucket, HIST_T)(const struct hd_index *p, VF x) {
  VI c;
  if (p->by_bits) { /* adding 0 makes -0.0 and +0.0 one value */
    VI bits = (VI)(x + 0);
    bits ^= (bits >> (HIST_I)(sizeof(HIST_I) * 8 - 1)) & (HIST_I)((HIST_U)-1 >> 1);
    c = (VI)(((VU)bits - (HIST_U)p->bits_origin) >> (HIST_U)p->bits_shift);
    return (VI)HN(lesser, HIST_U)((VU)c, (VU){0} + (HIST_U)p->bucket_last);
  }
  c = HN(hist_trunc, HIST_F)((x - p->KEY.origin) * p->KEY.scale);
  c = HN(greater, HIST_I)(c, (VI){0});
  return HN(lesser, HIST_I)(c, (VI){0} + (HIST_I)p->bucket_last);
}

/* Bins where buckets have no edge inside; the others keep the bucket's mark, its top bit. */
static inline VI HN(hist_buckets_lanes, HIST_T)(const struct hd_index *p, VF x) {
  VI i = HN(hist_gather, HIST_I)(p->buckets, HN(hist_bucket, HIST_T)(p, x));
  if (HN(hist_outside, HIST_F)(x, p->KEY.first, p->KEY.last)) i = HN(hist_slot, HIST_T)(p, x, i);
  return i;
}

/* Elements in buckets with edges, set aside: the loop has no branch that depends on the data. */
struct HN(hist_aside, HIST_T) {
  size_t n;
  u32 at[HD_INDEX_ROOM + 16]; /* whole vectors are written */
  HIST_F x[HD_INDEX_ROOM + 16];
};

static inline void HN(hist_search, HIST_T)(const struct hd_index *p,
                                           struct HN(hist_aside, HIST_T) * aside, u32 *index) {
  for (size_t k = 0; k < LANES; k++) aside->at[aside->n + k] = 0, aside->x[aside->n + k] = 0;
  for (size_t k = 0; k < aside->n; k += LANES) {
    VI at = HN(hist_widen, HIST_I)(aside->at + k);
    VI i = HN(hist_gather, HIST_I)(index, at) >> (HIST_I)p->shift;
    VF x;
    memcpy(&x, aside->x + k, sizeof x);
    for (u32 step = p->step; step; step >>= 1) {
      VI past = x >= HN(hist_gather, HIST_F)(p->KEY.edges + step, i);
      i += past & (HIST_I)step;
    }
    u32 bin[LANES];
    HN(hist_store, HIST_I)(bin, i << (HIST_I)p->shift);
    size_t left = aside->n - k < LANES ? aside->n - k : LANES;
    for (size_t j = 0; j < left; j++) index[aside->at[k + j]] = bin[j];
  }
}

#define HIST_KERNEL(name) \
  static void HN(name, HIST_T)(const struct hd_index *plan, const void *in, size_t n, u32 *index)
#define HIST_STORE HN(hist_store, HIST_I)
/* Bytes to fetch ahead: counting in between makes the processor's own prefetching lose track. */
#define HIST_AHEAD 16384

HIST_KERNEL(hist_even) {
  const struct hd_index p = *plan; /* a copy whose members no store can change */
  const char *bytes = in;
  size_t i = 0;
  for (; i + LANES <= n; i += LANES) {
    const char *x = bytes + i * sizeof(HIST_T);
    if (i * sizeof(HIST_T) % 64 == 0) __builtin_prefetch(x + HIST_AHEAD, 0, 2);
    HIST_STORE(index + i, HN(hist_even_lanes, HIST_T)(&p, HN(hist_load, HIST_T)(x)));
  }
  if (i == n) return;
  HIST_T tail[LANES] = {0};
  memcpy(tail, bytes + i * sizeof(HIST_T), (n - i) * sizeof(HIST_T));
  HIST_STORE(index + i, HN(hist_even_lanes, HIST_T)(&p, HN(hist_load, HIST_T)(tail)));
}

/* Elements i and on; returns how many were set aside beside the `n` there are. */
static inline size_t HN(hist_buckets_at, HIST_T)(const struct hd_index *p, const void *source,
                                                 size_t i, struct HN(hist_aside, HIST_T) * aside,
                                                 size_t n, u32 *index) {
  VF x = HN(hist_load, HIST_T)(source);
  VI bin = HN(hist_buckets_lanes, HIST_T)(p, x);
  HIST_STORE(index + i, (bin & 0x7fffffff) << (HIST_I)p->shift);
  return HN(hist_pick, HIST_F)(aside->at + n, aside->x + n, bin, (u32)i, x);
}

HIST_KERNEL(hist_buckets) {
  const struct hd_index p = *plan;
  const char *bytes = in;
  struct HN(hist_aside, HIST_T) aside;
  size_t i = 0, picked = 0;
  for (; i + LANES <= n; i += LANES) {
    const char *x = bytes + i * sizeof(HIST_T);
    if (i * sizeof(HIST_T) % 64 == 0) __builtin_prefetch(x + HIST_AHEAD, 0, 2);
    picked += HN(hist_buckets_at, HIST_T)(&p, x, i, &aside, picked, index);
  }
  if (i < n) { /* lanes past the end find a bin that nobody reads */
    HIST_T tail[LANES] = {0};
    memcpy(tail, bytes + i * sizeof(HIST_T), (n - i) * sizeof(HIST_T));
    picked += HN(hist_buckets_at, HIST_T)(&p, tail, i, &aside, picked, index);
  }
  aside.n = picked;
  HN(hist_search, HIST_T)(&p, &aside, index);
}

#undef HIST_STORE
#undef HIST_AHEAD
#undef HIST_KERNEL
#undef LANES
#undef KEY
#undef VU
#undef VI
#undef VF
#undef HN
#undef HN_
#undef HV
#undef HV_
#undef HIST_U
#undef HIST_I
