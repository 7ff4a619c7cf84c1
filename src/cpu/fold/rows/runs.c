/* runs.c - lines of several runs, by loops in which the size of what is copied is a constant */
#include "runs.h"

#include <string.h>

/* Where each run begins. The axes behind those of a run are counted on: a division an axis for each run takes
 * as long as its copy. */
static void starts_of(const struct hd_cpu_row_walk *walk, u64 r, struct hd_cpu_runs *at) {
  const heddle_rows *rows = walk->rows;
  size_t place[HEDDLE_MAX_DIMS], axis[HEDDLE_MAX_DIMS], axes = 0;
  u64 left = r / walk->inner_run, inner = walk->inner_run;
  for (size_t d = rows->dims; d-- > 0;) {
    if (d == rows->axis) continue;
    if (inner > 1) { /* an axis of the run */
      inner /= rows->shape[d];
      continue;
    }
    if (rows->shape[d] == 1) continue;
    place[axes] = (size_t)(left % rows->shape[d]), left /= rows->shape[d];
    axis[axes++] = d;
  }
  i64 start = 0;
  for (size_t g = 0; g < at->runs; g++) {
    at->starts[g] = start;
    for (size_t a = 0; a < axes; a++) {
      const i64 stride = hd_rows_stride(rows, axis[a]);
      start += stride;
      if (++place[a] < rows->shape[axis[a]]) break;
      start -= stride * (i64)rows->shape[axis[a]];
      place[a] = 0;
    }
  }
}

struct hd_cpu_runs hd_cpu_runs_at(const struct hd_cpu_row_walk *walk, u64 r, size_t runs,
                                  const void *x, u32 bytes) {
  const struct hd_cpu_row first = hd_cpu_row_at(walk, r);
  struct hd_cpu_runs at = {.x = (const char *)x + first.start * (i64)bytes,
                           .step = first.step,
                           .apart = walk->inner,
                           .length = (size_t)first.length,
                           .run = (size_t)walk->inner_run,
                           .runs = runs};
  starts_of(walk, r, &at);
  return at;
}

/* A line of a run is `items` of `size` bytes, `apart` of them from each other; elements have `bytes`. Each
 * caller's size is a constant. */
static inline void to_lines(const struct hd_cpu_runs *runs, i64 bytes, size_t items, i64 size,
                            char *lines, size_t pitch) {
  for (size_t g = 0; g < runs->runs; g++) {
    const char *x = runs->x + runs->starts[g] * bytes;
    char *to = lines + g * items * (size_t)size;
    for (size_t e = 0; e < runs->length; e++, x += runs->step * bytes, to += pitch)
      for (i64 c = 0; c < (i64)items; c++)
        memcpy(to + c * size, x + c * runs->apart * size, (size_t)size);
  }
}

/* Neighbours that are as many bytes as a few words are copied as one. False: they are not. */
static bool whole_lines(const struct hd_cpu_runs *runs, i64 bytes, char *lines, size_t pitch) {
  if (runs->apart != 1) return false;
  switch ((i64)runs->run * bytes) {
  case 2: to_lines(runs, bytes, 1, 2, lines, pitch); return true;
  case 4: to_lines(runs, bytes, 1, 4, lines, pitch); return true;
  case 8: to_lines(runs, bytes, 1, 8, lines, pitch); return true;
  case 12: to_lines(runs, bytes, 1, 12, lines, pitch); return true;
  case 16: to_lines(runs, bytes, 1, 16, lines, pitch); return true;
  case 24: to_lines(runs, bytes, 1, 24, lines, pitch); return true;
  case 32: to_lines(runs, bytes, 1, 32, lines, pitch); return true;
  default: return false;
  }
}

void hd_cpu_runs_to_lines(const struct hd_cpu_runs *runs, u32 bytes, void *lines, size_t pitch) {
  if (whole_lines(runs, bytes, lines, pitch)) return;
  switch (bytes) {
  case 1: to_lines(runs, 1, runs->run, 1, lines, pitch); break;
  case 2: to_lines(runs, 2, runs->run, 2, lines, pitch); break;
  case 4: to_lines(runs, 4, runs->run, 4, lines, pitch); break;
  default: to_lines(runs, 8, runs->run, 8, lines, pitch);
  }
}
