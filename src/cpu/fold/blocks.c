/* blocks.c - totals of chunks to totals of blocks, on one thread
 *
 * The kernel totals as many chunks as one call takes, side by side in a buffer, and order/counter.h
 * builds the tree on them. Behind a block that settles the total none is read. */
#include <string.h>

#include "fold.h"

/* What one call of a kernel gives: at most 2^7 chunks, 1 MiB of f32. */
enum { LEVELS = 7, BUFFER_BYTES = HD_TOTAL_BYTES_MOST << LEVELS };
_Static_assert(2 * HD_MAX_CUSTOM_BYTES <= BUFFER_BYTES, "a buffer of two large totals");

/* A short array's time shows a call of memcpy. */
static inline void copy_total(void *to, const void *from, u32 bytes) {
  if (bytes == sizeof(u32))
    memcpy(to, from, sizeof(u32));
  else if (bytes == sizeof(u64))
    memcpy(to, from, sizeof(u64));
  else
    memcpy(to, from, bytes);
}

u32 hd_cpu_fold_level(const struct hd_cpu_fold_kernel *kernel, u64 at, u64 chunks) {
  const u32 most = kernel->merge.bytes <= HD_TOTAL_BYTES_MOST
                       ? LEVELS
                       : hd_top_bit(BUFFER_BYTES / kernel->merge.bytes);
  return hd_block_level(at, chunks, most);
}

heddle_status hd_cpu_fold_block(const struct hd_cpu_fold_kernel *kernel, const void *x,
                                const void *y, u64 at, u32 level, void *out,
                                const heddle_custom *custom) {
  _Alignas(64) unsigned char totals[BUFFER_BYTES];
  const struct hd_merge *merge = &kernel->merge;
  heddle_status status =
      kernel->chunks(x, y, at * kernel->chunk, (size_t)1 << level, totals, custom);
  if (!merge->order_free && !status) status = hd_totals_block(merge, totals, level, custom);
  copy_total(out, totals, merge->bytes);
  return status;
}

/* Appends chunks that cannot count any more, as empty ones. */
static heddle_status skip(const struct hd_cpu_fold_kernel *kernel, struct hd_counter *counter,
                          u64 chunks) {
  unsigned char total[HD_TOTAL_BYTES_MOST];
  heddle_status status = HEDDLE_OK;
  while (chunks && !status) {
    const u32 level = hd_cpu_fold_level(kernel, counter->count, chunks);
    kernel->merge.identity(total, counter->custom);
    status = hd_counter_push(counter, level, total);
    chunks -= (u64)1 << level;
  }
  return status;
}

heddle_status hd_cpu_fold_chunks(const struct hd_cpu_fold_kernel *kernel,
                                 struct hd_counter *counter, const void *x, const void *y,
                                 u64 chunks) {
  const size_t chunk_bytes = (size_t)kernel->chunk * kernel->element_bytes;
  _Alignas(64) unsigned char total[HD_MAX_CUSTOM_BYTES];
  while (chunks) {
    const u32 level = hd_cpu_fold_level(kernel, counter->count, chunks);
    const u64 block = (u64)1 << level;
    heddle_status status =
        hd_cpu_fold_block(kernel, x, y, counter->count, level, total, counter->custom);
    const bool settled = hd_cpu_fold_is_settled(kernel, total);
    if (!status) status = hd_counter_push(counter, level, total);
    if (status) return status;
    if (settled) return skip(kernel, counter, chunks - block);
    x = (const char *)x + block * chunk_bytes;
    if (y) y = (const char *)y + block * chunk_bytes;
    chunks -= block;
  }
  return HEDDLE_OK;
}
