/* overlap.h - outputs that lie in the way of what the call reads, or of one another */
#ifndef HEDDLE_API_OVERLAP_H
#define HEDDLE_API_OVERLAP_H

#include "api.h"

/* An array that a call reads or writes, by its public name. NULL or no bytes: there is none. */
struct hd_span {
  const char *name;
  const void *start;
  size_t bytes;
};

bool hd_spans_touch(const struct hd_span *a, const struct hd_span *b);
/* No output overlaps an input or another output. */
heddle_status hd_check_apart(const char *entry, const struct hd_span *outs, size_t out_count,
                             const struct hd_span *ins, size_t in_count);
/* The message for an output that overlaps another array. */
heddle_status hd_overlap(const char *entry, const char *out, const char *other);

/* The span holds a byte of an element of the array that a checked n-D shape, in which no axis is
 * empty, takes from `in`. */
bool hd_rows_touch(const heddle_rows *rows, const void *in, size_t element_bytes,
                   const struct hd_span *span);
/* The elements of such a shape lie in C order without gaps. */
bool hd_rows_dense(const heddle_rows *rows);

#endif
