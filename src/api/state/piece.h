/* piece.h - a piece of an array, folded: what a state holds, and how two become one
 *
 * A piece is what came of an array from element `start` on. Chunks are cut by index (rule 1), so its first
 * elements may end a chunk that began before it, and its last ones begin a chunk that ends behind it: both
 * are kept as they are, less than a chunk each. The whole chunks between are the totals of a run
 * (order/runs.h). Of an order-free fold there are no chunks: one total stands for all, wherever they lie.
 *
 * Pieces that meet merge into that of both, in any association, with the bits of one fold. */
#ifndef HEDDLE_API_STATE_PIECE_H
#define HEDDLE_API_STATE_PIECE_H

#include "api/backend.h"

enum { HD_PIECE_TOTALS = 2 * 2 * 64 }; /* of two runs of whole chunks, side by side */

struct hd_piece {
  const struct hd_fold *fold;
  struct hd_fold_form form;
  u64 start, end, count; /* order-free: from the first to behind the last, and how many came */
  struct hd_run run;     /* whole chunks; order-free: all, as if from 0 on */
  u32 head, tail;        /* elements before and behind it */
  unsigned char *totals;
  unsigned char *head_x, *head_y, *tail_x, *tail_y; /* y: a dot's; order-free: none */
};

/* The first multiple of the chunk from `start` on. */
static inline u64 hd_piece_first_chunk(const struct hd_fold_form *form, u64 start) {
  return start + (form->chunk - start % form->chunk) % form->chunk;
}
/* Whether elements are still to come before the first whole chunk may begin. */
static inline bool hd_piece_is_open(const struct hd_piece *piece) {
  return !piece->form.order_free && piece->start + piece->head < piece->run.first;
}
static inline u32 hd_piece_totals(const struct hd_piece *piece) {
  return hd_run_totals(piece->form.order_free, piece->form.chunk, piece->run);
}

/* Bytes of memory that a piece of a fold needs. */
size_t hd_piece_bytes(const struct hd_fold *fold);
/* *piece = no elements, from `start` on; fold and memory live as long as it does. */
void hd_piece_begin(struct hd_piece *piece, const struct hd_fold *fold, u64 start, void *memory);
/* What `from` holds, into memory of piece's own. */
void hd_piece_copy(struct hd_piece *piece, const struct hd_piece *from);

/* Elements behind the piece, of the chunk under way: at most what it lacks. Host memory or, into an open head, the
 * context's device's. y: NULL but for dot. */
heddle_status hd_piece_append_elements(heddle_context *ctx, struct hd_piece *piece, const void *x,
                                       const void *y, u64 count);
/* Whole chunks behind the piece, which ends where the run begins; order-free: so many elements of which this
 * is the total. */
heddle_status hd_piece_append_run(heddle_context *ctx, struct hd_piece *piece, struct hd_run run,
                                  const void *totals);
/* *piece gains the piece behind it; order-free: any other. The sum of both counts does not overflow. */
heddle_status hd_piece_append(heddle_context *ctx, struct hd_piece *piece,
                              const struct hd_piece *right);
/* The result of a piece that begins the array, or of an order-free one. */
heddle_status hd_piece_result(heddle_context *ctx, const struct hd_piece *piece,
                              struct hd_fold_out out);

#endif
