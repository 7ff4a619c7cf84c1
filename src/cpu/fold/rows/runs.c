/* runs.c - lines of several runs, by loops whose element size is a constant */
#include "runs.h"

#include <string.h>

struct hd_cpu_runs hd_cpu_runs_at(const struct hd_cpu_row_walk *walk, u64 r, size_t runs,
                                  const void *x, u32 bytes) {
  const struct hd_cpu_row first = hd_cpu_row_at(walk, r);
  struct hd_cpu_runs at = {.x = (const char *)x + first.start * (i64)bytes,
                           .step = first.step,
                           .apart = walk->inner,
                           .length = (size_t)first.length,
                           .run = (size_t)walk->inner_run,
                           .runs = runs};
  for (size_t g = 0; g < runs; g++)
    at.starts[g] = hd_cpu_row_at(walk, r + g * walk->inner_run).start - first.start;
  return at;
}

static inline void to_lines(const struct hd_cpu_runs *runs, i64 size, char *lines, size_t pitch) {
  for (size_t g = 0; g < runs->runs; g++) {
    const char *x = runs->x + runs->starts[g] * size;
    char *to = lines + g * runs->run * (size_t)size;
    for (size_t e = 0; e < runs->length; e++, x += runs->step * size, to += pitch)
      for (i64 c = 0; c < (i64)runs->run; c++)
        memcpy(to + c * size, x + c * runs->apart * size, (size_t)size);
  }
}

void hd_cpu_runs_to_lines(const struct hd_cpu_runs *runs, u32 bytes, void *lines, size_t pitch) {
  switch (bytes) {
  case 1: to_lines(runs, 1, lines, pitch); break;
  case 2: to_lines(runs, 2, lines, pitch); break;
  case 4: to_lines(runs, 4, lines, pitch); break;
  default: to_lines(runs, 8, lines, pitch);
  }
}
