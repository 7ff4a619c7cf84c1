/* around_tmpl.h - equals_first_T: elements that are `value` come to the places first .. place; count_T: how many are
 *
 * Parameters AROUND_T, an unsigned integer of the elements' bits */
#define AROUND_NAME__(t) equals_first_##t
#define AROUND_NAME_(t) AROUND_NAME__(t)
#define AROUND_FIND__(t) find_##t
#define AROUND_FIND_(t) AROUND_FIND__(t)
#define AROUND_COUNT__(t) count_##t
#define AROUND_COUNT_(t) AROUND_COUNT__(t)

/* The first from `at` on that is v; there is one. */
static size_t AROUND_FIND_(AROUND_T)(const AROUND_T *x, size_t at, size_t count, AROUND_T v) {
  for (; at + BLOCK <= count; at += BLOCK) {
    AROUND_T any = 0;
    for (size_t i = 0; i < BLOCK; i++) any |= (AROUND_T)(x[at + i] == v);
    if (any) break;
  }
  while (x[at] != v) at++;
  return at;
}

/* Of those from `first` on. */
static size_t AROUND_COUNT_(AROUND_T)(const void *out, size_t first, size_t count, AROUND_T v) {
  const AROUND_T *x = out;
  size_t found = 0;
  for (size_t i = first; i < count; i++) found += x[i] == v;
  return found;
}

/* From `first` on, none is below the value, and there are more than place - first that are it. */
static void AROUND_NAME_(AROUND_T)(void *out, size_t first, size_t place, size_t count,
                                   AROUND_T v) {
  AROUND_T *x = out;
  size_t from = place + 1;
  for (; first <= place; first++) {
    if (x[first] == v) continue;
    from = AROUND_FIND_(AROUND_T)(x, from, count, v);
    x[from++] = x[first];
    x[first] = v;
  }
}

#undef AROUND_NAME__
#undef AROUND_NAME_
#undef AROUND_FIND__
#undef AROUND_FIND_
#undef AROUND_COUNT__
#undef AROUND_COUNT_
#undef AROUND_T
