/* chunk_tmpl.h - a chunk's scan from elements of one type to results of that type: rules 2, 4 and 6
 *
 * Parameters  those of op_tmpl.h, which includes it and has the tree
 *             CHUNK_FN(part)       names the functions
 *             CHUNK_E              element type
 *             CHUNK_LOAD(p), CHUNK_STORE(p, v)  a vector of lanes
 *             CHUNK_PACKED         0, or 1: a lane has the room of two elements, and
 *             CHUNK_SPLIT(x, even, odd), CHUNK_JOIN(out, even, odd)  are vectors of such pairs
 *             CHUNK_CANONICAL(x, bytes)  gives NaN its one form
 * Result      CHUNK_FN(format), the table of what op_tmpl.h exports
 * Method      Up the tree, a block of vectors is summed in pairs; the left halves' totals are kept. Down
 *             again, a right half's carry is the left's op the left's total. What goes out is the
 *             exclusive scan: the inclusive one is that, an element further down, and the last of a
 *             chunk, which needs the chunk's total, is the caller's to add. The total is taken on the
 *             way up. A block goes up before the one in front of it goes down, whose carry the
 *             processor then need not wait for.
 *             NaN is looked for once a block, in the right halves' carries: a NaN on their left is in
 *             them, too. */
enum {
  CHUNK_FN(VECTOR) = SCAN_LANES * sizeof(CHUNK_E), /* bytes of elements that lanes are made of */
  CHUNK_FN(PAIRS) = SCAN_LANES / (CHUNK_PACKED ? 1 : 2),    /* of vectors, in a block */
  CHUNK_FN(BYTES) = 2 * CHUNK_FN(PAIRS) * CHUNK_FN(VECTOR), /* of a block */
  CHUNK_FN(BLOCK) = 2 * CHUNK_FN(PAIRS) * SCAN_LANES,
  CHUNK_FN(ALL) = HD_CHUNK_BYTES / sizeof(SCAN_A) * sizeof(CHUNK_E)
};

/* What goes down again; left[n] to left[2 n - 1] are the left halves where n vectors are left. */
struct CHUNK_FN(block) {
  SCAN_V left[2 * CHUNK_FN(PAIRS)];
  struct SCAN_FN(tree) tree;
};

/* The i-th pair of a block: lanes whose index is even and odd in their pairs. */
static inline __attribute__((always_inline)) void CHUNK_FN(get)(const char *x, int i, SCAN_V *even,
                                                                SCAN_V *odd, SCAN_V *column) {
  const char *p = x + (size_t)(2 * i) * CHUNK_FN(VECTOR);
#if CHUNK_PACKED
  CHUNK_SPLIT(p, even, odd);
  const SCAN_V a = *even, b = *odd;
#else
  const SCAN_V a = CHUNK_LOAD(p), b = CHUNK_LOAD(p + CHUNK_FN(VECTOR));
  *even = SCAN_MOVE(even_in16)(a, b), *odd = SCAN_MOVE(odd_in16)(a, b);
#endif
  if (!column) return;
  column += 2 * i % SCAN_FN(COLUMNS);
  column[0] = SCAN_OPV(column[0], a);
  column[1] = SCAN_OPV(column[1], b);
}

static inline __attribute__((always_inline)) void CHUNK_FN(put)(char *out, SCAN_V even,
                                                                SCAN_V odd) {
#if CHUNK_PACKED
  CHUNK_JOIN(out, even, odd);
#else
  CHUNK_STORE(out, SCAN_MOVE(low_in16)(even, odd));
  CHUNK_STORE(out + CHUNK_FN(VECTOR), SCAN_MOVE(high_in16)(even, odd));
#endif
}

/* The same, an element further down, without the first, of which `after` is the next pair's even ones. */
static inline __attribute__((always_inline)) void CHUNK_FN(put_next)(char *out, SCAN_V even,
                                                                     SCAN_V odd, SCAN_V after) {
#if CHUNK_PACKED
  CHUNK_JOIN(out, odd, SCAN_MOVE(next)(even, after));
#else
  (void)after;
  const SCAN_V a = SCAN_MOVE(low_in16)(even, odd), b = SCAN_MOVE(high_in16)(even, odd);
  CHUNK_STORE(out, SCAN_MOVE(next)(a, b));
  CHUNK_STORE(out + CHUNK_FN(VECTOR) - sizeof(CHUNK_E), b);
#endif
}

static inline __attribute__((always_inline)) void
CHUNK_FN(up)(const char *x, struct CHUNK_FN(block) * b, SCAN_V *column) {
  enum { N = CHUNK_FN(PAIRS) };
  SCAN_V t[N];
  SCAN_UNROLL for (int i = 0; i < N; i++) {
    SCAN_V odd;
    CHUNK_FN(get)(x, i, &b->left[N + i], &odd, column);
    t[i] = SCAN_OPV(b->left[N + i], odd);
  }
  if (N >= 16) SCAN_FN(pairs)(t, b->left + N / 2, N / 2);
  if (N >= 8) SCAN_FN(pairs)(t, b->left + 4, 4);
  if (N >= 4) SCAN_FN(pairs)(t, b->left + 2, 2);
  if (N >= 2) SCAN_FN(pairs)(t, b->left + 1, 1);
  SCAN_FN(up)(t[0], &b->tree);
}

/* Where a block's results go past the caches: meanwhile the one before it leaves, and input is fetched. */
static inline __attribute__((always_inline)) void
CHUNK_FN(move_on)(const struct hd_cpu_scan_nontemporal *to, size_t at, size_t i) {
#ifdef VEC_NONTEMPORAL
  enum {
    PAIR = 2 * CHUNK_FN(VECTOR),
    STEP = PAIR > HD_SCAN_LINE ? PAIR : HD_SCAN_LINE,
    BYTES = CHUNK_FN(BYTES)
  };
  if (i * PAIR % STEP) return;
  at += i * PAIR;
  for (size_t line = 0; line < STEP; line += HD_SCAN_LINE)
    __builtin_prefetch(to->ahead + at + line, 0, 2);
  if (at >= BYTES) nontemporal_lines(to->line + at - BYTES, to->stage + at - BYTES, STEP);
#else
  (void)to, (void)at, (void)i;
#endif
}

/* Down from the carry. Results go to out and on, but `shift` bytes further down; first: the first is not to be
 * written. */
static inline __attribute__((always_inline)) void
CHUNK_FN(down)(const struct CHUNK_FN(block) * b, SCAN_A carry, char *out, ptrdiff_t shift,
               bool first, const struct hd_cpu_scan_nontemporal *to, size_t at) {
  enum { N = CHUNK_FN(PAIRS) };
  SCAN_V c[N], before = {0};
  vec_nans nans = {0};
  c[0] = SCAN_FN(down)(&b->tree, carry);
  if (N >= 2) SCAN_FN(halves)(c, b->left + 1, 1);
  if (N >= 4) SCAN_FN(halves)(c, b->left + 2, 2);
  if (N >= 8) SCAN_FN(halves)(c, b->left + 4, 4);
  if (N >= 16) SCAN_FN(halves)(c, b->left + N / 2, N / 2);
  SCAN_UNROLL for (int i = 0; i < N; i++) {
    const SCAN_V right = SCAN_OPV(c[i], b->left[N + i]);
    if (i % 2 || N == 1) nans = SCAN_MOVE(nans)(nans, N == 1 ? right : before, right);
    before = right;
    if (i == 0 && first)
      CHUNK_FN(put_next)(out, c[0], right, c[N > 1]);
    else
      CHUNK_FN(put)(out + 2 * i * CHUNK_FN(VECTOR) - shift, c[i], right);
    if (to) CHUNK_FN(move_on)(to, at, (size_t)i);
  }
  if (nans_any(nans)) {
    const size_t skip = first ? sizeof(CHUNK_E) : 0;
    CHUNK_CANONICAL(out + ((ptrdiff_t)skip - shift), CHUNK_FN(BYTES) - skip);
  }
}

/* ---- what is no block ----------------------------------------------------------------------- */

static inline SCAN_V CHUNK_FN(load_some)(const char *x, size_t lanes) {
  char room[CHUNK_FN(VECTOR)] = {0};
  if (lanes == SCAN_LANES) return CHUNK_LOAD(x);
  memcpy(room, x, lanes * sizeof(CHUNK_E));
  return CHUNK_LOAD(room);
}
static inline void CHUNK_FN(store_some)(char *out, SCAN_V v, size_t lanes) {
  char room[CHUNK_FN(VECTOR)];
  if (lanes == SCAN_LANES) {
    CHUNK_STORE(out, v);
    return;
  }
  CHUNK_STORE(room, v);
  memcpy(out, room, lanes * sizeof(CHUNK_E));
}

/* Fewer elements than a block, vector by vector. */
static inline void CHUNK_FN(rest)(const char *x, char *out, size_t n, SCAN_A carry,
                                  bool exclusive) {
  struct SCAN_FN(counter) k;
  k.start = carry;
  k.count = 0;
  for (size_t e = 0; e < n; e += SCAN_LANES) {
    const size_t lanes = n - e < SCAN_LANES ? n - e : SCAN_LANES;
    struct SCAN_FN(tree) tree;
    SCAN_FN(up)(CHUNK_FN(load_some)(x + e * sizeof(CHUNK_E), lanes), &tree);
    SCAN_V c = SCAN_FN(down)(&tree, carry);
    carry = SCAN_FN(next_carry)(&k, k.count++, tree.total);
    if (!exclusive) c = SCAN_MOVE(next)(c, SCAN_SPLAT(carry));
    CHUNK_FN(store_some)(out + e * sizeof(CHUNK_E), SCAN_CLEAN(c), lanes);
  }
}

static void CHUNK_FN(last)(const void *carry, void *out) {
  SCAN_A c;
  memcpy(&c, carry, sizeof c);
  CHUNK_FN(store_some)(out, SCAN_CLEAN(SCAN_SPLAT(c)), 1);
}

/* ---- a chunk ------------------------------------------------------------------------------- */

/* The vectors of a chunk's first block go to the columns' first ones; so do those of every block, unless a row is
 * longer. */
static inline SCAN_V *CHUNK_FN(column)(SCAN_V *column, size_t at) {
  return column + at / CHUNK_FN(VECTOR) % SCAN_FN(COLUMNS);
}

static inline __attribute__((always_inline)) void CHUNK_FN(any)(const char *x, char *out, size_t n,
                                                                const void *prefix, void *total,
                                                                bool exclusive, bool totals) {
  enum { BYTES = CHUNK_FN(BYTES) };
  const size_t shift = exclusive ? 0 : sizeof(CHUNK_E), end = n / CHUNK_FN(BLOCK) * BYTES;
  struct SCAN_FN(counter) k;
  struct CHUNK_FN(block) block[2];
  SCAN_V column[SCAN_FN(COLUMNS)];
  SCAN_A carry;
  memcpy(&carry, prefix, sizeof carry);
  k.start = carry;
  k.count = 0;
  if (totals) SCAN_FN(columns_start)(column);
  if (end) CHUNK_FN(up)(x, &block[0], totals ? column : NULL);
  for (size_t at = 0; at < end; at += BYTES) {
    const struct CHUNK_FN(block) *b = &block[at / BYTES % 2];
    if (at + BYTES < end) CHUNK_FN(up)
    (x + at + BYTES, &block[(at / BYTES + 1) % 2],
     totals ? CHUNK_FN(column)(column, at + BYTES) : NULL);
    const SCAN_A behind = SCAN_FN(next_carry)(&k, k.count++, b->tree.total);
    CHUNK_FN(down)(b, carry, out + at, (ptrdiff_t)shift, shift && !at, NULL, 0);
    carry = behind;
  }
  if (totals) SCAN_FN(columns_end)(column, CHUNK_PACKED, total);
  if (n == SCAN_FN(CHUNK)) return;
  if (end && shift) CHUNK_FN(last)(&carry, out + end - shift);
  const size_t done = end / sizeof(CHUNK_E);
  CHUNK_FN(rest)(x + end, out + end, n - done, carry, exclusive);
}

static void CHUNK_FN(scan)(const void *x, void *out, size_t n, const void *prefix, void *total,
                           bool exclusive) {
  if (total)
    CHUNK_FN(any)(x, out, n, prefix, total, exclusive, true);
  else
    CHUNK_FN(any)(x, out, n, prefix, total, exclusive, false);
}

/* ---- a full chunk past the caches ------------------------------------------------------------ */

#ifdef VEC_NONTEMPORAL
/* Lines follow the scan at a block's distance: a line whose stores are still on their way to the
 * cache could not be read back at once. Input is fetched ahead line by line, too, so that reads,
 * arithmetic and writes overlap. */
static void CHUNK_FN(past_caches)(const void *x, const struct hd_cpu_scan_nontemporal *to,
                                  const void *prefix, void *total) {
  enum { BYTES = CHUNK_FN(BYTES), END = CHUNK_FN(ALL) };
  struct SCAN_FN(counter) k;
  struct CHUNK_FN(block) block[2];
  SCAN_V column[SCAN_FN(COLUMNS)];
  SCAN_A carry;
  memcpy(&carry, prefix, sizeof carry);
  k.start = carry;
  k.count = 0;
  SCAN_FN(columns_start)(column);
  CHUNK_FN(up)(x, &block[0], column);
  for (size_t at = 0; at < END; at += BYTES) {
    const struct CHUNK_FN(block) *b = &block[at / BYTES % 2];
    if (at + BYTES < END) CHUNK_FN(up)
    ((const char *)x + at + BYTES, &block[(at / BYTES + 1) % 2],
     CHUNK_FN(column)(column, at + BYTES));
    const SCAN_A behind = SCAN_FN(next_carry)(&k, k.count++, b->tree.total);
    CHUNK_FN(down)(b, carry, to->stage + to->skip + at, 0, false, to, at);
    carry = behind;
  }
  nontemporal_lines(to->line + END - BYTES, to->stage + END - BYTES, BYTES);
  SCAN_FN(columns_end)(column, CHUNK_PACKED, total);
}
#define CHUNK_PAST_CACHES CHUNK_FN(past_caches)
#else
#define CHUNK_PAST_CACHES NULL
#endif

static const struct hd_cpu_scan_format CHUNK_FN(format) = {CHUNK_FN(scan), CHUNK_PAST_CACHES,
                                                           CHUNK_FN(last)};

#undef CHUNK_PAST_CACHES
#undef CHUNK_FN
#undef CHUNK_E
#undef CHUNK_LOAD
#undef CHUNK_STORE
#undef CHUNK_PACKED
#undef CHUNK_SPLIT
#undef CHUNK_JOIN
#undef CHUNK_CANONICAL
