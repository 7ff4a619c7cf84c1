/* count_tmpl.h - the two loops of a short bincount, for one unsigned type
 *
 * Defines  T the type, MOST the name of the first loop, COUNT that of the second; all are undefined
 *          at the end */

/* The greatest element, by four comparisons at a time, of which none waits for the others. */
static uint64_t MOST(const T *x, size_t count) {
  T most[4] = {0};
  size_t i = 0;
  for (; i + 4 <= count; i += 4)
    for (size_t k = 0; k < 4; k++) most[k] = x[i + k] > most[k] ? x[i + k] : most[k];
  for (; i < count; i++) most[0] = x[i] > most[0] ? x[i] : most[0];
  for (size_t k = 1; k < 4; k++) most[0] = most[k] > most[0] ? most[k] : most[0];
  return most[0];
}

/* Elements that another thread has made too large since are left out: the table is no longer. */
static void COUNT(const T *x, size_t count, int64_t *counts, size_t bins) {
  for (size_t i = 0; i < count; i++) {
    const T value = x[i];
    if (value < bins) counts[value]++;
  }
}

#undef T
#undef MOST
#undef COUNT
