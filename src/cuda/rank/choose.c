/* choose.c - which arrays are searched, and how large the launches are
 *
 * Method   A search has a dozen launches of some microseconds beside its read, which a sort of few elements has
 *          not; every RANK_SLOTS ranks are one more read, so that many are found sooner in a sorted array. */
#include "rank.h"

enum {
  COUNT_LEAST = 1 << 16,
  READS_MOST = 8,
  COUNTED_MOST = 256, /* ranks among keys that are counted once */
  SAMPLES = 1 << 15,
  SAMPLE_THREADS = 1024,
  THREADS = 256,
  LOADS = 4,
  STAGES = 1,   /* with which a read is quicker than with more */
  BULK_CC = 90, /* from which there are bulk copies */
  NARROW_THREADS = 512,
  FINISH_THREADS = 512,
  TAKE_ITEMS = 16,
  SOFTWARE_LEAST = 3000,
  SOFTWARE_SAMPLES = 256,
  SOFTWARE_THREADS = 64,
  SOFTWARE_NARROW = 128,
  SOFTWARE_LOADS = 2,
  SOFTWARE_ITEMS = 4
};

static bool is_software(const struct hd_cuda_rank *rank) {
  return hd_cuda_limits(rank->call->cuda)->software;
}

static bool is_long(const struct hd_cuda_rank *rank, u64 count) {
  return count > (is_software(rank) ? SOFTWARE_LEAST : COUNT_LEAST);
}

bool hd_cuda_rank_is_searched(const struct hd_cuda_rank *rank, u64 count) {
  const u64 most = rank->job.key_bytes <= 2 ? COUNTED_MOST : READS_MOST * RANK_SLOTS;
  return is_long(rank, count) && rank->wanted.count <= most;
}

bool hd_cuda_rank_is_taken(const struct hd_cuda_rank *rank, u64 count) {
  return is_long(rank, count) && rank->k <= count / 8 && rank->k <= 0x7fffffff;
}

bool hd_cuda_rank_is_sieved(const struct hd_cuda_rank *rank, u64 count) {
  return hd_cuda_rank_is_taken(rank, count) && rank->job.key_bytes == 4 && rank->k <= RANK_LEAST &&
         count < (u64)1 << 32;
}

struct hd_cuda_rank_sizes hd_cuda_rank_sizes_of(const struct hd_cuda_rank *rank, u32 slots) {
  struct hd_cuda_rank_sizes sizes = {.sampled = SAMPLES,
                                     .sample_threads = SAMPLE_THREADS,
                                     .threads = THREADS,
                                     .loads = LOADS,
                                     .stages = STAGES,
                                     .blocks = slots <= 2   ? 4
                                               : slots <= 4 ? 3
                                                            : 2,
                                     .narrow_threads = NARROW_THREADS,
                                     .finish_threads = FINISH_THREADS,
                                     .take_items = TAKE_ITEMS};
  if (hd_cuda_limits(rank->call->cuda)->threads_per_sm < 1536 && sizes.blocks > 3) sizes.blocks = 3;
  if (is_software(rank))
    sizes = (struct hd_cuda_rank_sizes){
        SOFTWARE_SAMPLES, SOFTWARE_NARROW, SOFTWARE_THREADS, SOFTWARE_LOADS, 2, 1,
        SOFTWARE_NARROW,  SOFTWARE_NARROW, SOFTWARE_ITEMS};
  if (hd_cuda_limits(rank->call->cuda)->cc < BULK_CC) sizes.stages = 0;
  return sizes;
}
