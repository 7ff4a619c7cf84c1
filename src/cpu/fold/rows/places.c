/* places.c - rows of neighbours whose places of extremes are found several at a time
 *
 * Method   A total a row, its merge and its result take as long as some 100 elements. The kernel writes
 *          places alone, and a value is read where the place is. */
#include "places.h"

#include <string.h>

enum {
  TOGETHER = 64,     /* rows of one call of the kernel */
  ELEMENTS = 1 << 16 /* between two polls */
};

size_t hd_cpu_fold_places_rows(const struct hd_cpu_fold_kernel *kernel, u64 n, u64 rows) {
  const struct hd_cpu_fold_places *places = kernel->places;
  if (!places || n < places->least || n > places->most || n > ELEMENTS) return 0;
  const u64 most = ELEMENTS / n;
  return (size_t)(rows < most ? rows : most);
}

void hd_cpu_fold_places_of(const struct hd_fold *fold, const struct hd_cpu_fold_kernel *kernel,
                           const char *x, i64 pitch, size_t rows, size_t n,
                           struct hd_fold_out out) {
  const size_t size = heddle_type_size(fold->type);
  u64 index[TOGETHER];
  for (size_t r = 0, count; r < rows; r += count) {
    const char *from = x + (i64)r * pitch;
    count = rows - r < TOGETHER ? rows - r : TOGETHER;
    kernel->places->rows(from, pitch, count, n, index);
    if (out.index) memcpy(out.index + r, index, count * sizeof *index);
    for (size_t i = 0; out.value && i < count; i++)
      if (index[i] != HD_U64_MAX)
        memcpy((char *)out.value + (r + i) * size, from + (i64)i * pitch + index[i] * size, size);
  }
}
