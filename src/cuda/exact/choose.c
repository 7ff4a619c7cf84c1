/* choose.c - which kernel sums an array or rows exactly, and the sizes of a launch
 *
 * Method   An array is cut into spans, as many as the device runs blocks at once, a few times over. Rows
 *          side by side have a lane each; others a warp each, long ones a block each, and if they are few all
 *          blocks each. Nothing of it shows in the result. */
#include "exact.h"

enum {
  THREADS = 256,
  WARPS = THREADS / 32,
  BATCH = 4 * THREADS,    /* vectors that a block takes at once, at most */
  WAVES = 2,              /* spans of an array, in blocks that run at once */
  BLOCKS_AT_ONCE = 4,     /* a multiprocessor's */
  MOST_VECTORS = 1 << 25, /* of a span */
  SIDE_LEAST = 8,         /* rows side by side that are worth a lane each */
  LONG_ROW = 1 << 13,     /* elements from which a block has a row, */
  ARRAY_ROW = 1 << 18     /* and all blocks, if rows are fewer than twice as many as processors */
};

void hd_cuda_exact_choose(const struct hd_cuda_limits *limits, const struct hd_fold *fold,
                          u64 vectors, struct hd_cuda_exact_choice *choice) {
  const u64 most = limits->software ? 4 : (u64)limits->sms * BLOCKS_AT_ONCE * WAVES;
  (void)fold;
  *choice = (struct hd_cuda_exact_choice){.launch = {.strategy = "exact_array",
                                                     .file = "exact/array.cu",
                                                     .kernel = "heddle_exact_array",
                                                     .threads = THREADS,
                                                     .blocks = 1}};
  choice->span = (vectors + most - 1) / most;
  if (choice->span > MOST_VECTORS) choice->span = MOST_VECTORS;
  choice->span = (choice->span + BATCH - 1) / BATCH * BATCH;
  if (vectors) choice->launch.blocks = (vectors + choice->span - 1) / choice->span;
}

static u64 at_most(u64 blocks, u64 most) { return blocks < most ? blocks : most; }

void hd_cuda_exact_choose_rows(const struct hd_cuda_limits *limits, bool segments, u64 rows,
                               u64 length, i64 step, i64 near,
                               struct hd_cuda_exact_rows_choice *choice) {
  const u64 most = limits->software ? 4 : (u64)limits->sms * 8;
  const bool beside = !segments && (near == 1 || near == -1) && step != 1 && rows >= SIDE_LEAST;
  const struct hd_cuda_choice by_block = {.strategy = "exact_long_rows",
                                          .file = "exact/long_rows.cu",
                                          .kernel = "heddle_exact_long_rows",
                                          .threads = THREADS,
                                          .blocks = at_most(rows, most)};
  *choice = (struct hd_cuda_exact_rows_choice){
      .launch = {.strategy = "exact_rows",
                 .file = "exact/rows.cu",
                 .kernel = "heddle_exact_rows",
                 .threads = THREADS,
                 .blocks = at_most((rows + WARPS - 1) / WARPS, most)}};
  if (segments) {
    choice->then = by_block;
  } else if (beside) {
    choice->shape = HD_EXACT_COLUMNS;
    choice->launch.strategy = "exact_columns";
    choice->launch.file = "exact/columns.cu", choice->launch.kernel = "heddle_exact_columns";
    choice->launch.blocks = (rows + 31) / 32;
  } else if (step == 1 && length >= ARRAY_ROW && rows < 2 * (u64)limits->sms) {
    choice->shape = HD_EXACT_ARRAYS;
    choice->launch.strategy = "exact_array", choice->launch.file = "exact/array.cu";
    choice->launch.kernel = "heddle_exact_array";
  } else if (length >= LONG_ROW) {
    choice->shape = HD_EXACT_BLOCKS;
    choice->launch = by_block;
  }
}
