/* bytes.c - launching the count of 8-bit elements
 *
 * Method   one kernel for all bins: it counts the 256 values and takes the slots from a table
 * Limits   a block's counters hold 32 bits: beyond 2^31 elements a block there are more launches,
 *          the last of which finishes */
#include "histogram.h"

#include <assert.h>

#include "bins/plan.h"
#include "choose.h"
#include "cuda/core/inside.h"
#include "kernels/histogram/args.h"

enum { LOAD_BYTES = 16 };

static heddle_status find_kernel(struct hd_cuda_call *call,
                                 const struct hd_cuda_count_choice *choice, u32 channels,
                                 struct hd_cuda_kernel *kernel) {
  const struct hd_cuda_choice *l = &choice->launch;
  struct hd_cuda_kernel_key key = {.file = l->file};
  hd_cuda_kernel_define(&key, "HEDDLE_CHANNELS", channels);
  hd_cuda_kernel_define(&key, "HEDDLE_THREADS", l->threads);
  hd_cuda_kernel_define(&key, "HEDDLE_COPIES", choice->copies);
  hd_cuda_kernel_define(&key, "HEDDLE_LOADS", choice->loads);
  return hd_cuda_kernel(call, &key, l->kernel, l->threads, l->shared_bytes, kernel);
}

heddle_status hd_cuda_histogram_bytes(struct hd_cuda_call *call,
                                      const struct hd_cuda_count_choice *choice,
                                      const struct hist_args *args) {
  struct hist_args launch = *args;
  struct hd_cuda_kernel kernel;
  assert(args->channels >= 1 && args->channels <= 4);
  HD_TRY(find_kernel(call, choice, args->channels, &kernel));
  u64 left = args->count;
  do {
    const u64 piece = (u64)kernel.threads * LOAD_BYTES;
    u64 blocks = left / piece + 1, most = hd_cuda_blocks_at_once(call, &kernel);
    if (blocks > most) blocks = most;
    u64 room = blocks << 31;
    launch.count = left < room ? left : room;
    left -= launch.count;
    launch.finish = left ? 0 : args->finish;
    HD_TRY(hd_cuda_launch(call, &kernel, blocks, &launch, sizeof launch));
    launch.in += launch.count;
    launch.first_channel = (u32)((launch.first_channel + launch.count) % args->channels);
  } while (left);
  return HEDDLE_OK;
}

/* Where no value of the type has a bin, all lie on one side: the end of the type is then the only
 * one that the two comparisons leave, and `skip` its slot. */
void hd_cuda_histogram_integers(const struct hd_plan *plan, struct hist_slots *find) {
  const struct hd_index *index = &plan->index;
  const unsigned beyond = 64 - 8 * (unsigned)plan->element_bytes; /* bits that the type lacks */
  const bool is_signed = hd_is_signed(plan->type);
  const u64 most = is_signed ? (u64)(INT64_MAX >> beyond) : UINT64_MAX >> beyond;
  find->bins = index->bins;
  find->skip = index->skip;
  find->least = index->least;
  find->most = index->most;
  if (!index->none_inside) return;
  bool below = index->skip == index->bins + HD_SLOT_UNDER;
  find->least = find->most = below ? most : is_signed ? ~most : 0;
}
