/* move_tmpl.h - move_E, pair_E, bucket_E: rows of one element themselves put where their positions would be
 *
 * Parameters MOVE_E u8 to u64, of elements' bits; MOVE_PAIR a struct of an id's low bits and an element
 * Needs      id_of, of ids */
#define MOVE_NAME__(name, e) name##_##e
#define MOVE_NAME_(name, e) MOVE_NAME__(name, e)
#define MOVE_NAME(name) MOVE_NAME_(name, MOVE_E)

struct MOVE_PAIR {
  u32 id;
  MOVE_E x;
};

/* to[next[id]++] = each of n elements in turn. */
static void MOVE_NAME(move)(const struct hd_cpu_ids *ids, size_t first, size_t n, u32 *next,
                            const char *from, void *moved) {
  MOVE_E x, *to = moved;
  from += first * sizeof x;
  for (size_t i = 0; i < n; i++) {
    memcpy(&x, from + i * sizeof x, sizeof x);
    to[next[hd_cpu_id_at(ids, first + i)]++] = x;
  }
}

/* pairs[next[id >> shift]++] = the id's low bits and the element. */
static void MOVE_NAME(pair)(const struct hd_cpu_ids *ids, size_t first, size_t n, u32 shift,
                            u32 *next, const char *from, void *pairs) {
  const u64 low = ((u64)1 << shift) - 1;
  struct MOVE_PAIR *to = pairs;
  MOVE_E x;
  from += first * sizeof x;
  for (size_t i = 0; i < n; i++) {
    const u64 id = hd_cpu_id_at(ids, first + i);
    memcpy(&x, from + i * sizeof x, sizeof x);
    struct MOVE_PAIR *pair = &to[next[id >> shift]++];
    pair->id = (u32)(id & low);
    pair->x = x;
  }
}

/* n pairs of ids below `groups`, whose elements go to moved[begin] .. moved[begin + n - 1]; offsets[g] = where those
 * of g begin. next has room for `groups`. */
static void MOVE_NAME(bucket)(const void *pairs, size_t n, u64 begin, size_t groups, u64 *offsets,
                              u32 *next, void *moved) {
  const struct MOVE_PAIR *from = pairs;
  MOVE_E *to = moved;
  memset(next, 0, groups * sizeof *next);
  for (size_t i = 0; i < n; i++) next[from[i].id]++;
  for (size_t g = 0; g < groups; g++) {
    const u32 count = next[g];
    offsets[g] = begin;
    next[g] = (u32)begin;
    begin += count;
  }
  for (size_t i = 0; i < n; i++) to[next[from[i].id]++] = from[i].x;
}

#undef MOVE_NAME__
#undef MOVE_NAME_
#undef MOVE_NAME
#undef MOVE_E
#undef MOVE_PAIR
