/* make_tmpl.h - count_I_P, place_I_P, part_I_P: ids of one unsigned type, positions of another
 *
 * Parameters MAKE_I u32 or u64, of ids; MAKE_P u32 or u64, of positions and counts; MAKE_PAIR a struct of two */
#define MAKE_NAME__(name, i, p) name##_##i##_##p
#define MAKE_NAME_(name, i, p) MAKE_NAME__(name, i, p)
#define MAKE_NAME(name) MAKE_NAME_(name, MAKE_I, MAKE_P)

/* counts[id >> shift]++ for ids first .. first + n, which are checked: the first that is not below the limit, or
 * n. */
static size_t MAKE_NAME(count)(const struct hd_cpu_ids *ids, size_t first, size_t n, u32 shift,
                               void *table) {
  const char *from = (const char *)ids->ids + first * sizeof(MAKE_I);
  MAKE_P *counts = table;
  for (size_t i = 0; i < n; i++) {
    MAKE_I id;
    memcpy(&id, from + i * sizeof id, sizeof id);
    if (__builtin_expect(id >= ids->limit, 0)) return i;
    counts[id >> shift]++;
  }
  return n;
}

/* order[next[id]++] = each position in turn. */
static void MAKE_NAME(place)(const struct hd_cpu_ids *ids, size_t first, size_t n, void *table,
                             void *order) {
  const char *from = (const char *)ids->ids + first * sizeof(MAKE_I);
  MAKE_P *next = table, *to = order;
  for (size_t i = 0; i < n; i++) {
    MAKE_I id;
    memcpy(&id, from + i * sizeof id, sizeof id);
    to[next[id]++] = (MAKE_P)(first + i);
  }
}

/* pairs[next[id >> shift]++] = the id's low bits and its position. */
static void MAKE_NAME(part)(const struct hd_cpu_ids *ids, size_t first, size_t n, u32 shift,
                            void *table, void *pairs) {
  const char *from = (const char *)ids->ids + first * sizeof(MAKE_I);
  const u64 low = ((u64)1 << shift) - 1;
  MAKE_P *next = table;
  struct MAKE_PAIR *to = pairs;
  for (size_t i = 0; i < n; i++) {
    MAKE_I id;
    memcpy(&id, from + i * sizeof id, sizeof id);
    struct MAKE_PAIR *pair = &to[next[id >> shift]++];
    pair->id = (MAKE_P)(id & low);
    pair->position = (MAKE_P)(first + i);
  }
}

#undef MAKE_NAME__
#undef MAKE_NAME_
#undef MAKE_NAME
