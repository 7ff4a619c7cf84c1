/* bucket_tmpl.h - bucket_P: the pairs of a bucket to positions by id
 *
 * Parameters MAKE_P, MAKE_PAIR as of make_tmpl.h */
#define BUCKET_NAME__(p) bucket_##p
#define BUCKET_NAME_(p) BUCKET_NAME__(p)

/* n pairs of ids below `groups`, whose positions go to order[begin] .. order[begin + n - 1]; offsets[g] = where
 * those of g begin. next has room for `groups`. */
static void BUCKET_NAME_(MAKE_P)(const struct MAKE_PAIR *pairs, size_t n, u64 begin, size_t groups,
                                 u64 *offsets, void *table, void *order) {
  MAKE_P *next = table, *to = order;
  memset(next, 0, groups * sizeof *next);
  for (size_t i = 0; i < n; i++) next[pairs[i].id]++;
  for (size_t g = 0; g < groups; g++) {
    const MAKE_P count = next[g];
    offsets[g] = begin;
    next[g] = (MAKE_P)begin;
    begin += count;
  }
  for (size_t i = 0; i < n; i++) to[next[pairs[i].id]++] = pairs[i].position;
}

#undef BUCKET_NAME__
#undef BUCKET_NAME_
