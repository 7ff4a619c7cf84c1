/* count_tmpl.h - the two loops of a short bincount, for one unsigned type
 *
 * Defines  T the type, MOST the name of the first loop, COUNT that of the second; all are undefined
 *          at the end */

/* The greatest element. */
static uint64_t MOST(const T *x, size_t count) {
  T most = 0;
  for (size_t i = 0; i < count; i++) most = x[i] > most ? x[i] : most;
  return most;
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
