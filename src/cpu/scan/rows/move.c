/* move.c - elements of a row that do not lie in one piece, by loops in which their size is a constant */
#include "move.h"

#include <string.h>

enum { FETCH_LINE = 64 /* bytes that one prefetch brings */ };

/* n elements of `size` bytes, `step` elements apart in array; size is a constant in each caller. What
 * the next chunk will need is fetched meanwhile: a scan in between would leave the memory idle. */
static inline __attribute__((always_inline)) void move_sized(char *tight, char *array, i64 step,
                                                             size_t n, size_t size, bool gather) {
  enum { GROUP = 8 };
  const i64 apart = step * (i64)size;
  const i64 lines = apart >= FETCH_LINE || apart <= -FETCH_LINE ? GROUP : 1;
  size_t e = 0;
  for (; e + GROUP <= n; e += GROUP) {
    char *a = array + (i64)e * apart, *t = tight + e * size;
    for (i64 i = 0; i < lines; i++) __builtin_prefetch(a + ((i64)n + i) * apart, 0, 2);
    for (size_t i = 0; i < GROUP; i++) {
      char *one = a + (i64)i * apart;
      memcpy(gather ? t + i * size : one, gather ? one : t + i * size, size);
    }
  }
  for (; e < n; e++) {
    char *a = array + (i64)e * apart, *t = tight + e * size;
    memcpy(gather ? t : a, gather ? a : t, size);
  }
}

void hd_cpu_scan_move(char *tight, char *array, i64 step, size_t n, size_t size, bool gather) {
  switch (size * 2 + gather) {
  case 2: move_sized(tight, array, step, n, 1, false); break;
  case 3: move_sized(tight, array, step, n, 1, true); break;
  case 4: move_sized(tight, array, step, n, 2, false); break;
  case 5: move_sized(tight, array, step, n, 2, true); break;
  case 8: move_sized(tight, array, step, n, 4, false); break;
  case 9: move_sized(tight, array, step, n, 4, true); break;
  case 16: move_sized(tight, array, step, n, 8, false); break;
  case 17: move_sized(tight, array, step, n, 8, true); break;
  default: move_sized(tight, array, step, n, size, gather);
  }
}
