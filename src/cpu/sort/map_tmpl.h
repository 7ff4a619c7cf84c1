/* map_tmpl.h - elements of one width to keys, and back; included once a width
 *
 * Parameters  SORT_U    the unsigned integer of an element's bits
 *             SORT_KEY  the unsigned integer of a key, u32 or u64
 *             SORT_FLOATS  1 if there are floats of that width
 * Method      An integer's key is its bits with some of them flipped. A float's: negative numbers have
 *             all bits flipped, others the sign; then one addition, modulo 2^width, moves the NaN of one
 *             sign to those of the other. */
#define SORT_JOIN__(a, b) a##_##b
#define SORT_JOIN_(a, b) SORT_JOIN__(a, b)
#define SORT_NAME(name) SORT_JOIN_(name, SORT_U)
enum { SORT_NAME(sort_top) = 8 * sizeof(SORT_U) - 1 };

static inline SORT_U SORT_NAME(sort_at)(const char *raw, size_t i) {
  SORT_U x;
  memcpy(&x, raw + i * sizeof x, sizeof x);
  return x;
}

/* n elements `step` bytes apart, as neighbours: where they lie, or in `room`. */
static const char *SORT_NAME(sort_tight)(const char *x, i64 step, size_t n, char *room) {
  if (step == (i64)sizeof(SORT_U)) return x;
  for (size_t i = 0; i < n; i++)
    memcpy(room + i * sizeof(SORT_U), x + (i64)i * step, sizeof(SORT_U));
  return room;
}

static void SORT_NAME(sort_load)(const struct hd_cpu_sort_io *io, size_t first, size_t n,
                                 SORT_KEY *keys) {
  char room[HD_SORT_BLOCK * sizeof(SORT_U)];
  const char *raw =
      SORT_NAME(sort_tight)(io->keys + (i64)first * io->keys_step, io->keys_step, n, room);
  const SORT_U flip = (SORT_U)io->map.flip, turn = (SORT_U)io->map.turn;
  const SORT_U sign = (SORT_U)((SORT_U)1 << SORT_NAME(sort_top));
  if (!io->map.is_float) {
    for (size_t i = 0; i < n; i++) keys[i] = (SORT_U)(SORT_NAME(sort_at)(raw, i) ^ flip);
  } else if (!io->canonical) {
    for (size_t i = 0; i < n; i++) {
      const SORT_U x = SORT_NAME(sort_at)(raw, i);
      const SORT_U negative = (SORT_U)(0 - (x >> SORT_NAME(sort_top)));
      keys[i] = (SORT_U)((SORT_U)(x ^ (SORT_U)(negative | sign) ^ flip) + turn);
    }
  } else {
    const SORT_U infinity = (SORT_U)io->map.infinity, nan = (SORT_U)(infinity + 1);
    for (size_t i = 0; i < n; i++) {
      SORT_U x = SORT_NAME(sort_at)(raw, i);
      x = (SORT_U)(x & (SORT_U)~sign) > infinity ? nan : x;
      x = x == sign ? 0 : x;
      const SORT_U negative = (SORT_U)(0 - (x >> SORT_NAME(sort_top)));
      keys[i] = (SORT_U)((SORT_U)(x ^ (SORT_U)(negative | sign) ^ flip) + turn);
    }
  }
}

static inline SORT_U SORT_NAME(sort_back)(const struct hd_sort_map *map, SORT_U key) {
  const SORT_U sign = (SORT_U)((SORT_U)1 << SORT_NAME(sort_top));
  if (!map->is_float) return (SORT_U)(key ^ (SORT_U)map->flip);
  key = (SORT_U)((SORT_U)(key - (SORT_U)map->turn) ^ (SORT_U)map->flip);
  const SORT_U negative = (SORT_U)((SORT_U)(key >> SORT_NAME(sort_top)) - 1);
  return (SORT_U)(key ^ (SORT_U)(negative | sign));
}

/* Elements from keys, or with `as_they_are` from their own bits; keys may lie where elements go. */
static void SORT_NAME(sort_store)(const struct hd_cpu_sort_io *io, size_t first, size_t n,
                                  const SORT_KEY *keys, bool as_they_are) {
  SORT_U raw[HD_SORT_BLOCK];
  char *out = io->keys_out + (i64)first * io->keys_out_step;
  if (as_they_are)
    for (size_t i = 0; i < n; i++) raw[i] = (SORT_U)keys[i];
  else
    for (size_t i = 0; i < n; i++) raw[i] = SORT_NAME(sort_back)(&io->map, (SORT_U)keys[i]);
  if (io->keys_out_step == (i64)sizeof(SORT_U)) {
    memcpy(out, raw, n * sizeof(SORT_U));
    return;
  }
  for (size_t i = 0; i < n; i++) memcpy(out + (i64)i * io->keys_out_step, &raw[i], sizeof(SORT_U));
}

#if SORT_FLOATS
static bool SORT_NAME(sort_special)(const struct hd_cpu_sort_io *io, size_t first, size_t n) {
  char room[HD_SORT_BLOCK * sizeof(SORT_U)];
  const char *raw =
      SORT_NAME(sort_tight)(io->keys + (i64)first * io->keys_step, io->keys_step, n, room);
  const SORT_U sign = (SORT_U)((SORT_U)1 << SORT_NAME(sort_top));
  const SORT_U infinity = (SORT_U)io->map.infinity;
  SORT_U found = 0;
  for (size_t i = 0; i < n; i++) {
    const SORT_U x = SORT_NAME(sort_at)(raw, i);
    found |= (SORT_U)((SORT_U)(x & (SORT_U)~sign) > infinity) | (SORT_U)(x == sign);
  }
  return found != 0;
}
#endif

#undef SORT_NAME
#undef SORT_JOIN_
#undef SORT_JOIN__
#undef SORT_U
#undef SORT_KEY
#undef SORT_FLOATS
