/* columns.h - running totals of many rows at once, a lane each (see columns.c) */
#ifndef HEDDLE_CPU_SCAN_COLUMNS_H
#define HEDDLE_CPU_SCAN_COLUMNS_H

#include "scan.h"

enum { HD_SCAN_RUNS = 32 };

/* Neighbouring rows: the first one's first element, in and out. */
struct hd_cpu_scan_run {
  const char *in;
  char *out;
  size_t rows;
};

/* Rows of one length; a built-in operator. Strides are in elements. */
struct hd_cpu_scan_columns {
  const struct hd_cpu_scan_plan *plan;
  u64 length;
  i64 in_step, out_step;   /* along a row */
  i64 in_apart, out_apart; /* between the rows of a run */
  struct hd_cancellation *token;
  size_t most;           /* rows at once, of all runs together */
  unsigned char *memory; /* aligned to 64; hd_cpu_scan_columns_start says how much */
};

/* Sets `most` of a job whose plan and length are set, and gives the bytes of memory it needs. */
size_t hd_cpu_scan_columns_start(struct hd_cpu_scan_columns *job);
/* Scans the rows of at most HD_SCAN_RUNS runs, at most job->most together. */
heddle_status hd_cpu_scan_columns(const struct hd_cpu_scan_columns *job,
                                  const struct hd_cpu_scan_run *run, size_t runs);

#endif
