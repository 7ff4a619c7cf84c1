/* segments.h - running totals of neighbouring segments of few elements: the strategy of rows.c for them */
#ifndef HEDDLE_CPU_SCAN_ROWS_SEGMENTS_H
#define HEDDLE_CPU_SCAN_ROWS_SEGMENTS_H

#include "cpu/scan/columns.h"

enum { HD_SCAN_SEGMENTS = 2048 }; /* at once */

struct hd_cpu_scan_segments {
  const struct hd_cpu_scan_plan *plan;
  const u64 *offsets;
  const char *in;
  char *out;
  struct hd_cancellation *token;
  unsigned char *memory; /* of hd_cpu_scan_segments_bytes, aligned to 64 */
  const u32 *longer;     /* set: those that were left out, as numbers from the first one */
  size_t longer_count;
};

/* Bytes of memory; 0: such segments are no faster together. */
size_t hd_cpu_scan_segments_bytes(const struct hd_cpu_scan_plan *plan);
/* Scans those of n <= HD_SCAN_SEGMENTS segments from `first` on that have few elements. */
heddle_status hd_cpu_scan_segments(struct hd_cpu_scan_segments *job, u64 first, size_t n);

#endif
