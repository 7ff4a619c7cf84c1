/* engine_tmpl.h - what works on items of one size: looks, scatters, sorts in a cache; included once a size
 *
 * Parameters  SORT_SIZE   bytes, for names
 *             SORT_ITEM   the type of an item
 *             SORT_KEY_OF an item's first word, of an item
 *             SORT_LINE_ITEMS  that a bucket's stage holds: a power of two, whole lines
 *             SORT_NETWORK, SORT_NETWORK_MOST  sorts items that are nothing but their keys, so many at
 *                         most; undefined for others
 *             SORT_TAGGED 1 if items are moved once, after words that stand for them were sorted
 *             SORT_LANE   the unsigned integer of a key: u32 or u64
 * Method      Few items are put at their ranks, which vectors count. Else radix sort from the least digit on, over the bits that differ. Where there are more of
 *             them than n items can tell apart, only the topmost are sorted by, and insertion puts in
 *             order what they leave; too many moves send all digits through the radix sort. */
#define SORT_JOIN__(a, b) a##_##b
#define SORT_JOIN_(a, b) SORT_JOIN__(a, b)
#define SORT_NAME(name) SORT_JOIN_(name, SORT_SIZE)

static void SORT_NAME(sort_look)(const void *items, size_t n, u64 mask,
                                 struct hd_cpu_sort_look *look) {
  const SORT_ITEM *x = items;
  SORT_LANE any = 0, all = (SORT_LANE) ~(SORT_LANE)0;
  if (!n) return;
  for (size_t i = 0; i < n; i++) {
    any |= (SORT_LANE)SORT_KEY_OF(x[i]);
    all &= (SORT_LANE)SORT_KEY_OF(x[i]);
  }
  look->any |= any;
  look->all &= all;
  if (!look->rising && !look->falling) return;
  const SORT_LANE by = (SORT_LANE)mask, first = (SORT_LANE)SORT_KEY_OF(x[0]) & by;
  const SORT_LANE before = look->started ? (SORT_LANE)look->last : first;
  SORT_LANE falls = before > first, rises = before < first;
  SORT_LANE level = look->started && before == first;
  bool rising = look->rising && !falls, falling = look->falling && !rises;
  for (size_t i = 1, end; i < n && (rising || falling); i = end) {
    end = n - i < SORT_LOOK ? n : i + SORT_LOOK;
    for (size_t k = i; k < end; k++) { /* to the end of the block, so that vectors do it */
      const SORT_LANE y = (SORT_LANE)SORT_KEY_OF(x[k - 1]) & by;
      const SORT_LANE z = (SORT_LANE)SORT_KEY_OF(x[k]) & by;
      falls |= (SORT_LANE)(y > z);
      rises |= (SORT_LANE)(y < z);
      level |= (SORT_LANE)(y == z);
    }
    rising &= !falls;
    falling &= !rises && (look->weak || !level);
  }
  look->rising = rising;
  look->falling = falling && (look->weak || !level);
  look->started = true;
  look->last = (SORT_LANE)SORT_KEY_OF(x[n - 1]) & by;
}

static inline __attribute__((always_inline)) size_t
SORT_NAME(sort_bucket)(u64 key, const struct hd_cpu_sort_digit *digit, bool prefixes) {
  if (!prefixes) return (size_t)(key >> digit->shift & (digit->buckets - 1));
  const u32 prefix = digit->prefix[key >> digit->shift & (HD_SORT_PREFIXES - 1)];
  const u64 below = key & (((u64)1 << digit->shift) - 1);
  return (size_t)((prefix >> 8) + (below >> (digit->shift - (prefix & 0xff))));
}

static inline __attribute__((always_inline)) void
SORT_NAME(sort_count_by)(const SORT_ITEM *x, size_t n, struct hd_cpu_sort_digit digit,
                         bool prefixes, size_t *counts) {
  enum { TABLES = HD_SORT_TABLES, APART = 1 << HD_SORT_DIGIT_MOST };
  size_t i = 0;
  for (; i + TABLES <= n; i += TABLES) {
    size_t d[TABLES];
    SORT_UNROLL
    for (size_t k = 0; k < TABLES; k++)
      d[k] = SORT_NAME(sort_bucket)(SORT_KEY_OF(x[i + k]), &digit, prefixes);
    SORT_UNROLL
    for (size_t k = 0; k < TABLES; k++) counts[k * APART + d[k]]++;
  }
  for (; i < n; i++) counts[SORT_NAME(sort_bucket)(SORT_KEY_OF(x[i]), &digit, prefixes)]++;
}
static void SORT_NAME(sort_count)(const void *items, size_t n,
                                  const struct hd_cpu_sort_digit *digit, size_t *counts) {
  if (digit->prefix)
    SORT_NAME(sort_count_by)(items, n, *digit, true, counts);
  else
    SORT_NAME(sort_count_by)(items, n, *digit, false, counts);
}

/* ---- buckets by whole lines ------------------------------------------------------------------ */

/* Bucket d's stage is full: its items end before `end`. */
static inline void SORT_NAME(sort_flush)(struct hd_cpu_sort_scatter *s, size_t d, size_t end) {
  enum { BYTES = SORT_LINE_ITEMS * sizeof(SORT_ITEM) };
  const char *stage = s->stage + d * BYTES;
  char *line = s->base + (end - SORT_LINE_ITEMS) * sizeof(SORT_ITEM);
  const size_t head = s->head[d];
  s->head[d] = 0;
  if (head == HD_SORT_NOTHING) return;
  if (head) {
    memcpy(line + head * sizeof(SORT_ITEM), stage + head * sizeof(SORT_ITEM),
           BYTES - head * sizeof(SORT_ITEM));
  } else if (s->nontemporal) {
    sort_nontemporal_lines(line, stage, BYTES);
  } else {
    memcpy(line, stage, BYTES);
  }
}

/* Items at x, as many as SORT_AT_ONCE or one. All places are read and written before the first item is: a
 * processor that does not know yet where a store goes holds back the loads behind it. A full stage is written
 * when the next item comes: at once, loads of whole vectors would wait for the store of the last item. */
static inline __attribute__((always_inline)) void
SORT_NAME(sort_scatter_some)(struct hd_cpu_sort_scatter *s, const SORT_ITEM *x, size_t items,
                             bool prefixes) {
  SORT_ITEM *stage = (SORT_ITEM *)(void *)s->stage;
  const struct hd_cpu_sort_digit digit = s->digit;
  size_t *place = s->place, d[SORT_AT_ONCE], at[SORT_AT_ONCE];
  SORT_UNROLL
  for (size_t i = 0; i < items; i++) {
    d[i] = SORT_NAME(sort_bucket)(SORT_KEY_OF(x[i]), &digit, prefixes);
    at[i] = place[d[i]]++;
  }
  SORT_UNROLL
  for (size_t i = 0; i < items; i++) {
    const size_t slot = at[i] % SORT_LINE_ITEMS;
    if (!slot) SORT_NAME(sort_flush)(s, d[i], at[i]);
    stage[d[i] * SORT_LINE_ITEMS + slot] = x[i];
  }
}
static inline __attribute__((always_inline)) void
SORT_NAME(sort_scatter_by)(struct hd_cpu_sort_scatter *s, const SORT_ITEM *x, size_t n,
                           bool prefixes) {
  size_t i = 0;
  for (; i + SORT_AT_ONCE <= n; i += SORT_AT_ONCE)
    SORT_NAME(sort_scatter_some)(s, x + i, SORT_AT_ONCE, prefixes);
  for (; i < n; i++) SORT_NAME(sort_scatter_some)(s, x + i, 1, prefixes);
}

static void SORT_NAME(sort_scatter)(struct hd_cpu_sort_scatter *s, const void *items, size_t n) {
  if (s->digit.prefix)
    SORT_NAME(sort_scatter_by)(s, items, n, true);
  else
    SORT_NAME(sort_scatter_by)(s, items, n, false);
}

static void SORT_NAME(sort_finish)(struct hd_cpu_sort_scatter *s) {
  const SORT_ITEM *stage = (const SORT_ITEM *)(const void *)s->stage;
  for (size_t d = 0; d < s->digit.buckets; d++) {
    const size_t head = s->head[d], after = s->place[d] % SORT_LINE_ITEMS;
    const size_t end = after ? after : SORT_LINE_ITEMS;
    if (head != HD_SORT_NOTHING && end > head)
      memcpy(s->base + (s->place[d] - end + head) * sizeof(SORT_ITEM),
             stage + d * SORT_LINE_ITEMS + head, (end - head) * sizeof(SORT_ITEM));
  }
  sort_nontemporal_fence();
}

/* ---- in a cache ------------------------------------------------------------------------------ */

/* Few items: rank i is how many keys are below key i, or equal to it and before it. */
static void SORT_NAME(sort_rank)(SORT_ITEM *x, size_t n, u64 mask) {
  enum { LANES = VEC_BYTES / sizeof(SORT_LANE), ROOM = SORT_FEW_U32 };
  SORT_VECTOR(SORT_LANE) keys[ROOM / LANES] = {{0}}, places[ROOM / LANES] = {{0}};
  SORT_VECTOR(SORT_LANE) ranks[ROOM / LANES] = {{0}};
  SORT_ITEM from[ROOM];
  const size_t vectors = (n + LANES - 1) / LANES;
  for (size_t i = 0; i < n; i++) {
    from[i] = x[i];
    keys[i / LANES][i % LANES] = (SORT_LANE)(SORT_KEY_OF(x[i]) & mask);
    places[i / LANES][i % LANES] = (SORT_LANE)i;
  }
  for (size_t j = 0; j < n; j++) {
    const SORT_LANE one = keys[j / LANES][j % LANES];
    for (size_t v = 0; v < vectors; v++)
      ranks[v] -= (SORT_VECTOR(SORT_LANE))(one < keys[v]) |
                  (SORT_VECTOR(SORT_LANE))((one == keys[v]) & ((SORT_LANE)j < places[v]));
  }
  for (size_t i = 0; i < n; i++) x[ranks[i / LANES][i % LANES]] = from[i];
}

/* Stable; false: there were more than `most` moves, and the items are a permutation of what they were
 * in which equal keys kept their order. */
static bool SORT_NAME(sort_insert)(SORT_ITEM *x, size_t n, u64 mask, size_t most) {
  for (size_t i = 1; i < n; i++) {
    const SORT_ITEM item = x[i];
    const u64 key = SORT_KEY_OF(item) & mask;
    size_t at = i;
    for (; at && (SORT_KEY_OF(x[at - 1]) & mask) > key; at--) x[at] = x[at - 1];
    x[at] = item;
    if (i - at > most) return false;
    most -= i - at;
  }
  return true;
}

/* What digits are taken of: a key's bits in `mask`, less `least`, from bit `low` to below `top`. */
struct SORT_NAME(sort_span) {
  u64 mask, least;
  u32 low, top;
};

/* By one digit, from x to y; `lowered`: span->least is not 0. */
static inline __attribute__((always_inline)) void
SORT_NAME(sort_digit_of)(const SORT_ITEM *x, SORT_ITEM *y, size_t n,
                         const struct SORT_NAME(sort_span) * span, u32 shift, u32 width,
                         bool lowered) {
  u32 place[1 << SORT_WIDTH_MOST];
  const u32 digits = (u32)1 << width;
  const u64 mask = lowered ? span->mask : ~(u64)0, least = lowered ? span->least : 0;
  u32 sum = 0;
  memset(place, 0, digits * sizeof *place);
  for (size_t i = 0; i < n; i++)
    place[((SORT_KEY_OF(x[i]) & mask) - least) >> shift & (digits - 1)]++;
  for (u32 d = 0; d < digits; d++) {
    const u32 count = place[d];
    place[d] = sum;
    sum += count;
  }
  for (size_t i = 0; i < n; i++)
    y[place[((SORT_KEY_OF(x[i]) & mask) - least) >> shift & (digits - 1)]++] = x[i];
}

static void SORT_NAME(sort_digit)(const SORT_ITEM *x, SORT_ITEM *y, size_t n,
                                  const struct SORT_NAME(sort_span) * span, u32 shift, u32 width) {
  if (span->least)
    SORT_NAME(sort_digit_of)(x, y, n, span, shift, width, true);
  else
    SORT_NAME(sort_digit_of)(x, y, n, span, shift, width, false);
}

/* By the bits of a span, from the least digit on; constant ones, where `bits` tells them, are passed over. True: the
 * result is at b. */
static bool SORT_NAME(sort_digits)(SORT_ITEM *a, SORT_ITEM *b, size_t n,
                                   const struct SORT_NAME(sort_span) * span, u64 bits) {
  const u32 most = n < SORT_SHORT ? SORT_WIDTH_SHORT : SORT_WIDTH, all = span->top - span->low;
  const u32 passes = (all + most - 1) / most, each = (all + passes - 1) / passes;
  bool in_b = false;
  for (u32 shift = span->low; shift < span->top;) {
    const u32 width = each < span->top - shift ? each : span->top - shift;
    SORT_NAME(sort_digit)(in_b ? b : a, in_b ? a : b, n, span, shift, width);
    in_b = !in_b;
    shift += width;
    while (shift < span->top && !(bits >> shift & 1)) shift++;
  }
  return in_b;
}

#if !SORT_TAGGED
/* The least and the greatest key. */
static void SORT_NAME(sort_ends)(const SORT_ITEM *x, size_t n, u64 mask, u64 *least, u64 *most) {
  u64 low = ~(u64)0, high = 0;
  for (size_t i = 0; i < n; i++) {
    const u64 key = SORT_KEY_OF(x[i]) & mask;
    low = key < low ? key : low;
    high = key > high ? key : high;
  }
  *least = low;
  *most = high;
}

#endif

#if SORT_TAGGED
/* As sort_spread: a word an item, of the bits of its key that tell most apart and of its position, are sorted in
 * its place, in the last n words of b; items follow them to the words before, of which each was read. Keys that
 * are alike in these bits are left to insertion. */
static bool SORT_NAME(sort_tags)(SORT_ITEM *a, SORT_ITEM *b, size_t n, u64 mask, u64 bits) {
  const struct SORT_NAME(sort_span) span = {mask, 0, hd_low_bit(bits), hd_top_bit(bits) + 1};
  const u32 number = hd_top_bit(n) + 1;
  u64 *room = (u64 *)(void *)b, *tag = (u64 *)(void *)(b + n) - n;
  const u64 numbers = ((u64)1 << number) - 1;
  for (size_t i = 0; i < n; i++)
    tag[i] = ((SORT_KEY_OF(a[i]) & mask) << (64 - span.top) & ~numbers) | i;
  if (!sort_quick_u64(tag, room, n)) return SORT_NAME(sort_digits)(a, b, n, &span, bits);
  for (size_t i = 0; i < n; i++) b[i] = a[tag[i] & numbers];
  if (span.top - span.low <= 64 - number || SORT_NAME(sort_insert)(b, n, mask, n * SORT_MOVES))
    return true;
  return !SORT_NAME(sort_digits)(b, a, n, &span, bits);
}
#endif

#if !SORT_TAGGED
/* n items that differ in `bits`: with the topmost of the bits that tell them apart first, if these are few. */
static bool SORT_NAME(sort_spread)(SORT_ITEM *a, SORT_ITEM *b, size_t n, u64 mask, u64 bits,
                                   u32 exponent) {
  struct SORT_NAME(sort_span) span = {mask, 0, hd_low_bit(bits), hd_top_bit(bits) + 1};
  u32 wanted = hd_top_bit(n) + SORT_TELL + (span.top > exponent ? span.top - exponent : 0);
  if (span.top - span.low > wanted && exponent == 64) {
    /* Small numbers of both signs differ in all bits, but not by much. */
    u64 most;
    SORT_NAME(sort_ends)(a, SORT_SAMPLE, mask, &span.least, &most);
    if (most - span.least < (u64)1 << (span.top - 3))
      SORT_NAME(sort_ends)(a, n, mask, &span.least, &most);
    const u32 top = hd_top_bit((most - span.least) | 1) + 1;
    if (top + 2 < span.top) {
      span.top = top > span.low ? top : span.low + 1;
      bits = ~(u64)0;
    } else {
      span.least = 0;
    }
  }
  if (span.top - span.low <= wanted + SORT_WIDTH / 2)
    return SORT_NAME(sort_digits)(a, b, n, &span, bits);
  struct SORT_NAME(sort_span) upper = span;
  upper.low = span.top - wanted;
  if (SORT_NAME(sort_digits)(a, b, n, &upper, bits)) {
    if (SORT_NAME(sort_insert)(b, n, mask, n * SORT_MOVES)) return true;
    return !SORT_NAME(sort_digits)(b, a, n, &span, bits);
  }
  return !SORT_NAME(sort_insert)(a, n, mask, n * SORT_MOVES) &&
         SORT_NAME(sort_digits)(a, b, n, &span, bits);
}

#endif

static bool SORT_NAME(sort_sort)(void *at, void *room, size_t n, u64 mask, u32 exponent) {
  SORT_ITEM *a = at;
  struct hd_cpu_sort_look look = {.all = ~(u64)0, .rising = true};
  if (n < 2) return false;
#ifndef SORT_NETWORK
  if (n <= SORT_FEW_U64) {
    SORT_NAME(sort_rank)(a, n, mask);
    return false;
  }
#endif
  SORT_NAME(sort_look)(a, n, mask, &look);
  const u64 differ = look.any ^ look.all, bits = differ & mask;
  if (look.rising || !bits) return false;
#ifdef SORT_NETWORK
  if (n <= SORT_NETWORK_MOST && !(differ & ~mask)) {
    SORT_NETWORK(a, n);
    return false;
  }
  if (!(differ & ~mask) && SORT_QUICK(a, room, n)) return false;
  if (n <= (sizeof(SORT_LANE) == sizeof(u32) ? SORT_FEW_U32 : SORT_FEW_U64)) {
    SORT_NAME(sort_rank)(a, n, mask);
    return false;
  }
#endif
#if SORT_TAGGED
  (void)exponent;
  return SORT_NAME(sort_tags)(a, room, n, mask, bits);
#else
  return SORT_NAME(sort_spread)(a, room, n, mask, bits, exponent);
#endif
}

static void SORT_NAME(sort_reverse)(void *items, size_t n) {
  SORT_ITEM *x = items;
  for (size_t i = 0; i < n / 2; i++) {
    const SORT_ITEM item = x[i];
    x[i] = x[n - 1 - i];
    x[n - 1 - i] = item;
  }
}

static const struct hd_cpu_sort_engine SORT_NAME(sort_engine) = {
    sizeof(SORT_ITEM),       SORT_LINE_ITEMS,        SORT_NAME(sort_look), SORT_NAME(sort_count),
    SORT_NAME(sort_scatter), SORT_NAME(sort_finish), SORT_NAME(sort_sort), SORT_NAME(sort_reverse)};

#undef SORT_NAME
#undef SORT_JOIN_
#undef SORT_JOIN__
#undef SORT_SIZE
#undef SORT_ITEM
#undef SORT_KEY_OF
#undef SORT_LINE_ITEMS
#undef SORT_TAGGED
#undef SORT_LANE
#undef SORT_NETWORK
#undef SORT_QUICK
#undef SORT_NETWORK_MOST
