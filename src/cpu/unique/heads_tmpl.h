/* heads_tmpl.h - heads_T, at_T: runs of equal neighbours, of sorted elements of one width
 *
 * Parameter UNIQUE_T u32 or u64, of an element's bits */
#define UNIQUE_NAME_(name, t) name##_##t
#define UNIQUE_NAME__(name, t) UNIQUE_NAME_(name, t)
#define UNIQUE_NAME(name) UNIQUE_NAME__(name, UNIQUE_T)

static inline UNIQUE_T UNIQUE_NAME(element)(const void *x, size_t i) {
  UNIQUE_T e;
  memcpy(&e, (const char *)x + i * sizeof e, sizeof e);
  return e;
}
static inline UNIQUE_T UNIQUE_NAME(bits)(const struct hd_sort_map *map, UNIQUE_T e, bool is_float) {
  return is_float ? (UNIQUE_T)hd_cpu_unique_bits(map, e) : e;
}

/* The first of each run of the same bits among sorted elements first .. first + n goes to values[first ..], and
 * its place to starts[first ..], if that is not NULL; a run that began before, whose bits are `before`, is none.
 * values may be sorted. Returns how many there are. */
static size_t UNIQUE_NAME(heads)(const void *sorted, size_t first, size_t n, u64 before,
                                 void *values, u64 *starts) {
  size_t found = 0;
  UNIQUE_T last = (UNIQUE_T)before;
  char *to = (char *)values + first * sizeof last;
  if (n && !first) last = (UNIQUE_T)~UNIQUE_NAME(element)(sorted, 0);
  for (size_t i = first; i < first + n; i++) {
    const UNIQUE_T e = UNIQUE_NAME(element)(sorted, i);
    memcpy(to + found * sizeof e, &e, sizeof e); /* of no meaning until found grows */
    if (starts) starts[first + found] = i;
    found += e != last;
    last = e;
  }
  return found;
}

/* The first of n elements that is equal to the bits. */
static UNIQUE_T UNIQUE_NAME(first_of)(const struct hd_sort_map *map, const void *in, size_t n,
                                      u64 bits) {
  for (size_t i = 0; i < n; i++) {
    const UNIQUE_T e = UNIQUE_NAME(element)(in, i);
    if (UNIQUE_NAME(bits)(map, e, true) == (UNIQUE_T)bits) return e;
  }
  return (UNIQUE_T)bits;
}

#undef UNIQUE_NAME_
#undef UNIQUE_NAME__
#undef UNIQUE_NAME
#undef UNIQUE_T
