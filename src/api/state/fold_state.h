/* fold_state.h - a fold in pieces, from any element of an array on
 *
 * The back end's state takes elements from the start of an array. It has all of them where the state's first
 * element is the array's. Else it has those of one aligned block after the other, each as large as the place
 * where it begins allows, and what came before is a piece (piece.h): so is what was loaded or merged. */
#ifndef HEDDLE_API_STATE_FOLD_STATE_H
#define HEDDLE_API_STATE_FOLD_STATE_H

#include "piece.h"

struct hd_fold_state {
  struct hd_fold fold; /* init and the operator are the state's own */
  void *owned;         /* copies of what they point at; or NULL */
  size_t owned_bytes;
  void *inner;     /* the back end's */
  u64 start, end;  /* the first element and behind the last */
  u64 count;       /* that came */
  u64 from, taken; /* inner's first element, and how many it has */
  u64 block;       /* that it takes; HD_U64_MAX: any */
  void *memory;    /* of `before`; NULL: there is nothing before */
  struct hd_piece before;
};

/* *s, cleared, for a checked job. What fails leaves what hd_fold_state_end takes. */
heddle_status hd_fold_state_begin(heddle_context *ctx, struct hd_fold_state *s,
                                  const struct hd_fold *fold, u64 start);
/* The job alone, with copies of what the caller owns. */
heddle_status hd_fold_state_own(heddle_context *ctx, struct hd_fold_state *s,
                                const struct hd_fold *fold);
void hd_fold_state_end(heddle_context *ctx, struct hd_fold_state *s);
heddle_status hd_fold_state_update(heddle_context *ctx, struct hd_fold_state *s, const char *entry,
                                   const void *x, const void *y, u64 count);
heddle_status hd_fold_state_finish(heddle_context *ctx, struct hd_fold_state *s, const char *entry,
                                   struct hd_fold_out out);

/* *piece = all that came; *memory is released by hd_fold_state_piece_end. Not of exact sums. */
heddle_status hd_fold_state_piece(heddle_context *ctx, struct hd_fold_state *s,
                                  struct hd_piece *piece, void **memory);
void hd_fold_state_piece_end(heddle_context *ctx, const struct hd_fold_state *s, void *memory);
/* The state holds what the piece does in place of what it held; that is kept if it fails. */
heddle_status hd_fold_state_install(heddle_context *ctx, struct hd_fold_state *s,
                                    const struct hd_piece *piece);

#endif
