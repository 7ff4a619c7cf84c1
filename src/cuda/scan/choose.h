/* choose.h - which kernel scans a piece of an array, and how large the launch is */
#ifndef HEDDLE_CUDA_SCAN_CHOOSE_H
#define HEDDLE_CUDA_SCAN_CHOOSE_H

#include "cuda/core/choice.h"
#include "scan.h"

/* What the choice depends on. */
struct hd_cuda_scan_extent {
  u64 tiles;    /* of the piece, partial ones included */
  u64 chunks;   /* before it */
  bool follows; /* there may be something before it */
};

struct hd_cuda_scan_choice {
  struct hd_cuda_choice launch;
  u32 span_tiles; /* tiles of a span, which a ticket stands for */
  u32 chunks;     /* the same where it is compiled in, else 1 */
  u32 stages;     /* one_pass_bulk: spans that a block has room for; else 1 */
  u32 teams;      /* one_pass_bulk: teams of warps that scan a span each; else 1 */
  u32 drawers;    /* of tickets in a block; 0: no tickets */
  bool any_shift; /* input is read alike at all addresses but multiples of 16 bytes */
};

void hd_cuda_scan_choose(const struct hd_cuda_limits *limits, const struct hd_cuda_scan_plan *plan,
                         const struct hd_cuda_scan_extent *extent,
                         struct hd_cuda_scan_choice *choice);

#endif
