/* near.c - the first k of few elements, on the stack
 *
 * Method   Keys in order, a sample of them, say which key the first k are hardly above. One look marks those
 *          up to it, a bit each, and they are sorted with their places: equal ones stay in the order of these.
 * Limits   Where the sample was wrong, or many are like that key, nothing is found, and all elements are sorted. */
#include <string.h>

#include "cpu/select/kernels.h"
#include "order/basic.h"
#include "rank.h"

enum {
  LEAST = 128, /* elements: fewer are sorted as fast */
  PART = 4,    /* so are they for a k of more than such a part of them */
  SAMPLE = 64,
  ROOM = 768, /* items that are sorted */
  WORDS = 2   /* of an item, at most */
};

/* A key of the sample that most likely k of n keys are not above. */
static u64 limit_of(const struct hd_cpu_rank_call *call, const char *keys, size_t n, size_t k) {
  u64 sample[SAMPLE], room[SAMPLE];
  u32 narrow[SAMPLE];
  const size_t apart = n / SAMPLE, size = call->key_bytes;
  const f64 share = (f64)k * SAMPLE / (f64)n;
  const size_t at = (size_t)(share + 2 * hd_sqrt(share + 1) + 0.5);
  const size_t within = ((size_t)1 << hd_top_bit(apart)) - 1;
  for (size_t i = 0; i < SAMPLE; i++) { /* no period of the keys is that of the sample */
    const u64 key = hd_cpu_rank_key_at(call, keys, i * apart + (i * 5 & within));
    if (size == sizeof key)
      sample[i] = key;
    else
      narrow[i] = (u32)key;
  }
  void *keys_of = size == sizeof *sample ? (void *)sample : narrow;
  const bool moved = call->sort.keys->sort(keys_of, room, SAMPLE, call->most, call->sort.exponent);
  return hd_cpu_rank_key_at(call, moved ? room : keys_of, at < SAMPLE ? at : SAMPLE - 1);
}

/* What item i of those in order says of its place. */
static size_t place_of(const struct hd_cpu_rank_call *call, const u64 *items, size_t i) {
  return (size_t)(call->key_bytes == 8 ? items[WORDS * i + 1] : (u32)items[i]);
}

/* Keys whose bits are set and their places become items; in order. */
static const u64 *sorted(const struct hd_cpu_rank_call *call, const char *keys, const u64 *masks,
                         size_t n, u64 *items, u64 *room) {
  const bool wide = call->key_bytes == 8;
  size_t found = 0;
  for (size_t i = 0; i < n; i += 64)
    for (u64 mask = masks[i / 64]; mask; mask &= mask - 1, found++) {
      const size_t at = i + hd_low_bit(mask);
      const u64 key = hd_cpu_rank_key_at(call, keys, at);
      if (wide)
        items[WORDS * found] = key, items[WORDS * found + 1] = at;
      else
        items[found] = key << 32 | at;
    }
  const struct hd_cpu_sort_engine *engine = call->sort.kernels->engine[wide ? WORDS : 1];
  return engine->sort(items, room, found, ~(u64)0, 64) ? room : items;
}

static void put(const struct hd_cpu_rank_call *call, const u64 *items, size_t k, char *out,
                char *index) {
  const struct hd_cpu_sort_io *io = &call->sort.io;
  const size_t size = io->map.bits / 8;
  for (size_t i = 0; i < k && out; i++) {
    const char *from = io->keys + (i64)place_of(call, items, i) * io->keys_step;
    if (size == sizeof(u64))
      memcpy(out + i * sizeof(u64), from, sizeof(u64));
    else if (size == sizeof(u32))
      memcpy(out + i * sizeof(u32), from, sizeof(u32));
    else
      memcpy(out + i * size, from, size);
  }
  for (size_t i = 0; i < k && index; i++) {
    const u64 wide = place_of(call, items, i);
    const u32 narrow = (u32)wide;
    if (call->sort.sort->value_bytes == sizeof wide)
      memcpy(index + i * sizeof wide, &wide, sizeof wide);
    else
      memcpy(index + i * sizeof narrow, &narrow, sizeof narrow);
  }
}

bool hd_cpu_rank_first_near(const struct hd_cpu_rank_call *call, size_t n, size_t k, void *out,
                            void *index) {
  const struct hd_cpu_rank_set set = {NULL, n};
  u64 keys[HD_RANK_NEAR], items[WORDS * ROOM], room[WORDS * ROOM];
  u64 masks[HD_RANK_NEAR / 64];
  if (n < LEAST || n > HD_RANK_NEAR || !k || k > n / PART) return false;
  for (size_t i = 0, m; i < n; i += m) {
    m = n - i < HD_RANK_BLOCK ? n - i : HD_RANK_BLOCK;
    (void)hd_cpu_rank_keys(call, &set, i, m, (char *)keys + i * call->key_bytes);
  }
  const struct hd_cpu_select_kernels *kernels = hd_cpu_select_kernels(call->ctx);
  const struct hd_cpu_key_range range = {.span = limit_of(call, (const char *)keys, n, k)};
  const size_t found =
      kernels->masks[call->key_bytes == 8 ? HEDDLE_U64 : HEDDLE_U32](keys, n, &range, masks);
  if (found < k || found > ROOM) return false;
  put(call, sorted(call, (const char *)keys, masks, n, items, room), k, out, index);
  return true;
}
