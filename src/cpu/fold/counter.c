/* counter.c - the binary counter of totals (order v1, rules 3 and 4)
 *
 * Pushing a block's total is adding 2^level to a binary number: each carry folds two neighbours
 * of one size. What stays in the slots are the aligned blocks that tile what came so far. */
#include <assert.h>
#include <string.h>

#include "fold.h"

void hd_counter_start(struct hd_counter *counter, const struct hd_cpu_fold_kernel *kernel,
                      const heddle_custom *custom, void *slots) {
  *counter = (struct hd_counter){kernel, custom, 0, slots};
}

static void *slot_of(const struct hd_counter *counter, unsigned level) {
  return counter->slot + (size_t)level * counter->kernel->total_bytes;
}

heddle_status hd_counter_push(struct hd_counter *counter, unsigned level, void *total) {
  const struct hd_cpu_fold_kernel *kernel = counter->kernel;
  const void *carry = total;
  u64 odd = counter->chunks >> level;
  assert(odd << level == counter->chunks);
  counter->chunks += UINT64_C(1) << level;
  for (; odd & 1; odd >>= 1, level++) {
    heddle_status status = kernel->combine(slot_of(counter, level), carry, counter->custom);
    if (status) return status;
    carry = slot_of(counter, level);
  }
  memcpy(slot_of(counter, level), carry, kernel->total_bytes);
  return HEDDLE_OK;
}

heddle_status hd_counter_prefix(const struct hd_counter *counter, void *out) {
  const struct hd_cpu_fold_kernel *kernel = counter->kernel;
  u64 left = counter->chunks;
  if (!left) {
    kernel->identity(out, counter->custom);
    return HEDDLE_OK;
  }
  unsigned top = 63 - (unsigned)__builtin_clzll(left);
  memcpy(out, slot_of(counter, top), kernel->total_bytes);
  for (left ^= UINT64_C(1) << top; left; left ^= UINT64_C(1) << top) {
    top = 63 - (unsigned)__builtin_clzll(left);
    heddle_status status = kernel->combine(out, slot_of(counter, top), counter->custom);
    if (status) return status;
  }
  return HEDDLE_OK;
}

unsigned hd_block_level(u64 at, u64 chunks) {
  unsigned level = 63 - (unsigned)__builtin_clzll(chunks);
  if (level > HD_BLOCK_LEVELS) level = HD_BLOCK_LEVELS;
  unsigned aligned = at ? (unsigned)__builtin_ctzll(at) : 63;
  return aligned < level ? aligned : level;
}

heddle_status hd_counter_fold(struct hd_counter *counter, const void *x, const void *y,
                              u64 chunks) {
  const struct hd_cpu_fold_kernel *kernel = counter->kernel;
  const size_t chunk_bytes = (size_t)kernel->chunk * kernel->element_bytes;
  _Alignas(64) unsigned char total[HD_MAX_CUSTOM_BYTES];
  while (chunks) {
    unsigned level = hd_block_level(counter->chunks, chunks);
    u64 blocks = UINT64_C(1) << level;
    heddle_status status =
        kernel->block(x, y, counter->chunks * kernel->chunk, level, total, counter->custom);
    if (!status) status = hd_counter_push(counter, level, total);
    if (status) return status;
    x = (const char *)x + blocks * chunk_bytes;
    if (y) y = (const char *)y + blocks * chunk_bytes;
    chunks -= blocks;
  }
  return HEDDLE_OK;
}
