/* sort_lanes.h - what networks and quicksort take of vectors: lists of lanes, lesser and greater keys, loads of
 * less than a vector
 *
 * SORT_LIST_N(F, b): F(i, b, N) for each of N lanes, for __builtin_shufflevector. */
#define SORT_TWO_(F, i, b, n) F((i), b, n), F((i) + 1, b, n)
#define SORT_FOUR_(F, i, b, n) SORT_TWO_(F, i, b, n), SORT_TWO_(F, (i) + 2, b, n)
#define SORT_EIGHT_(F, i, b, n) SORT_FOUR_(F, i, b, n), SORT_FOUR_(F, (i) + 4, b, n)
#define SORT_LIST_2(F, b) SORT_TWO_(F, 0, b, 2)
#define SORT_LIST_4(F, b) SORT_FOUR_(F, 0, b, 4)
#define SORT_LIST_8(F, b) SORT_EIGHT_(F, 0, b, 8)
#define SORT_LIST_16(F, b) SORT_EIGHT_(F, 0, b, 16), SORT_EIGHT_(F, 8, b, 16)

/* Of a vector and itself: lane i ^ bits. Of two: the first's lanes without `bit`, the second's with it; from
 * lane `from` / 2 on, lanes of both in turn. */
#define SORT_TURN(i, bits, n) ((i) ^ (bits))
#define SORT_TAKE(i, bit, n) ((i) & (bit) ? (i) + (n) : (i))
#define SORT_ZIP(i, from, n) ((i) / 2 + (from) / 2 + ((i)&1 ? (n) : 0))

/* A loop over rows, of which a compiler knows how many there are. */
#ifdef __clang__
#define SORT_UNROLL _Pragma("unroll")
#elif defined __OPTIMIZE__
#define SORT_UNROLL _Pragma("GCC unroll 32")
#else /* where the compiler would say that it does not */
#define SORT_UNROLL
#endif

/* Sets that compare signed lanes alone do so with the sign turned over on the way in and out. */
#ifdef VEC_SIGNED_ORDER
#define SORT_BIAS_u64 ((u64)1 << 63)
static inline vu64 sort_lesser_u64(vu64 a, vu64 b) { return (vu64)lesser_i64((vi64)a, (vi64)b); }
static inline vu64 sort_greater_u64(vu64 a, vu64 b) { return (vu64)greater_i64((vi64)a, (vi64)b); }
#else
#define SORT_BIAS_u64 ((u64)0)
static inline vu64 sort_lesser_u64(vu64 a, vu64 b) { return lesser_u64(a, b); }
static inline vu64 sort_greater_u64(vu64 a, vu64 b) { return greater_u64(a, b); }
#endif
#define SORT_BIAS_u32 ((u32)0)
static inline vu32 sort_lesser_u32(vu32 a, vu32 b) { return lesser_u32(a, b); }
static inline vu32 sort_greater_u32(vu32 a, vu32 b) { return greater_u32(a, b); }

#ifndef VEC_HAS_SOME
/* The first n lanes; in the others all bits, or nothing is written. */
static inline vu32 load_some_u32(const u32 *x, size_t n) {
  vu32 v = ~(vu32){0};
  memcpy(&v, x, n * sizeof *x);
  return v;
}
static inline vu64 load_some_u64(const u64 *x, size_t n) {
  vu64 v = ~(vu64){0};
  memcpy(&v, x, n * sizeof *x);
  return v;
}
static inline void store_some_u32(u32 *x, size_t n, vu32 v) { memcpy(x, &v, n * sizeof *x); }
static inline void store_some_u64(u64 *x, size_t n, vu64 v) { memcpy(x, &v, n * sizeof *x); }
#endif

/* Keys at x + at, as far as there are n of them at x, then the greatest one; and back. */
static inline vu32 sort_some_u32(const u32 *x, size_t n, size_t at) {
  vu32 v = ~(vu32){0};
  if (at + sizeof v / sizeof *x <= n)
    memcpy(&v, x + at, sizeof v);
  else if (at < n)
    v = load_some_u32(x + at, n - at);
  return v;
}
static inline void sort_some_back_u32(u32 *x, size_t n, size_t at, vu32 v) {
  if (at + sizeof v / sizeof *x <= n)
    memcpy(x + at, &v, sizeof v);
  else if (at < n)
    store_some_u32(x + at, n - at, v);
}
static inline vu64 sort_some_u64(const u64 *x, size_t n, size_t at) {
  vu64 v = ~(vu64){0};
  if (at + sizeof v / sizeof *x <= n)
    memcpy(&v, x + at, sizeof v);
  else if (at < n)
    v = load_some_u64(x + at, n - at);
  return v ^ SORT_BIAS_u64;
}
static inline void sort_some_back_u64(u64 *x, size_t n, size_t at, vu64 v) {
  v ^= SORT_BIAS_u64;
  if (at + sizeof v / sizeof *x <= n)
    memcpy(x + at, &v, sizeof v);
  else if (at < n)
    store_some_u64(x + at, n - at, v);
}
