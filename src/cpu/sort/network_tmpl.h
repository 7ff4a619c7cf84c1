/* network_tmpl.h - a bitonic network over vectors, for keys that are items of their own; included once a lane
 *
 * Parameters  SORT_LANE   u32 or u64
 *             SORT_SWAPS(v, lanes)  the vector with lanes i and i ^ lanes exchanged
 * Result      sort_network_LANE(x, n): x[0] <= x[1] <= ..; not stable, which equal keys do not show.
 * Method      Filled up with the greatest key to a power of two. Stage (k, j) compares items i and i ^ j, and puts
 *             the lesser first where bit k of i is clear: whole vectors where j is one or more, else the
 *             lanes of each.
 * Source      Batcher 1968 */
#define SORT_JOIN__(a, b) a##_##b
#define SORT_JOIN_(a, b) SORT_JOIN__(a, b)
#define SORT_NAME(name) SORT_JOIN_(name, SORT_LANE)
#define SORT_V SORT_VECTOR(SORT_LANE)

/* Whole vectors `apart` vectors from one another; `turn`: the bit of a vector's number that turns it around. */
static inline void SORT_NAME(sort_far_stage)(SORT_V *v, size_t vectors, size_t apart, size_t turn) {
  for (size_t a = 0; a < vectors; a++) {
    if (a & apart) continue;
    const size_t first = a & turn ? a | apart : a, second = a & turn ? a : a | apart;
    const SORT_V x = v[a], y = v[a | apart];
    v[first] = SORT_NAME(lesser)(x, y);
    v[second] = SORT_NAME(greater)(x, y);
  }
}

/* Lanes `apart` from one another; greater: lanes that take the greater one, where the vector is not turned. */
static inline __attribute__((always_inline)) void
SORT_NAME(sort_near_stage)(SORT_V *v, size_t vectors, size_t apart, SORT_V greater, size_t turn) {
  for (size_t a = 0; a < vectors; a++) {
    const SORT_V x = v[a], y = SORT_SWAPS(x, apart);
    const SORT_V take = a & turn ? ~greater : greater;
    v[a] = (SORT_NAME(lesser)(x, y) & ~take) | (SORT_NAME(greater)(x, y) & take);
  }
}

static void SORT_NAME(sort_network)(SORT_LANE *x, size_t n) {
  enum { LANES = VEC_BYTES / sizeof(SORT_LANE), MOST = SORT_NAME(SORT_NETWORK) / LANES };
  SORT_V v[MOST], place;
  size_t vectors = 1;
  while (vectors * LANES < n) vectors *= 2;
  for (size_t i = 0; i < LANES; i++) place[i] = (SORT_LANE)i;
  memset(v, 0xff, vectors * sizeof *v);
  memcpy(v, x, n * sizeof *x);
  for (size_t k = 2; k <= vectors * LANES; k *= 2)
    for (size_t j = k / 2; j > 0; j /= 2) {
      if (j >= LANES) {
        SORT_NAME(sort_far_stage)(v, vectors, j / LANES, k / LANES);
        continue;
      }
      SORT_V take = (SORT_V)((place & (SORT_LANE)j) != 0);
      if (k < LANES) take ^= (SORT_V)((place & (SORT_LANE)k) != 0);
      switch (j) {
      case 1: SORT_NAME(sort_near_stage)(v, vectors, 1, take, k / LANES); break;
      case 2: SORT_NAME(sort_near_stage)(v, vectors, 2, take, k / LANES); break;
      case 4: SORT_NAME(sort_near_stage)(v, vectors, 4, take, k / LANES); break;
      default: SORT_NAME(sort_near_stage)(v, vectors, 8, take, k / LANES); break;
      }
    }
  memcpy(x, v, n * sizeof *x);
}

#undef SORT_V
#undef SORT_NAME
#undef SORT_JOIN_
#undef SORT_JOIN__
#undef SORT_LANE
#undef SORT_SWAPS
