/* fold.h - folds on a device: what the kernels keep of a job, and one that is under way
 *
 * plan.c     from a checked job to defines, sizes and totals      fold.c    whole arrays
 * choose.c   which kernel takes a piece, and how large            state.c   in pieces
 * run.c      launches, one after the other, of one fold           partial.c totals of a run
 *                                                                 merge.c   totals alone */
#ifndef HEDDLE_CUDA_FOLD_FOLD_H
#define HEDDLE_CUDA_FOLD_FOLD_H

#include "cuda/core/cuda.h"
#include "order/result.h"

enum {
  HD_FOLD_TOTAL_BYTES = 256, /* the largest total: TOTAL_MOST_BYTES of kernels/base/args.h */
  HD_FOLD_SLOTS = 48,        /* CARRY_SLOTS of kernels/base/carry_slots.h */
  HD_FOLD_TAIL_SLOTS = 16    /* FOLD_TAIL of kernels/fold/items.h */
};

/* ---- jobs (plan.c), of the verbs over rows and of scans too -------------------------------- */

/* HEDDLE_TYPE, _VERB, _OP, _ACC, _NAN, and of a custom operator _LANES, _COMMUTATIVE and its
 * text. */
void hd_cuda_fold_defines(struct hd_cuda_kernel_key *key, const struct hd_fold *fold);
/* TOTAL_KIND of order/device/total.h, and what else the host must know of a total. */
struct hd_total_form hd_cuda_fold_form(const struct hd_fold *fold);
/* sizeof(total) in order/device/total.h. */
size_t hd_cuda_fold_total_bytes(const struct hd_fold *fold);
/* fold->init as a total; fold->init is not NULL. */
void hd_cuda_fold_init_total(const struct hd_fold *fold, void *total);
/* init as a total if has_init, and the identity of a custom operator, as kernels take them. */
struct total_ends; /* kernels/base/args.h */
void hd_cuda_fold_ends(const struct hd_fold *fold, bool has_init, struct total_ends *ends);
/* TOTAL_IS_ORDER_FREE: any order gives the same bits, and there are no chunks. */
bool hd_cuda_fold_is_order_free(const struct hd_fold *fold);
/* Elements of a chunk, and its lanes (rules 1 and 2); not of free ones. */
u32 hd_cuda_fold_lanes(const struct hd_fold *fold);
static inline u32 hd_cuda_fold_chunk(const struct hd_fold *fold) {
  return 16 * hd_cuda_fold_lanes(fold);
}
size_t hd_cuda_fold_element_bytes(const struct hd_fold *fold);
/* Bytes of a result at out.value. */
size_t hd_cuda_fold_result_bytes(const struct hd_fold *fold);
/* HEDDLE_EMPTY with its message if a fold of no elements has no result. */
heddle_status hd_cuda_fold_empty(const struct hd_fold *fold);

/* ---- a fold under way (run.c) ------------------------------------------------------------ */

struct hd_cuda_fold_run {
  struct hd_fold fold;
  u32 total_bytes, element_bytes, chunk; /* chunk: of free ones 1 */
  bool order_free;
  /* Device memory of hd_cuda_fold_run_bytes: slots or a running total, one read and one written by
   * each launch; then elements of the chunk under way. */
  cu_pointer memory;
  unsigned current; /* which of the two is read next */
  u64 chunks;       /* folded; free: elements */
  u32 held;         /* elements of the chunk under way */
};

void hd_cuda_fold_run_start(struct hd_cuda_fold_run *run, const struct hd_fold *fold);
size_t hd_cuda_fold_run_bytes(const struct hd_cuda_fold_run *run);
/* Where the slots, or the running total, of what was appended are, and the chunk under way of x or y. */
cu_pointer hd_cuda_fold_run_slots(const struct hd_cuda_fold_run *run);
cu_pointer hd_cuda_fold_run_partial(const struct hd_cuda_fold_run *run, unsigned array);
/* Elements that slices should be a multiple of. */
size_t hd_cuda_fold_granule(const struct hd_cuda_fold_run *run);
/* Takes `count` elements at x and y (dot; else 0) on the device; needs run->memory. */
heddle_status hd_cuda_fold_append(struct hd_cuda_call *call, struct hd_cuda_fold_run *run,
                                  cu_pointer x, cu_pointer y, size_t count);

/* Finds where the arrays lie: 1 or 2 (dot) operands (fold.c). */
heddle_status hd_cuda_fold_operands(struct hd_cuda_call *call, const struct hd_fold *fold,
                                    const void *x, const void *y, size_t count,
                                    struct hd_cuda_operand operands[2]);
/* The same of arrays anywhere, in slices (fold.c). */
heddle_status hd_cuda_fold_take(struct hd_cuda_call *call, struct hd_cuda_fold_run *run,
                                const void *x, const void *y, size_t count);

/* ---- in pieces (state.c) ------------------------------------------------------------------- */

/* A fold whose memory outlives the call, and copies of what the caller owns. A scan's begins with
 * one: its total is finished, and it is freed, as a fold's is. */
struct hd_cuda_fold_state {
  struct hd_cuda_state own;
  struct hd_cuda_fold_run run;
  _Alignas(16) unsigned char init[HD_FOLD_TOTAL_BYTES], identity[HD_FOLD_TOTAL_BYTES];
};
/* A state of `bytes`, the verb's own included. */
heddle_status hd_cuda_fold_state_begin(heddle_context *ctx, const struct hd_fold *fold,
                                       size_t bytes, void **state);

/* A run with memory, to which nothing was appended, stands behind `count` elements of the host's form. */
heddle_status hd_cuda_fold_stand_behind(struct hd_cuda_call *call, struct hd_cuda_fold_run *run,
                                        u64 count, const void *totals, const void *x);
/* A state that was begun stands behind `count` elements, told as fold_export tells them (api/backend.h). */
heddle_status hd_cuda_fold_resume(struct hd_cuda_fold_state *state, u64 count, const void *totals,
                                  const void *x);

/* ---- results (run.c) ------------------------------------------------------------------------ */

/* Results on the device, or where they wait for leave; or slots in their place. */
struct hd_cuda_fold_results {
  cu_pointer value; /* or a description */
  cu_pointer index;
  cu_pointer
      slots; /* HD_FOLD_SLOTS of chunks and HD_FOLD_TAIL_SLOTS of the short one's elements, for
                       each set bit of their number; of an order-independent fold one total */
};
heddle_status hd_cuda_fold_outputs(struct hd_cuda_call *call, const struct hd_fold *fold,
                                   struct hd_fold_out out, struct hd_cuda_fold_results *results);
/* The result of what was appended and `count` more elements at x and y, which are not kept; with
 * them there is no need of run->memory if nothing was appended and they are few enough: see
 * hd_cuda_fold_at_once. */
heddle_status hd_cuda_fold_result_of(struct hd_cuda_call *call, struct hd_cuda_fold_run *run,
                                     cu_pointer x, cu_pointer y, size_t count,
                                     struct hd_cuda_fold_results results);
/* Whether so many elements can be folded by one launch. */
bool hd_cuda_fold_at_once(const struct hd_cuda_fold_run *run, size_t count);

#endif
