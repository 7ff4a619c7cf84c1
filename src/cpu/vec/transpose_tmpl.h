/* transpose_tmpl.h - transpose_T: short rows made lines, for elements of one size
 *
 * Parameters  TRANSPOSE_T      u8, u16, u32 or u64
 *             TRANSPOSE_LANES  16 bytes of them, a literal
 *             TRANSPOSE_LOW, TRANSPOSE_HIGH  a0 b0 a1 b1 ..: the first and the second half of that, as an
 *                              index list
 * Method      Rows of 2, 3 and 4 elements that lie one behind the other by loops of fixed length, which
 *             compilers make shuffles of. Others by square blocks of 16-byte vectors, interleaved once a
 *             doubling; what is left of rows and of elements one by one.
 * Limits      Nothing outside the rows is read. Any alignment. */
#define TRANSPOSE_CAT_(a, b) a##b
#define TRANSPOSE_CAT(a, b) TRANSPOSE_CAT_(a, b)
#define TRANSPOSE_FN(part) TRANSPOSE_CAT(TRANSPOSE_CAT(transpose_, part), TRANSPOSE_T)
#define TRANSPOSE_E TRANSPOSE_CAT(transpose_element_, TRANSPOSE_T)

typedef TRANSPOSE_T TRANSPOSE_E __attribute__((aligned(1), may_alias));

static inline void TRANSPOSE_FN(rows_)(const TRANSPOSE_E *restrict x, size_t count, size_t n,
                                       TRANSPOSE_E *restrict y, size_t width) {
  for (size_t r = 0; r < count; r++)
    for (size_t e = 0; e < n; e++) y[e * width + r] = x[r * n + e];
}

/* Elements [e, n) of rows [r, count). */
static inline void TRANSPOSE_FN(rest_)(const char *rows, i64 pitch, size_t r, size_t count,
                                       size_t e, size_t n, char *lines, size_t width) {
  for (; e < n; e++) {
    TRANSPOSE_E *to = (TRANSPOSE_E *)lines + e * width;
    for (size_t i = r; i < count; i++)
      to[i] = *(const TRANSPOSE_E *)(rows + (i64)i * pitch + (i64)(e * sizeof(TRANSPOSE_T)));
  }
}

/* One square block. */
static inline void TRANSPOSE_FN(block_)(const char *rows, i64 pitch, char *lines, size_t width) {
  typedef TRANSPOSE_T vector __attribute__((vector_size(16)));
  enum { L = TRANSPOSE_LANES };
  vector v[L], w[L];
  for (int i = 0; i < L; i++) memcpy(&v[i], rows + i * pitch, sizeof v[i]);
  for (int h = L; h > 1; h /= 2) {
    for (int i = 0; i < L / 2; i++) {
      w[2 * i] = __builtin_shufflevector(v[i], v[i + L / 2], TRANSPOSE_LOW);
      w[2 * i + 1] = __builtin_shufflevector(v[i], v[i + L / 2], TRANSPOSE_HIGH);
    }
    for (int i = 0; i < L; i++) v[i] = w[i];
  }
  for (size_t i = 0; i < L; i++) memcpy(lines + i * width * sizeof(TRANSPOSE_T), &v[i], 16);
}

/* The rows that come some way behind the next `count` ones, while these are worked on: processors fetch
 * ahead of one run, but not while its lines are folded. Always inline: a function that only fetches has no
 * effect for a compiler. */
static inline __attribute__((always_inline)) void TRANSPOSE_FN(ahead_)(const char *rows, i64 pitch,
                                                                       size_t count, size_t bytes) {
  enum { AHEAD = 8192, LINE = 64 };
  const int one = pitch == (i64)bytes; /* a run */
  for (size_t r = 0; r < (one ? 1 : count); r++)
    for (size_t b = 0; b < (one ? count * bytes : bytes); b += LINE)
      __builtin_prefetch(rows + AHEAD + (i64)r * pitch + (i64)b);
}

static void TRANSPOSE_FN()(const void *rows, i64 pitch, size_t count, size_t n, void *lines,
                           size_t width) {
  enum { L = TRANSPOSE_LANES };
  const char *x = rows;
  char *y = lines;
  if (pitch == (i64)(n * sizeof(TRANSPOSE_T)) && n >= 2 && n <= 4) {
    if (n == 2) TRANSPOSE_FN(rows_)(rows, count, 2, lines, width);
    if (n == 3) TRANSPOSE_FN(rows_)(rows, count, 3, lines, width);
    if (n == 4) TRANSPOSE_FN(rows_)(rows, count, 4, lines, width);
    return;
  }
  const size_t squares = n / L * L, blocks = count / L * L;
  for (size_t r = 0; r < blocks; r += L) {
    const char *from = x + (i64)r * pitch;
    TRANSPOSE_FN(ahead_)(from, pitch, L, n * sizeof(TRANSPOSE_T));
    for (size_t e = 0; e < squares; e += L) TRANSPOSE_FN(block_)
    (from + e * sizeof(TRANSPOSE_T), pitch, y + (e * width + r) * sizeof(TRANSPOSE_T), width);
  }
  TRANSPOSE_FN(rest_)(x, pitch, blocks, count, 0, squares, y, width);
  TRANSPOSE_FN(rest_)(x, pitch, 0, count, squares, n, y, width);
}

#undef TRANSPOSE_CAT_
#undef TRANSPOSE_CAT
#undef TRANSPOSE_FN
#undef TRANSPOSE_E
#undef TRANSPOSE_T
#undef TRANSPOSE_LANES
#undef TRANSPOSE_LOW
#undef TRANSPOSE_HIGH
