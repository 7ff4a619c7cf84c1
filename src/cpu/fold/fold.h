/* fold.h - folding an array in order v1: what the CPU's files share, and the binary counter */
#ifndef HEDDLE_CPU_FOLD_FOLD_H
#define HEDDLE_CPU_FOLD_FOLD_H

#include "cpu/cpu.h"
#include "cpu/isa/kernels.h"

/* One long row, on all threads of the context. */
heddle_status hd_cpu_fold_long(heddle_context *ctx, const struct hd_fold *fold, const void *x,
                               const void *y, size_t count, struct hd_fold_out out);
/* Sets the message for HEDDLE_CALLBACK, which belongs to the calling thread, whichever thread ran
 * the operator; hands any other status on. */
heddle_status hd_cpu_callback_failed(const struct hd_fold *fold, heddle_status status);

/* ---- the binary counter (rules 3 and 4) --------------------------------------------------
 *
 * The totals of the complete aligned blocks that tile the chunks so far, one a set bit of their
 * number. Slot memory is the caller's: HD_COUNTER_SLOTS totals. */
enum { HD_COUNTER_SLOTS = 64 };

struct hd_counter {
  const struct hd_cpu_fold_kernel *kernel;
  const heddle_custom *custom;
  u64 chunks;
  unsigned char *slot;
};

void hd_counter_start(struct hd_counter *counter, const struct hd_cpu_fold_kernel *kernel,
                      const heddle_custom *custom, void *slots);
/* Appends a block of 2^level chunks; counter->chunks is a multiple of that. *total is spent. */
heddle_status hd_counter_push(struct hd_counter *counter, unsigned level, void *total);
/* *out = prefix(counter->chunks): the identity if there is none. */
heddle_status hd_counter_prefix(const struct hd_counter *counter, void *out);
/* Folds `chunks` full chunks at x, y into the counter on this thread. */
heddle_status hd_counter_fold(struct hd_counter *counter, const void *x, const void *y, u64 chunks);
/* The level of the largest aligned block that starts at chunk `at` and ends within `chunks`. */
unsigned hd_block_level(u64 at, u64 chunks);

/* ---- results (finish.c) --------------------------------------------------------------- */

/* *out = op(init, *total), rounded to out_type; count is the number of elements folded. In a row
 * an empty extreme is the identity, else HEDDLE_EMPTY. *total is spent. */
heddle_status hd_cpu_fold_result(const struct hd_fold *fold,
                                 const struct hd_cpu_fold_kernel *kernel, void *total, u64 count,
                                 bool is_row, struct hd_fold_out out);
/* Bytes of one result at out.value. */
size_t hd_cpu_fold_out_bytes(const struct hd_fold *fold);

#endif
