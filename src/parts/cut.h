/* cut.h - parts of an array, cut at multiples of a chunk
 *
 * Result   bodies and seams, which tile the array in order. A body is what one part has of whole chunks; of
 *          the part that ends the array all that is left. A seam is one chunk, or the short one, that
 *          several parts have elements of: it is put together on the host. */
#ifndef HEDDLE_PARTS_CUT_H
#define HEDDLE_PARTS_CUT_H

#include "parts.h"

struct hd_cut_piece {
  struct hd_run run;
  size_t part; /* a body's; of a seam the first that it has elements of */
  bool seam;
};
struct hd_cut {
  heddle_context *ctx;
  size_t pieces, room;
  struct hd_cut_piece *piece;
  u64 *first; /* element of each part, and the end */
  size_t parts;
};

/* To be ended by hd_cut_free, also after a failure. Parts without elements are in no piece. */
heddle_status hd_cut_make(heddle_context *ctx, const struct hd_parts *in, u32 chunk,
                          struct hd_cut *cut);
void hd_cut_free(struct hd_cut *cut);

/* Copies elements [run.first, run.first + run.count) of the array, x or y, to the host, from whatever
 * parts they are in. */
heddle_status hd_cut_gather(const struct hd_cut *cut, const struct hd_parts *in, bool y,
                            size_t element_bytes, struct hd_run run, void *to);

#endif
