/* scan.h - running totals on a device
 *
 * plan.c   from a checked job to sizes, defines and launches      scan.c   whole arrays
 * state.c  in pieces                                              custom.c   operators of
 *                                                                      the caller's */
#ifndef HEDDLE_CUDA_SCAN_SCAN_H
#define HEDDLE_CUDA_SCAN_SCAN_H

#include "cuda/core/choice.h"
#include "cuda/fold/fold.h"

struct hd_cuda_scan_plan {
  struct hd_scan scan;
  bool order_free;  /* any order gives the same bits */
  bool narrow;      /* totals of integer sums and products have 32 bits */
  u32 vector, tile; /* SCAN_V and SCAN_TILE of kernels/scan/tile.h: elements */
  u32 in_bytes, out_bytes, total_words;
};
void hd_cuda_scan_plan(struct hd_cuda_scan_plan *plan, const struct hd_scan *scan);

/* A piece of an array, on the device, and what came before it there. */
struct hd_cuda_scan_piece {
  cu_pointer in, out;
  u64 count;
  const struct hd_cuda_fold_run *run; /* the fold of what came before; NULL: nothing can have */
  cu_pointer slots, partial;          /* of run, before this piece was appended to it */
  u64 chunks;
  u32 held;
};
/* One pass over the piece. */
heddle_status hd_cuda_scan_pass(struct hd_cuda_call *call, const struct hd_cuda_scan_plan *plan,
                                const struct hd_cuda_scan_piece *piece);
/* The same with an operator of the caller's (custom.c). */
heddle_status hd_cuda_scan_custom_pass(struct hd_cuda_call *call,
                                       const struct hd_cuda_scan_plan *plan,
                                       const struct hd_cuda_scan_piece *piece);

/* The first of its launches for a whole array. */
struct hd_cuda_choice hd_cuda_scan_custom_choice(const struct hd_cuda_scan_plan *plan, u64 count);

/* Scans the next `count` elements behind those of run, and appends them to it: arrays anywhere. */
heddle_status hd_cuda_scan_take(struct hd_cuda_call *call, const struct hd_cuda_scan_plan *plan,
                                struct hd_cuda_fold_run *run, const void *in, size_t count,
                                void *out);

#endif
