/* segments.c - running totals of neighbouring segments of few elements
 *
 * Method   Segments are sorted by length, by counting. Those of one length are made lines, element e of each a line,
 *          which columns.c scans; results go back. In place nothing is lost: segments that are lines have been
 *          read.
 * Memory   lines of input and of output, 4 bytes a segment, and what columns.c needs. */
#include "segments.h"

#include <string.h>

enum {
  SHORT_MOST = 32,  /* elements of a segment that is made part of lines */
  GROUP_MOST = 256, /* segments that are made lines at once */
  GAP = 8,          /* elements between lines, lest they share the sets of a cache */
  PITCH = GROUP_MOST + GAP,
  TABLES = 4, /* of counts: neighbours are often alike, and each count waits for the one before */
  ELEMENT_MOST = 8 /* bytes */
};

static size_t rounded(size_t bytes) { return (bytes + 63) & ~(size_t)63; }
static size_t lines_bytes(void) { return rounded((size_t)SHORT_MOST * PITCH * ELEMENT_MOST); }

static bool is_size(size_t bytes) { return bytes <= ELEMENT_MOST && !(bytes & (bytes - 1)); }

size_t hd_cpu_scan_segments_bytes(const struct hd_cpu_scan_plan *plan) {
  if (!plan->kernel || !is_size(plan->in_bytes) || !is_size(plan->out_bytes)) return 0;
  struct hd_cpu_scan_columns columns = {.plan = plan, .length = SHORT_MOST};
  return 2 * lines_bytes() + rounded(HD_SCAN_SEGMENTS * sizeof(u32)) +
         rounded(hd_cpu_scan_columns_start(&columns));
}

/* size is a constant in each caller. */
static inline __attribute__((always_inline)) void move_sized(char *array, const u64 *offsets,
                                                             const u32 *order, size_t n,
                                                             size_t length, size_t size,
                                                             char *lines, bool gather) {
  char *at[GROUP_MOST];
  for (size_t s = 0; s < n; s++) at[s] = array + (size_t)offsets[order[s]] * size;
  for (size_t e = 0; e < length; e++, lines += PITCH * size)
    for (size_t s = 0; s < n; s++)
      memcpy(gather ? lines + s * size : at[s] + e * size,
             gather ? at[s] + e * size : lines + s * size, size);
}

static void move(char *array, const u64 *offsets, const u32 *order, size_t n, size_t length,
                 size_t size, char *lines, bool gather) {
  switch (size * 2 + gather) {
  case 2: move_sized(array, offsets, order, n, length, 1, lines, false); break;
  case 3: move_sized(array, offsets, order, n, length, 1, lines, true); break;
  case 4: move_sized(array, offsets, order, n, length, 2, lines, false); break;
  case 5: move_sized(array, offsets, order, n, length, 2, lines, true); break;
  case 8: move_sized(array, offsets, order, n, length, 4, lines, false); break;
  case 9: move_sized(array, offsets, order, n, length, 4, lines, true); break;
  case 16: move_sized(array, offsets, order, n, length, 8, lines, false); break;
  default: move_sized(array, offsets, order, n, length, 8, lines, true);
  }
}

/* Segments of one length, as `order` numbers them from the first of `offsets`. */
static heddle_status scan_alike(const struct hd_cpu_scan_segments *job, const u64 *offsets,
                                const u32 *order, size_t segments, size_t length) {
  const struct hd_cpu_scan_plan *plan = job->plan;
  char *in = (char *)job->memory, *out = in + lines_bytes();
  struct hd_cpu_scan_columns columns = {.plan = plan,
                                        .length = length,
                                        .in_step = PITCH,
                                        .out_step = PITCH,
                                        .in_apart = 1,
                                        .out_apart = 1,
                                        .token = job->token};
  (void)hd_cpu_scan_columns_start(&columns);
  columns.memory = job->memory + 2 * lines_bytes() + rounded(HD_SCAN_SEGMENTS * sizeof(u32));
  const size_t most = columns.most < GROUP_MOST ? columns.most : GROUP_MOST;
  for (size_t s = 0; s < segments; s += most) {
    const size_t n = segments - s < most ? segments - s : most;
    const struct hd_cpu_scan_run run = {in, out, n};
    move((char *)(uintptr_t)job->in, offsets, order + s, n, length, plan->in_bytes, in, true);
    const heddle_status status = hd_cpu_scan_columns(&columns, &run, 1);
    if (status) return status;
    move(job->out, offsets, order + s, n, length, plan->out_bytes, out, false);
  }
  return HEDDLE_OK;
}

/* Numbers of segments by their length; places[n] = where those of n elements end, and longer ones begin at the last. */
static void sort_by_length(const u64 *offsets, size_t segments, u32 *order,
                           u32 places[SHORT_MOST + 1]) {
  u32 next[(SHORT_MOST + 2) * TABLES] = {0};
  for (size_t s = 0; s < segments; s++) {
    const u64 length = offsets[s + 1] - offsets[s];
    next[(length <= SHORT_MOST ? length : SHORT_MOST + 1) * TABLES + s % TABLES]++;
  }
  for (u32 i = 0, before = 0; i < (SHORT_MOST + 2) * TABLES; i++) {
    const u32 here = next[i];
    next[i] = before;
    before += here;
    if (i / TABLES <= SHORT_MOST) places[i / TABLES] = before;
  }
  for (size_t s = 0; s < segments; s++) {
    const u64 length = offsets[s + 1] - offsets[s];
    order[next[(length <= SHORT_MOST ? length : SHORT_MOST + 1) * TABLES + s % TABLES]++] = (u32)s;
  }
}

heddle_status hd_cpu_scan_segments(struct hd_cpu_scan_segments *job, u64 first, size_t n) {
  const u64 *offsets = job->offsets + first;
  u32 *order = (u32 *)(void *)(job->memory + 2 * lines_bytes()), places[SHORT_MOST + 1];
  heddle_status status = HEDDLE_OK;
  sort_by_length(offsets, n, order, places);
  for (u32 length = 1; length <= SHORT_MOST && !status; length++)
    status = scan_alike(job, offsets, order + places[length - 1],
                        places[length] - places[length - 1], length);
  job->longer = order + places[SHORT_MOST];
  job->longer_count = n - places[SHORT_MOST];
  return status;
}
