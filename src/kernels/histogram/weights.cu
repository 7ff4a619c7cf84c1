/* weights.cu - the sum of the weights in each bin, and how many elements there are
 *
 * Result   amounts[counter] += the weights of each counter, in fixed point; marks; totals too, if
 *          HEDDLE_COUNTED or where a slot is no bin; with a.finish the output itself
 * Defines  HEDDLE_TYPE, HEDDLE_KEY, HEDDLE_STRATEGY, HEDDLE_BITS (find.h), HEDDLE_WEIGHT
 *          (fixed.h), HEDDLE_WHERE, HEDDLE_CHANNELS 1 to 4, HEDDLE_THREADS,
 *          HEDDLE_COUNTED, HEDDLE_PACKED 1: elements and weights can be loaded by fours;
 *          HEDDLE_EXACT 1: no weight is rounded (limbs.h); a.finish is 0;
 *          HEDDLE_COPIES 1 to 32: so many of a counter's words lie side by side, and a lane takes the
 *          one of its number; HEDDLE_THIN 1: one word a counter (thin.h)
 * Launch   any number of blocks of HEDDLE_THREADS; HD_WHERE_RANGES: a multiple of a.ranges
 * Memory   dynamic shared memory: WORDS (+ 1 if HEDDLE_COUNTED) times HEDDLE_COPIES words a counter of
 *          a.span, then for HD_STRATEGY_BUCKETS the buckets and edges, from an even word on
 * Order    none shows: the sums are integers of 128 bits
 * Method   Counters have numbers of 64 or 96 bits in shared memory; the few weights that these do not
 *          take whole are settled together. With fewer than 32 copies lanes of one counter would wait
 *          for each other: where a whole warp has one counter, it adds its weights up before.
 * Limits   less than 2^22 elements a block
 * Source   docs/order.md, rules 14 and 15 */
#include "find.h"

#include "counters.h"
#include "finish.h"
#include "fixed.h"

#define PACK 4 /* elements a thread loads side by side */
#define PACKS \
  (ELEMENT_BYTES + WEIGHT_BYTES <= 8 ? 2 : 1) /* so many, while so many more are loaded */
#define STEP (HEDDLE_THREADS * PACK)
#define PLANES (HEDDLE_THIN ? 1 : WORDS + HEDDLE_COUNTED)
#define EXTRAS (3 * HEDDLE_CHANNELS)

struct hist_block {
  struct hist_share share;
  u32 *words; /* PLANES of stride; this lane's copy */
  u32 stride;
  const u32 *buckets;
  u32 *extras; /* of each channel: below, above, NaN */
  u32 *seen;   /* of guess_note */
  struct fixed_scale scale;
};

/* What a thread loads at once. */
struct pack {
  u32 x[PACK * ELEMENT_BYTES / 4 + (ELEMENT_BYTES == 1)];
  u32 w[PACK * WEIGHT_BYTES / 4];
};

HD_DEVICE weight_bits weight_of(const u32 *words, int i) {
#if WEIGHT_BYTES == 8
  return words[2 * i] | (u64)words[2 * i + 1] << 32;
#elif WEIGHT_BYTES == 4
  return words[i];
#elif WEIGHT_BYTES == 2
  return words[i / 2] >> (16 * (i % 2)) & 0xffffu;
#else
  return words[i / 4] >> (8 * (i % 4)) & 0xffu;
#endif
}

/* PACK things of `bytes` at `from`. */
HD_DEVICE void load_pack(const u8 *from, int bytes, u32 *words) {
#if HEDDLE_PACKED
  if (bytes == 8) {
    load_words(from, 16, 16, words);
    load_words(from + 16, 16, 16, words + 4);
  } else {
    load_words(from, PACK * bytes, PACK * bytes, words);
  }
#else
  load_words(from, bytes == 8 ? 16 : PACK * bytes, bytes, words);
  if (bytes == 8) load_words(from + 16, 16, 8, words + 4);
#endif
}

/* What a weight is instead of a number, or that it is too large. Slots that are no bins have no
 * sum, and nobody would clear their marks. */
HD_DEVICE void tell_mark(const struct hist_args *a, u64 counter, bool bin, u32 mark, u64 i) {
  if (mark == HD_MARK_TOO_LARGE)
    hd_fault((u64 *)a->fault, HD_FAULT_WEIGHT, i);
  else if (bin)
    atomicOr((u32 *)a->marks + counter, mark);
}

/* The counter of element i, which has a slot. */
HD_DEVICE u32 counter_of(const struct hist_args *a, u32 slot, u64 i) {
#if HEDDLE_CHANNELS == 1
  (void)a, (void)i;
  return slot;
#else
  return slot + (u32)((a->first_channel + i) % HEDDLE_CHANNELS) * a->slots;
#endif
}

/* Whether the counter is that of a bin: the sums of others are nobody's. */
HD_DEVICE bool is_bin(const struct hist_args *a, u32 counter) {
  return (HEDDLE_CHANNELS == 1 ? counter : counter % a->slots) < a->find.bins;
}

/* Whether the counter is one of this block's. */
HD_DEVICE bool is_mine(const struct hist_block *b, u32 counter) {
  return HEDDLE_WHERE != HD_WHERE_RANGES || counter - b->share.base < b->share.span;
}

/* What units do not hold of a weight: all that there is to do about it, but for adding *u. */
HD_DEVICE void weigh_special(const struct hist_args *a, const struct hist_block *b, u32 slot, u64 i,
                             weight_bits bits, struct units *u) {
  const u32 counter = counter_of(a, slot, i);
  const bool bin = slot < a->find.bins, guess = a->attempt == HD_ATTEMPT_GUESS;
  if (bin && weight_is_zero(bits)) {
    units_set(u, 0, 0);
    return;
  }
  const i32 room = HD_FIXED_BITS + (guess ? (i32)a->reach : 0);
  struct fixed w = fix_exact(bits, b->scale.exponent, room);
  if (guess) guess_note(b->seen, w.lead, w.lowest);
  if (!is_mine(b, counter)) return;
  const bool limbs = weigh_limbs(a, counter, bin, bits, &w);
  if (w.mark && !limbs && !(guess && w.mark == HD_MARK_TOO_LARGE))
    tell_mark(a, counter, bin, w.mark, i);
  const bool large = HEDDLE_THIN || limbs || w.lead > HD_FIXED_BITS; /* units have no room for it */
  u64 low = w.low >> REST_BITS | w.high << (64 - REST_BITS), high = w.high >> REST_BITS;
  if (w.negative) {
    low = ~low + 1;
    high = ~high + (low == 0);
  }
  units_set(u, large ? 0 : low, large ? 0 : high);
  if (bin && !limbs) weight_add(a, counter, &w, large);
#if !HEDDLE_COUNTED
  const u32 channel = counter / a->slots;
  if (!bin) atomicAdd(b->extras + channel * 3 + slot - a->find.bins, 1u);
#endif
}

/* weigh_special for the elements of a pack that want it. They move up turn by turn, so that the
 * code is there once, and arrays stay in registers. */
HD_DEVICE void weigh_specials(const struct hist_args *a, const struct hist_block *b, u64 first,
                              const struct pack *p, const u32 *slot, struct units *u) {
  u32 slots[PACK];
  weight_bits bits[PACK];
#pragma unroll
  for (int j = 0; j < PACK; j++) slots[j] = slot[j], bits[j] = weight_of(p->w, j);
#pragma unroll 1
  for (int turn = 0; turn < PACK; turn++) {
    struct units mine = u[0];
    if (!fix_units(bits[0], &b->scale, &mine) || (HEDDLE_CHANNELS > 1 && slots[0] >= a->find.bins))
      weigh_special(a, b, slots[0], first + turn, bits[0], &mine);
#pragma unroll
    for (int j = 1; j < PACK; j++) u[j - 1] = u[j], slots[j - 1] = slots[j], bits[j - 1] = bits[j];
    u[PACK - 1] = mine;
  }
}

/* Counts those elements of a pack that are in no bin; what units hold of their weights is nobody's. (Of
 * several channels weigh_specials does it: registers would not do.) */
HD_DEVICE void count_outside(const struct hist_args *a, const struct hist_block *b, const u32 *slot,
                             const u32 *counter, const bool *plain, struct units *u) {
#pragma unroll
  for (int j = 0; j < PACK; j++) {
    if (slot[j] < a->find.bins || !plain[j]) continue; /* weigh_special counts others */
    units_set(&u[j], 0, 0);
    if (is_mine(b, counter[j])) atomicAdd(b->extras + slot[j] - a->find.bins, 1u);
  }
}

/* Adds weights to counters, a constant number of them: all lowest words first, so that their answers
 * are waited for together. Each counts as so many elements. */
#if HEDDLE_THIN
#include "thin_add.h"
#elif HEDDLE_WHERE == HD_WHERE_GLOBAL
HD_DEVICE void weigh_add(const struct hist_args *a, const struct hist_block *b, const u32 *counter,
                         const struct units *u, int weights, u32 each) {
  u64 high[PACK];
  (void)b;
#pragma unroll
  for (int j = 0; j < weights; j++)
    high[j] = is_bin(a, counter[j]) ? units_add_global_low(a, counter[j], &u[j]) : 0;
#pragma unroll
  for (int j = 0; j < weights; j++) {
    units_add_global_high(a, counter[j], high[j]);
    if (HEDDLE_COUNTED) memory_add64((u64 *)a->totals + counter[j], each);
  }
}
#else
HD_DEVICE void weigh_add(const struct hist_args *a, const struct hist_block *b, const u32 *counter,
                         const struct units *u, int weights, u32 each) {
  (void)a;
  u32 carry[PACK];
#pragma unroll
  for (int j = 0; j < weights; j++)
    if (is_mine(b, counter[j]))
      carry[j] = units_add_low(b->words + (counter[j] - b->share.base) * HEDDLE_COPIES, &u[j]);
#pragma unroll
  for (int j = 0; j < weights; j++) {
    if (!is_mine(b, counter[j])) continue;
    u32 *words = b->words + (counter[j] - b->share.base) * HEDDLE_COPIES;
    units_add_rest(words, b->stride, &u[j], carry[j]);
#if HEDDLE_COUNTED
    atomicAdd(words + WORDS * b->stride, each);
#else
    (void)each;
#endif
  }
}
#endif

/* One weight. */
HD_DEVICE void weigh(const struct hist_args *a, const struct hist_block *b, u32 slot, u64 i,
                     weight_bits bits) {
  struct units u;
  if (!fix_units(bits, &b->scale, &u) || slot >= a->find.bins)
    weigh_special(a, b, slot, i, bits, &u);
  const u32 counter = counter_of(a, slot, i);
  weigh_add(a, b, &counter, &u, 1, 1);
}

/* All lanes of the warp arrive: whether all of them have one counter for all of their elements. */
HD_DEVICE bool warp_one_counter(const u32 *counter) {
  const u32 first = __shfl_sync(HD_ALL, counter[0], 0);
  bool same = true;
#pragma unroll
  for (int j = 0; j < PACK; j++) same = same && counter[j] == first;
  return __all_sync(HD_ALL, same) != 0;
}

#if !HEDDLE_THIN
/* All lanes of the warp arrive; they have one counter. */
HD_DEVICE void warp_weigh_together(const struct hist_args *a, const struct hist_block *b,
                                   u32 counter, struct units *u) {
#pragma unroll
  for (int j = 1; j < PACK; j++) units_add_units(&u[0], &u[j]);
#pragma unroll
  for (int d = 16; d; d /= 2) {
    struct units other;
#pragma unroll
    for (int k = 0; k < WORDS; k++) other.word[k] = __shfl_down_sync(HD_ALL, u[0].word[k], d);
    units_add_units(&u[0], &other);
  }
  if (threadIdx.x % 32 == 0) weigh_add(a, b, &counter, u, 1, 32 * PACK);
}
#endif

HD_DEVICE void load_one(const struct hist_args *a, u64 first, struct pack *p) {
  load_pack((const u8 *)a->in + first * ELEMENT_BYTES, ELEMENT_BYTES, p->x);
  load_pack((const u8 *)a->weights + first * WEIGHT_BYTES, WEIGHT_BYTES, p->w);
}

/* PACK elements from `first` on. whole: all lanes of the warp arrive. */
HD_DEVICE void warp_weigh_pack(const struct hist_args *a, const struct hist_block *b, u64 first,
                               const struct pack *p, bool whole) {
  key value[PACK];
  u32 slot[PACK], counter[PACK];
  struct units u[PACK];
  bool special = false, outside = false, plain[PACK];
#pragma unroll
  for (int j = 0; j < PACK; j++) value[j] = to_key(word_element(p->x, j));
  find_ranks(&a->find, b->buckets, value, slot, PACK);
#pragma unroll
  for (int j = 0; j < PACK; j++) {
    slot[j] = slot_of(&a->find, rank_of(slot[j]));
    counter[j] = counter_of(a, slot[j], first + j);
    plain[j] = fix_units(weight_of(p->w, j), &b->scale, &u[j]);
    special = special || !plain[j];
    outside = outside || slot[j] >= a->find.bins;
  }
  if (!HEDDLE_COUNTED && HEDDLE_CHANNELS > 1) special = special || outside;
  if (special) weigh_specials(a, b, first, p, slot, u);
  if (!HEDDLE_COUNTED && HEDDLE_CHANNELS == 1 && outside)
    count_outside(a, b, slot, counter, plain, u);
#if HEDDLE_COPIES < 32 && HEDDLE_CHANNELS == 1
  if (whole && warp_one_counter(counter)) {
    warp_weigh_together(a, b, counter[0], u);
    return;
  }
#endif
  weigh_add(a, b, counter, u, PACK, 1);
}

HD_DEVICE void weigh_one(const struct hist_args *a, const struct hist_block *b, u64 i) {
  u32 words[2];
  words[1] = 0;
  load_words((const u8 *)a->weights + i * WEIGHT_BYTES, WEIGHT_BYTES, WEIGHT_BYTES, words);
  u32 rank = settle_rank(&a->find, to_key(((const element *)a->in)[i]));
  weigh(a, b, slot_of(&a->find, rank), i, weight_of(words, 0));
}

/* The first element from which on both arrays can be loaded by packs; the host has seen to it that
 * there is one if HEDDLE_PACKED. */
HD_DEVICE u64 first_pack(const struct hist_args *a) {
  u64 head = 0;
#if HEDDLE_PACKED
  const u64 align = ELEMENT_BYTES == 8 ? 16 : PACK * ELEMENT_BYTES;
  const u64 weights_align = WEIGHT_BYTES == 8 ? 16 : PACK * WEIGHT_BYTES;
  while (head < PACK - 1 && ((a->in + head * ELEMENT_BYTES) % align ||
                             (a->weights + head * WEIGHT_BYTES) % weights_align))
    head++;
#endif
  return head < a->count ? head : a->count;
}

/* Tiles of PACKS packs a thread; returns the first element behind them. */
HD_DEVICE u64 warp_weigh_tiles(const struct hist_args *a, const struct hist_block *b, u64 head) {
  const u64 tile = (u64)STEP * PACKS, tiles = (a->count - head) / tile;
  const u64 mine = head + threadIdx.x * PACK, step = b->share.members;
  struct pack now[PACKS], next[PACKS];
  u64 t = b->share.member;
  if (t < tiles)
#pragma unroll
    for (int k = 0; k < PACKS; k++) load_one(a, mine + t * tile + (u64)k * STEP, &next[k]);
  for (; t < tiles; t += step) {
#pragma unroll
    for (int k = 0; k < PACKS; k++) now[k] = next[k];
    if (t + step < tiles)
#pragma unroll
      for (int k = 0; k < PACKS; k++)
        load_one(a, mine + (t + step) * tile + (u64)k * STEP, &next[k]);
#pragma unroll
    for (int k = 0; k < PACKS; k++)
      warp_weigh_pack(a, b, mine + t * tile + (u64)k * STEP, &now[k], true);
  }
  return head + tiles * tile;
}

HD_DEVICE void warp_weigh_all(const struct hist_args *a, const struct hist_block *b) {
  const u64 head = first_pack(a), ends = head + (a->count - head) / PACK * PACK;
  for (u64 i = warp_weigh_tiles(a, b, head) +
               (b->share.member * HEDDLE_THREADS + threadIdx.x) * (u64)PACK;
       i < ends; i += b->share.members * (u64)STEP) {
    struct pack p;
    load_one(a, i, &p);
    warp_weigh_pack(a, b, i, &p, false);
  }
  if (b->share.member) return;
  if (threadIdx.x < head) weigh_one(a, b, threadIdx.x);
  if (threadIdx.x < a->count - ends) weigh_one(a, b, ends + threadIdx.x);
}

/* All threads arrive, after a barrier behind the last addition. */
HD_DEVICE void weights_flush(const struct hist_args *a, const struct hist_block *b,
                             const u32 *words) {
#if HEDDLE_WHERE != HD_WHERE_GLOBAL
  const u32 span = b->share.span, turn = span / b->share.members * b->share.member;
  for (u32 i = threadIdx.x; i < span; i += HEDDLE_THREADS) {
    const u32 at = i + turn < span ? i + turn : i + turn - span; /* as in counters_flush */
    const u64 counter = (u64)b->share.base + at;
    if (is_bin(a, (u32)counter))
      units_flush(a, words + at * HEDDLE_COPIES, b->stride, HEDDLE_COPIES, counter);
#if HEDDLE_COUNTED
    u32 count = 0;
    for (u32 k = 0; k < HEDDLE_COPIES; k++)
      count +=
          words[WORDS * b->stride + at * HEDDLE_COPIES + ((k + threadIdx.x) & (HEDDLE_COPIES - 1))];
    if (count) memory_add64((u64 *)a->totals + counter, count);
#endif
  }
#endif
  if (threadIdx.x < EXTRAS && b->extras[threadIdx.x]) {
    u64 counter = (u64)threadIdx.x / 3 * a->slots + a->find.bins + threadIdx.x % 3;
    atomicAdd((u64 *)a->totals + counter, (u64)b->extras[threadIdx.x]);
  }
}

HD_KERNEL __launch_bounds__(HEDDLE_THREADS, 1)
    heddle_histogram_weights(const __grid_constant__ struct hist_args a) {
  extern __shared__ u32 shared[];
  __shared__ u32 extras[EXTRAS], seen[2];
  struct hist_block b;
  if (guess_spares(&a)) return;
  b.extras = extras;
  b.seen = seen;
  b.share = share_of(&a);
  b.stride = a.span * HEDDLE_COPIES;
  b.words = shared + warp_copy(HEDDLE_COPIES);
  u32 *behind = shared + ((PLANES * b.stride + 1) & ~1u);
  b.buckets = behind;
  b.scale = scale_of(&a, fixed_exponent(&a));
  if (threadIdx.x < EXTRAS) extras[threadIdx.x] = 0;
  if (threadIdx.x < 2) seen[threadIdx.x] = 0;
#if HEDDLE_WHERE != HD_WHERE_GLOBAL
  for (u32 i = threadIdx.x; i < PLANES * b.stride; i += HEDDLE_THREADS) shared[i] = 0;
#endif
  buckets_load(&a, behind);
  __syncthreads(); /* all counters are zero, buckets are there */
  warp_weigh_all(&a, &b);
  __syncthreads(); /* all is added */
  weights_flush(&a, &b, shared);
  if (a.attempt == HD_ATTEMPT_GUESS && threadIdx.x < 2) guess_flush(&a, seen);
#if !HEDDLE_EXACT
  if (a.finish) block_finish(&a);
#endif
}
