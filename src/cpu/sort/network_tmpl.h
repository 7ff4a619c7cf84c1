/* network_tmpl.h - sorts a few hundred keys that are items of their own, in vectors; included once a lane
 *
 * Parameters  SORT_LANE    u32 or u64
 *             SORT_LANES   of a vector, a literal
 * Result      sort_network_LANE(x, n), n <= SORT_NETWORK_LANE: x[0] <= x[1] <= ..; not stable, which equal
 *             keys do not show.
 * Method      Filled up with the greatest key to 1, 2, 4, 8, 16 or 32 vectors, the rows of a matrix whose columns
 *             are sorted by a network of row with row. Then bitonic merges make one column of two, until
 *             one is left that runs down all columns: the first step of a merge compares the one column
 *             with the other turned around, the next ones lanes, then rows. Perfect shuffles turn the
 *             matrix, so that the sequence lies in memory.
 * Source      Batcher 1968; the network of 16 rows, of 60 comparisons, Green 1969 */
#define SORT_JOIN__(a, b) a##_##b
#define SORT_JOIN_(a, b) SORT_JOIN__(a, b)
#define SORT_NAME(name) SORT_JOIN_(name, SORT_LANE)
#define SORT_V SORT_VECTOR(SORT_LANE)
#define SORT_LIST SORT_JOIN_(SORT_LIST, SORT_LANES)
#define SORT_ALWAYS static inline __attribute__((always_inline))

/* Lanes i and i ^ bits of a vector exchanged. */
#define SORT_TURNED(bits) \
  case bits: return __builtin_shufflevector(v, v, SORT_LIST(SORT_TURN, bits));
SORT_ALWAYS SORT_V SORT_NAME(sort_turned)(SORT_V v, int bits) {
  switch (bits) {
    SORT_TURNED(1)
#if SORT_LANES >= 4
    SORT_TURNED(2)
    SORT_TURNED(3)
#endif
#if SORT_LANES >= 8
    SORT_TURNED(4)
    SORT_TURNED(7)
#endif
#if SORT_LANES >= 16
    SORT_TURNED(8)
    SORT_TURNED(15)
#endif
  default: return v;
  }
}

/* The lesser of v and of `other`, in lanes that have `bit` the greater. */
#define SORT_EXCHANGED(bit) \
  case bit: return __builtin_shufflevector(low, high, SORT_LIST(SORT_TAKE, bit));
SORT_ALWAYS SORT_V SORT_NAME(sort_exchanged)(SORT_V v, SORT_V other, int bit) {
  const SORT_V low = SORT_NAME(sort_lesser)(v, other), high = SORT_NAME(sort_greater)(v, other);
  switch (bit) {
    SORT_EXCHANGED(1)
#if SORT_LANES >= 4
    SORT_EXCHANGED(2)
#endif
#if SORT_LANES >= 8
    SORT_EXCHANGED(4)
#endif
#if SORT_LANES >= 16
    SORT_EXCHANGED(8)
#endif
  default: return low;
  }
}

/* Rows i and j: the lesser ones in row i. */
SORT_ALWAYS void SORT_NAME(sort_order)(SORT_V *v, int i, int j) {
  const SORT_V x = v[i], y = v[j];
  v[i] = SORT_NAME(sort_lesser)(x, y);
  v[j] = SORT_NAME(sort_greater)(x, y);
}

/* Two times 16 rows in order to 32, by the odd-even merge. */
SORT_ALWAYS void SORT_NAME(sort_odd_even)(SORT_V *v, int apart) {
  SORT_UNROLL
  for (int r = 0; r + apart < 32; r++)
    if (apart == 16 || (r & apart)) SORT_NAME(sort_order)(v, r, r + apart);
}

#define SORT_O4(a, b, c, d, e, f, g, h) SORT_NAME(sort_order_four)(v, a, b, c, d, e, f, g, h)
SORT_ALWAYS void SORT_NAME(sort_order_four)(SORT_V *v, int a, int b, int c, int d, int e, int f,
                                            int g, int h) {
  SORT_NAME(sort_order)(v, a, b);
  SORT_NAME(sort_order)(v, c, d);
  SORT_NAME(sort_order)(v, e, f);
  SORT_NAME(sort_order)(v, g, h);
}

SORT_ALWAYS void SORT_NAME(sort_columns)(SORT_V *v, int rows) {
  switch (rows) {
  case 2: SORT_NAME(sort_order)(v, 0, 1); break;
  case 4:
    SORT_O4(0, 1, 2, 3, 0, 2, 1, 3);
    SORT_NAME(sort_order)(v, 1, 2);
    break;
  case 8:
    SORT_O4(0, 1, 2, 3, 4, 5, 6, 7);
    SORT_O4(0, 2, 1, 3, 4, 6, 5, 7);
    SORT_O4(1, 2, 5, 6, 0, 4, 1, 5);
    SORT_O4(2, 6, 3, 7, 2, 4, 3, 5);
    SORT_NAME(sort_order)(v, 1, 2);
    SORT_NAME(sort_order)(v, 3, 4);
    SORT_NAME(sort_order)(v, 5, 6);
    break;
  case 16:
    SORT_O4(0, 1, 2, 3, 4, 5, 6, 7);
    SORT_O4(8, 9, 10, 11, 12, 13, 14, 15);
    SORT_O4(0, 2, 4, 6, 8, 10, 12, 14);
    SORT_O4(1, 3, 5, 7, 9, 11, 13, 15);
    SORT_O4(0, 4, 8, 12, 1, 5, 9, 13);
    SORT_O4(2, 6, 10, 14, 3, 7, 11, 15);
    SORT_O4(0, 8, 1, 9, 2, 10, 3, 11);
    SORT_O4(4, 12, 5, 13, 6, 14, 7, 15);
    SORT_O4(5, 10, 6, 9, 3, 12, 13, 14);
    SORT_O4(7, 11, 4, 8, 1, 2, 1, 4);
    SORT_O4(7, 13, 2, 8, 11, 14, 2, 4);
    SORT_O4(5, 6, 9, 10, 11, 13, 3, 8);
    SORT_O4(7, 12, 6, 8, 10, 12, 3, 5);
    SORT_O4(7, 9, 3, 4, 5, 6, 7, 8);
    SORT_O4(9, 10, 11, 12, 6, 7, 8, 9);
    break;
  default: break;
  }
}

/* Lanes `bit` from one another. */
SORT_ALWAYS void SORT_NAME(sort_lane_step)(SORT_V *v, int rows, int bit) {
  SORT_UNROLL
  for (int r = 0; r < rows; r++)
    v[r] = SORT_NAME(sort_exchanged)(v[r], SORT_NAME(sort_turned)(v[r], bit), bit);
}

/* Rows `apart` from one another. */
SORT_ALWAYS void SORT_NAME(sort_across)(SORT_V *v, int rows, int apart) {
  SORT_UNROLL
  for (int r = 0; r < rows; r++)
    if (!(r & apart)) SORT_NAME(sort_order)(v, r, r | apart);
}

/* Columns of `wide` lanes each, in order: pairs of neighbouring ones become one. */
SORT_ALWAYS void SORT_NAME(sort_merge)(SORT_V *v, int rows, int wide) {
  SORT_UNROLL
  for (int r = 0; r < (rows + 1) / 2; r++) {
    const SORT_V x = v[r], y = v[rows - 1 - r];
    const SORT_V turned = SORT_NAME(sort_turned)(x, 2 * wide - 1);
    v[r] = SORT_NAME(sort_exchanged)(x, SORT_NAME(sort_turned)(y, 2 * wide - 1), wide);
    if (rows > 1) v[rows - 1 - r] = SORT_NAME(sort_exchanged)(y, turned, wide);
  }
  if (wide > 4) SORT_NAME(sort_lane_step)(v, rows, 4);
  if (wide > 2) SORT_NAME(sort_lane_step)(v, rows, 2);
  if (wide > 1) SORT_NAME(sort_lane_step)(v, rows, 1);
  if (rows > 16) SORT_NAME(sort_across)(v, rows, 16);
  if (rows > 8) SORT_NAME(sort_across)(v, rows, 8);
  if (rows > 4) SORT_NAME(sort_across)(v, rows, 4);
  if (rows > 2) SORT_NAME(sort_across)(v, rows, 2);
  if (rows > 1) SORT_NAME(sort_across)(v, rows, 1);
}

/* One perfect shuffle of all rows. */
SORT_ALWAYS void SORT_NAME(sort_shuffle)(SORT_V *v, int rows) {
  SORT_V w[32];
  SORT_UNROLL
  for (int r = 0; r < rows / 2; r++) {
    w[2 * r] = __builtin_shufflevector(v[r], v[r + rows / 2], SORT_LIST(SORT_ZIP, 0));
    w[2 * r + 1] = __builtin_shufflevector(v[r], v[r + rows / 2], SORT_LIST(SORT_ZIP, SORT_LANES));
  }
  SORT_UNROLL
  for (int r = 0; r < rows; r++) v[r] = w[r];
}

SORT_ALWAYS void SORT_NAME(sort_matrix)(SORT_V *v, int rows) {
  SORT_NAME(sort_columns)(v, rows < 16 ? rows : 16);
  if (rows > 16) {
    SORT_NAME(sort_columns)(v + 16, 16);
    SORT_NAME(sort_odd_even)(v, 16);
    SORT_NAME(sort_odd_even)(v, 8);
    SORT_NAME(sort_odd_even)(v, 4);
    SORT_NAME(sort_odd_even)(v, 2);
    SORT_NAME(sort_odd_even)(v, 1);
  }
  SORT_NAME(sort_merge)(v, rows, 1);
#if SORT_LANES >= 4
  SORT_NAME(sort_merge)(v, rows, 2);
#endif
#if SORT_LANES >= 8
  SORT_NAME(sort_merge)(v, rows, 4);
#endif
#if SORT_LANES >= 16
  SORT_NAME(sort_merge)(v, rows, 8);
#endif
  if (rows > 1) SORT_NAME(sort_shuffle)(v, rows); /* from down the columns to along the rows */
  if (rows > 2) SORT_NAME(sort_shuffle)(v, rows);
  if (rows > 4) SORT_NAME(sort_shuffle)(v, rows);
  if (rows > 8) SORT_NAME(sort_shuffle)(v, rows);
  if (rows > 16) SORT_NAME(sort_shuffle)(v, rows);
}

/* n keys in so many rows. */
SORT_ALWAYS void SORT_NAME(sort_rows)(SORT_LANE *x, size_t n, int rows) {
  SORT_V v[32];
  SORT_UNROLL
  for (int r = 0; r < rows; r++) v[r] = SORT_NAME(sort_some)(x, n, (size_t)r * SORT_LANES);
  SORT_NAME(sort_matrix)(v, rows);
  SORT_UNROLL
  for (int r = 0; r < rows; r++) SORT_NAME(sort_some_back)(x, n, (size_t)r * SORT_LANES, v[r]);
}

/* The key that half of a vector's lanes are below. */
static inline SORT_LANE SORT_NAME(sort_middle_lane)(SORT_V v) {
  SORT_NAME(sort_matrix)(&v, 1);
  return v[SORT_LANES / 2] ^ SORT_NAME(SORT_BIAS);
}

static void SORT_NAME(sort_network)(SORT_LANE *x, size_t n) {
  const size_t vectors = (n + SORT_LANES - 1) / SORT_LANES;
  if (vectors <= 1)
    SORT_NAME(sort_rows)(x, n, 1);
  else if (vectors <= 2)
    SORT_NAME(sort_rows)(x, n, 2);
  else if (vectors <= 4)
    SORT_NAME(sort_rows)(x, n, 4);
  else if (vectors <= 8)
    SORT_NAME(sort_rows)(x, n, 8);
  else if (SORT_NAME(SORT_NETWORK) <= 16 * SORT_LANES || vectors <= 16)
    SORT_NAME(sort_rows)(x, n, 16);
  else
    SORT_NAME(sort_rows)(x, n, 32);
}

#undef SORT_O4
#undef SORT_TURNED
#undef SORT_EXCHANGED
#undef SORT_LIST
#undef SORT_V
#undef SORT_NAME
#undef SORT_JOIN_
#undef SORT_JOIN__
#undef SORT_LANE
#undef SORT_LANES
