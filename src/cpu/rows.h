/* rows.h - walking the rows of segments or of one axis of a strided array */
#ifndef HEDDLE_CPU_ROWS_H
#define HEDDLE_CPU_ROWS_H

#include "api/backend.h"

/* One row: elements start, start + step, .. of the array. */
struct hd_cpu_row {
  i64 start;
  i64 step;
  u64 length;
};

/* A checked heddle_rows, ready to be walked. */
struct hd_cpu_row_walk {
  const heddle_rows *rows;
  u64 count;     /* rows */
  u64 elements;  /* of all rows together */
  i64 inner;     /* elements between neighbouring rows of the innermost other axis; 0: segments */
  u64 inner_run; /* rows in a run of that axis; 1 for segments */
};

void hd_cpu_row_walk_start(struct hd_cpu_row_walk *walk, const heddle_rows *rows);
/* Makes the runs longer: axes that lie behind one another without a gap are one. */
void hd_cpu_row_walk_merge(struct hd_cpu_row_walk *walk);
/* Runs that follow one another evenly from the first one on, and the elements from one's first row to the
 * next's; one, if there are no more. */
struct hd_cpu_even_runs {
  u64 runs;
  i64 apart;
};
struct hd_cpu_even_runs hd_cpu_row_walk_even(const struct hd_cpu_row_walk *walk);
struct hd_cpu_row hd_cpu_row_at(const struct hd_cpu_row_walk *walk, u64 index);

/* The same row of two arrays of one shape, whose walks are merged; the ones behind it are a few additions away. */
struct hd_cpu_row_cursor {
  const struct hd_cpu_row_walk *from, *to;
  i64 from_start, to_start;
  u64 in_run;                 /* rows before it in its run of `from` */
  u64 index[HEDDLE_MAX_DIMS]; /* of each axis but that of the rows */
};
void hd_cpu_row_cursor_start(struct hd_cpu_row_cursor *c, const struct hd_cpu_row_walk *from,
                             const struct hd_cpu_row_walk *to, u64 row);
/* By at most what is left of the run. */
void hd_cpu_row_cursor_advance(struct hd_cpu_row_cursor *c, u64 rows);

#endif
