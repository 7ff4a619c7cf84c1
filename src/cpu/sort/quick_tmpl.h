/* quick_tmpl.h - sorts keys that are items of their own in a cache, by whole vectors; included once a lane
 *
 * Parameters  SORT_LANE   u32 or u64
 * Result      sort_quick_LANE(x, room, n): true: x[0] <= x[1] <= ..; false: pivots were bad too often,
 *             and x is a permutation of what it was
 * Method      Quicksort down to what a network sorts. Lesser keys go down in x, the others to `room` and
 *             back behind them. A pivot is the middle of a sample; where nothing is below it, it is the least
 *             key, and all of its like are in place once they are parted from the rest.
 * Source      Bramas 2017; Blacher et al. 2022 */
#define SORT_JOIN__(a, b) a##_##b
#define SORT_JOIN_(a, b) SORT_JOIN__(a, b)
#define SORT_NAME(name) SORT_JOIN_(name, SORT_LANE)
#define SORT_V SORT_VECTOR(SORT_LANE)

/* How many of n keys are below `pivot`; they are in front. */
static size_t SORT_NAME(sort_part)(SORT_LANE *x, SORT_LANE *room, size_t n, SORT_LANE pivot) {
  enum { LANES = VEC_BYTES / sizeof(SORT_LANE) };
  enum { AT_ONCE = 8 }; /* loads before stores, which may be to lines that are read next */
  size_t low = 0, i = 0;
  SORT_V v[AT_ONCE];
  for (; i + AT_ONCE * LANES <= n; i += AT_ONCE * LANES) {
    SORT_UNROLL
    for (size_t k = 0; k < AT_ONCE; k++) memcpy(&v[k], x + i + k * LANES, sizeof v[k]);
    SORT_UNROLL
    for (size_t k = 0; k < AT_ONCE; k++)
      low += SORT_NAME(split)(x + low, room + (i + k * LANES - low), v[k], pivot);
  }
  for (; i + LANES <= n; i += LANES) {
    memcpy(v, x + i, sizeof *v);
    low += SORT_NAME(split)(x + low, room + (i - low), *v, pivot);
  }
  low += SORT_NAME(split_rest)(x + low, room + (i - low), x + i, n - i, pivot);
  memcpy(x + low, room, (n - low) * sizeof *x);
  return low;
}

static inline SORT_V SORT_NAME(sort_middle)(SORT_V a, SORT_V b, SORT_V c) {
  const SORT_V low = SORT_NAME(sort_lesser)(a, b), high = SORT_NAME(sort_greater)(a, b);
  return SORT_NAME(sort_greater)(low, SORT_NAME(sort_lesser)(high, c));
}

/* The middle of the middle ones, lane by lane, of three or nine vectors from all over. */
static inline SORT_LANE SORT_NAME(sort_pivot)(const SORT_LANE *x, size_t n) {
  enum { LANES = VEC_BYTES / sizeof(SORT_LANE), WORTH_NINE = 512 };
  const size_t apart = (n - LANES) / (n < WORTH_NINE ? 2 : 8);
  SORT_V v[9];
  for (size_t i = 0; i < (n < WORTH_NINE ? 3 : 9); i++)
    v[i] = SORT_NAME(sort_some)(x, n, i * apart);
  if (n >= WORTH_NINE)
    for (size_t i = 0; i < 3; i++) v[i] = SORT_NAME(sort_middle)(v[i], v[i + 3], v[i + 6]);
  return SORT_NAME(sort_middle_lane)(SORT_NAME(sort_middle)(v[0], v[1], v[2]));
}

static bool SORT_NAME(sort_quick_within)(SORT_LANE *x, SORT_LANE *room, size_t n, u32 depth) {
  while (n > SORT_NAME(SORT_NETWORK)) {
    if (!depth--) return false;
    const SORT_LANE pivot = SORT_NAME(sort_pivot)(x, n);
    size_t low = SORT_NAME(sort_part)(x, room, n, pivot);
    if (!low) {
      if (pivot == (SORT_LANE) ~(SORT_LANE)0) return true;
      low = SORT_NAME(sort_part)(x, room, n, pivot + 1);
    } else if (!SORT_NAME(sort_quick_within)(x, room, low, depth)) {
      return false;
    }
    x += low;
    n -= low;
  }
  SORT_NAME(sort_network)(x, n);
  return true;
}

static bool SORT_NAME(sort_quick)(SORT_LANE *x, SORT_LANE *room, size_t n) {
  return SORT_NAME(sort_quick_within)(x, room, n, 2 * hd_top_bit(n));
}

#undef SORT_V
#undef SORT_NAME
#undef SORT_JOIN_
#undef SORT_JOIN__
#undef SORT_LANE
