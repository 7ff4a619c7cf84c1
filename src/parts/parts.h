/* parts.h - calls on an array that lies in several places
 *
 * Each part is memory of some device that the context reaches, or of the host; together and in order they
 * are the array. Results are host memory, with the bits of the call on the array in one place. */
#ifndef HEDDLE_PARTS_PARTS_H
#define HEDDLE_PARTS_PARTS_H

#include "api/backend.h"
#include "host/status.h"

struct hd_part {
  const void *x, *y; /* y: of a dot, or weights; else NULL */
  void *out;         /* of a scan; may be x */
  size_t count;
};
struct hd_parts {
  size_t parts;
  const struct hd_part *part;
  size_t count; /* elements of all */
};

/* totals[..] = those of the run that begins at element `first`, a multiple of the chunk, and whose elements
 * are the parts'; there is room for 2 * HD_RUN_TOTALS of them. */
heddle_status hd_parts_totals(heddle_context *ctx, const struct hd_fold *fold,
                              const struct hd_parts *in, u64 first, void *totals);
heddle_status hd_parts_fold(heddle_context *ctx, const struct hd_fold *fold,
                            const struct hd_parts *in, struct hd_fold_out out);
heddle_status hd_parts_exact(heddle_context *ctx, const struct hd_fold *fold,
                             const struct hd_parts *in, struct hd_fold_out out);
/* The parts' sum is added to a state of ctx's back end of the same fold. */
heddle_status hd_parts_exact_add(heddle_context *ctx, const struct hd_fold *fold,
                                 const struct hd_parts *in, void *state);
heddle_status hd_parts_scan(heddle_context *ctx, const struct hd_scan *scan,
                            const struct hd_parts *in);
/* Parts are whole groups of channels. counts and sums may be NULL. */
heddle_status hd_parts_histogram(heddle_context *ctx, const struct hd_histogram *job,
                                 const struct hd_parts *in, u64 *counts,
                                 heddle_histogram_result *result, f64 *sums);

/* Of each part an operand that is some device's memory, or NULL (places.c). */
heddle_status hd_parts_places(heddle_context *ctx, const struct hd_parts *in, const void ***where);
void hd_parts_places_free(heddle_context *ctx, const struct hd_parts *in, const void **where);

#endif
