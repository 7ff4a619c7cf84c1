/* choose.c - how large the blocks of sorts are: a table by the size of keys and values
 *
 * Method   The first line that takes the larger of a key and a value. Results do not depend on it. */
#include "sort.h"

struct line {
  u32 bytes; /* of a key or a value, at most */
  struct hd_cuda_sort_sizes sizes;
};

static const struct line step_lines[] = {{4, {512, 16, 3}}, {8, {512, 8, 2}}, {16, {512, 4, 2}}};

enum {
  SOFTWARE_THREADS = 256,
  SOFTWARE_ITEMS = 4,
  BLOCK_THREADS = 512,
  BLOCK_ITEMS = 16,
  SMALL_ITEMS = 8
};

struct hd_cuda_sort_sizes hd_cuda_sort_block_sizes(const struct hd_cuda_limits *limits,
                                                   const struct hd_cuda_sort_job *job) {
  struct hd_cuda_sort_sizes sizes = {BLOCK_THREADS, BLOCK_ITEMS, 1};
  (void)job;
  if (limits->shared_per_block < 128 << 10) sizes.items = SMALL_ITEMS;
  if (limits->software) sizes = (struct hd_cuda_sort_sizes){SOFTWARE_THREADS, SOFTWARE_ITEMS, 1};
  return sizes;
}

struct hd_cuda_sort_sizes hd_cuda_sort_step_sizes(const struct hd_cuda_limits *limits,
                                                  const struct hd_cuda_sort_job *job,
                                                  u32 value_bytes) {
  const struct line *line = step_lines;
  while (line->bytes < job->key_bytes || line->bytes < value_bytes) line++;
  struct hd_cuda_sort_sizes sizes = line->sizes;
  if (limits->threads_per_sm < (int)(sizes.threads * sizes.blocks))
    sizes.blocks = (u32)limits->threads_per_sm / sizes.threads;
  if (limits->software) sizes = (struct hd_cuda_sort_sizes){SOFTWARE_THREADS, SOFTWARE_ITEMS, 1};
  return sizes;
}
