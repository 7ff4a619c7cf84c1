/* network.c - rows that some threads of a block hold in their registers: kernels/sort/network.cu
 *
 * Method   As few threads a row as have room for it, since steps within a thread are the cheapest; where
 *          rows are few, as many as a block may have, since then time is what one row takes. A thread's
 *          items are a power of two or three quarters of one, so that few kernels are compiled. */
#include "host/status.h"
#include "sort.h"

enum {
  THREADS = 128, /* of a block, at least */
  GROUP_MOST = 512,
  ALONE_MOST = 1024, /* threads of the only row of a block, of which the device has few */
  NARROW_ITEMS = 32, /* a thread's items of 4 bytes, at most */
  WIDE_ITEMS = 16,
  ALONE_ITEMS = 4,
  ALONE_LENGTH = 2048, /* of the only row; longer ones have tiles of their own (merged.c) */
  SOFTWARE_THREADS = 128,
  SOFTWARE_ITEMS = 8
};

/* Bytes of an item; 0: keys and numbers have no room in one. */
static u32 item_bytes(const struct hd_cuda_sort_job *job) {
  if (!hd_cuda_sort_is_numbered(job)) return job->key_bytes == 8 ? 8 : 4;
  if (job->key_bytes == 8) return 0;
  return job->key_bytes == 4 ? 8 : 4;
}

static u32 items_most(const struct hd_cuda_sort_job *job) {
  u32 items = item_bytes(job) == 8 ? WIDE_ITEMS : NARROW_ITEMS;
  if (hd_cuda_sort_is_numbered(job))
    items = WIDE_ITEMS; /* keys and values are in registers in the end */
  return hd_cuda_limits(job->call->cuda)->software ? SOFTWARE_ITEMS : items;
}

/* Shared memory of a block of so many items: keys as room.h has them, or items. */
static u32 shared_bytes(const struct hd_cuda_sort_job *job, u32 items) {
  const u32 keys = items * job->key_bytes;
  const u32 room = keys + keys / SHORT_LINE * (job->key_bytes < 4 ? 4 : job->key_bytes);
  const u32 all = items * item_bytes(job);
  return ((room > all ? room : all) + 15) & ~15u;
}

u64 hd_cuda_sort_network_most(const struct hd_cuda_sort_job *job, u64 rows) {
  const struct hd_cuda_limits *limits = hd_cuda_limits(job->call->cuda);
  if (!item_bytes(job)) return 0;
  u32 most = items_most(job) * (limits->software ? SOFTWARE_THREADS : GROUP_MOST);
  while (shared_bytes(job, most) > (u32)limits->shared_per_block) most /= 2;
  return rows == 1 && most > ALONE_LENGTH && !limits->software ? ALONE_LENGTH : most;
}

struct sizes {
  u32 threads, items, group; /* of a block; of a thread; threads of a row */
};

static struct sizes sizes_of(const struct hd_cuda_sort_job *job,
                             const struct hd_cuda_sort_rows *rows) {
  const struct hd_cuda_limits *limits = hd_cuda_limits(job->call->cuda);
  const u32 length = (u32)rows->length;
  struct sizes s = {limits->software ? SOFTWARE_THREADS : THREADS, items_most(job), 1};
  while (s.group * s.items < length) s.group *= 2;
  if (!limits->software)
    while (s.items > ALONE_ITEMS && s.group < ALONE_MOST &&
           rows->rows * s.group <= (u64)limits->sms * THREADS) {
      s.items /= 2;
      s.group *= 2;
    }
  if (s.group * (s.items / 4 * 3) >= length) s.items = s.items / 4 * 3;
  if (s.threads < s.group) s.threads = s.group;
  return s;
}

void hd_cuda_sort_network_choose(const struct hd_cuda_sort_job *job,
                                 const struct hd_cuda_sort_rows *rows,
                                 struct hd_cuda_choice *choice) {
  const struct sizes s = sizes_of(job, rows);
  const u32 at_once = s.threads / s.group;
  *choice = (struct hd_cuda_choice){.strategy = "network",
                                    .file = "sort/network.cu",
                                    .kernel = "heddle_sort_network",
                                    .threads = s.threads,
                                    .shared_bytes = shared_bytes(job, s.threads * s.items),
                                    .blocks = (rows->rows + at_once - 1) / at_once};
}

heddle_status hd_cuda_sort_network(const struct hd_cuda_sort_job *job,
                                   const struct hd_cuda_sort_arrays *arrays,
                                   const struct hd_cuda_sort_rows *rows) {
  const struct sizes s = sizes_of(job, rows);
  struct hd_cuda_choice choice;
  struct hd_cuda_kernel_key key;
  struct hd_cuda_kernel kernel;
  hd_cuda_sort_network_choose(job, rows, &choice);
  struct sort_block_args a = hd_cuda_sort_block_args(job, arrays, rows);
  a.at_once = s.threads / s.group;
  hd_cuda_sort_key(job, choice.file, job->sort->value_bytes, &key);
  hd_cuda_kernel_define(&key, "HEDDLE_THREADS", s.threads);
  hd_cuda_kernel_define(&key, "HEDDLE_ITEMS", s.items);
  hd_cuda_kernel_define(&key, "HEDDLE_TILES", rows->are_tiles);
  hd_cuda_kernel_define(&key, "HEDDLE_PART", hd_cuda_sort_is_part(job));
  HD_TRY(
      hd_cuda_kernel(job->call, &key, choice.kernel, choice.threads, choice.shared_bytes, &kernel));
  return hd_cuda_launch(job->call, &kernel, choice.blocks, &a, sizeof a);
}
