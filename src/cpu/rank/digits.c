/* digits.c - the key of one rank by counts of digits: what no choice of data makes slow
 *
 * Method   16 bits of keys are counted, from the top on, of those that have the digits before; where few are
 *          left they are kept by a read, and sorted or searched. Keys of 32 bits take two reads at most, of 64
 *          bits four, where each digit leaves most of the set.
 * Source   Alabi et al. 2012 */
#include <string.h>

#include "find.h"
#include "host/status.h"

enum { FEW = 8 }; /* a part of so many of the set is worth a read of its own */

static heddle_status count_digits(struct hd_cpu_rank_call *call, const struct hd_cpu_rank_set *set,
                                  u32 shift, u32 bits, u64 prefix, u64 *counts) {
  enum { POLLED = 1 << 8 }; /* blocks */
  u64 room[HD_RANK_BLOCK];
  memset(counts, 0, sizeof *counts << bits);
  for (size_t i = 0, m, block = 0; i < set->n; i += m) {
    m = set->n - i < HD_RANK_BLOCK ? set->n - i : HD_RANK_BLOCK;
    call->kernel->digits(hd_cpu_rank_keys(call, set, i, m, room), m, shift, bits, prefix, counts);
    if (++block % POLLED == 0 && hd_poll(&call->sort.token)) break;
  }
  return hd_cancellation_status(&call->sort.token, call->sort.sort->entry);
}

/* The rank among `count` keys from low to low + width. */
static heddle_status keep(struct hd_cpu_rank_call *call, const struct hd_cpu_rank_set *set, u64 low,
                          u64 width, size_t count, u64 rank, u64 *found) {
  struct hd_cpu_rank_band band = {.low = low, .width = width, .room = count};
  struct hd_cpu_rank_query query = {.ranks = &rank, .rank_count = 1, .found = found};
  band.region = hd_cpu_rank_hold(call, count * call->key_bytes);
  if (!band.region) return HEDDLE_OUT_OF_MEMORY;
  heddle_status status = hd_cpu_rank_read(call, set, &band, 1);
  const struct hd_cpu_rank_set inner = {band.region, count};
  if (!status) status = hd_cpu_rank_find(call, inner, &query);
  hd_cpu_rank_give(call, band.region, count * call->key_bytes);
  return status;
}

static heddle_status walk(struct hd_cpu_rank_call *call, const struct hd_cpu_rank_set *set,
                          u64 rank, u64 *counts, u64 *found) {
  u64 prefix = 0;
  for (u32 shift = call->sort.io.map.bits; shift;) {
    const u32 bits = shift < HD_RANK_DIGIT_MOST ? shift : HD_RANK_DIGIT_MOST;
    size_t digit = 0;
    shift -= bits;
    HD_TRY(count_digits(call, set, shift, bits, prefix, counts));
    for (; rank >= counts[digit]; digit++) rank -= counts[digit];
    prefix = prefix << bits | digit;
    if (shift && counts[digit] <= set->n / FEW)
      return keep(call, set, prefix << shift, ((u64)1 << shift) - 1, (size_t)counts[digit], rank,
                  found);
  }
  *found = prefix;
  return HEDDLE_OK;
}

heddle_status hd_cpu_rank_by_digits(struct hd_cpu_rank_call *call,
                                    const struct hd_cpu_rank_set *set, u64 rank, u64 *found) {
  const size_t bytes = sizeof(u64) << HD_RANK_DIGIT_MOST;
  u64 *counts = hd_cpu_rank_hold(call, bytes);
  if (!counts) return HEDDLE_OUT_OF_MEMORY;
  const heddle_status status = walk(call, set, rank, counts, found);
  hd_cpu_rank_give(call, counts, bytes);
  return status;
}
