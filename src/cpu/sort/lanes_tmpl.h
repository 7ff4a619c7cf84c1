/* lanes_tmpl.h - sorts many short rows at once, a row a lane; included once a lane
 *
 * Parameters  SORT_LANE   u32 or u64
 * Result      sort_lanes_LANE(lines, n): of each of HD_SORT_ROWS lanes, lines[0] <= lines[1] <= .. lines[n - 1]
 * Method      Batcher's merge exchange, whose comparisons do not depend on keys
 * Source      Knuth, The Art of Computer Programming 3, 5.2.2, algorithm M */
#define SORT_JOIN__(a, b) a##_##b
#define SORT_JOIN_(a, b) SORT_JOIN__(a, b)
#define SORT_NAME(name) SORT_JOIN_(name, SORT_LANE)
#define SORT_V SORT_VECTOR(SORT_LANE)

static inline void SORT_NAME(sort_order_lines)(SORT_LANE *x, SORT_LANE *y) {
  enum { LANES = VEC_BYTES / sizeof(SORT_LANE) };
  SORT_UNROLL
  for (size_t k = 0; k < HD_SORT_ROWS; k += LANES) {
    SORT_V a, b;
    memcpy(&a, x + k, sizeof a);
    memcpy(&b, y + k, sizeof b);
    const SORT_V low = SORT_NAME(sort_lesser)(a, b), high = SORT_NAME(sort_greater)(a, b);
    memcpy(x + k, &low, sizeof low);
    memcpy(y + k, &high, sizeof high);
  }
}

static void SORT_NAME(sort_lanes)(SORT_LANE *lines, size_t n) {
  size_t most = 1;
  while (2 * most < n) most *= 2;
  for (size_t p = most; n > 1 && p > 0; p /= 2) {
    size_t apart = p, r = 0;
    for (size_t q = most;; q /= 2) {
      for (size_t i = 0; i + apart < n; i++)
        if ((i & p) == r)
          SORT_NAME(sort_order_lines)(lines + i * HD_SORT_ROWS, lines + (i + apart) * HD_SORT_ROWS);
      if (q == p) break;
      apart = q - p;
      r = p;
    }
  }
}

#undef SORT_V
#undef SORT_NAME
#undef SORT_JOIN_
#undef SORT_JOIN__
#undef SORT_LANE
