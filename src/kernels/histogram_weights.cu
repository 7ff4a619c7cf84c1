/* histogram_weights.cu - the sum of the weights in each bin, and how many elements there are
 *
 * Result   amounts[cell] += the weights of each cell, in fixed point; marks; totals too, if
 *          HEDDLE_COUNTED or where a slot is no bin; with a.finish the output itself
 * Defines  HEDDLE_TYPE, HEDDLE_KEY, HEDDLE_WAY, HEDDLE_BITS (histogram_find.h), HEDDLE_WEIGHT
 *          (histogram_fixed.h), HEDDLE_WHERE, HEDDLE_CHANNELS 1 to 4, HEDDLE_THREADS, HEDDLE_BLOCKS,
 *          HEDDLE_COUNTED, HEDDLE_PACKED 1: elements and weights can be loaded by fours
 * Launch   any number of blocks of HEDDLE_THREADS; HD_WHERE_RANGES: a multiple of a.ranges
 * Memory   dynamic shared memory: DIGITS (+ 1 if HEDDLE_COUNTED) words a cell of the block's span,
 *          then for HD_WAY_CELLS the cells
 * Order    none shows: the sums are integers of 128 bits
 * Method   Cells have their digits in shared memory, whose rare overflows go on to global memory.
 * Source   docs/order.md, rule 14 */
#include "histogram_find.h"

#include "histogram_count.h"
#include "histogram_finish.h"
#include "histogram_fixed.h"

#define PACK 4  /* elements a thread loads side by side */
#define PACKS 4 /* loads in flight a thread */
#define STEP (HEDDLE_THREADS * PACK)
#define PLANES (DIGITS + HEDDLE_COUNTED)
#define EXTRAS (3 * HEDDLE_CHANNELS)

struct hist_block {
  struct hist_share share;
  u32 *words; /* PLANES of share.span */
  const u32 *cells;
  u32 *extras; /* of each channel: below, above, NaN */
  i32 exponent;
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

/* What a weight is instead of a number, or that it is too large. Slots that are no bins have no sum, and
 * nobody would clear their marks. */
HD_DEVICE void tell_mark(const struct hist_args *a, u64 cell, bool bin, u32 mark, u64 i) {
  if (mark == HD_MARK_TOO_LARGE)
    hd_fault((u64 *)a->fault, HD_FAULT_WEIGHT, i);
  else if (bin)
    atomicOr((u32 *)a->marks + cell, mark);
}

/* Adds a weight to its cell; i is the element's number. */
HD_DEVICE void weigh(const struct hist_args *a, const struct hist_block *b, u32 slot, u64 i,
                     weight_bits bits) {
  const u32 channel = HEDDLE_CHANNELS == 1 ? 0 : (u32)((a->first_channel + i) % HEDDLE_CHANNELS);
  const u32 cell = slot + channel * a->slots;
#if HEDDLE_WHERE == HD_WHERE_RANGES
  if (cell - b->share.base >= b->share.span) return;
#endif
  struct fixed w = fix_weight(bits, b->exponent);
  if (w.mark) tell_mark(a, cell, slot < a->find.bins, w.mark, i);
  if (slot >= a->find.bins) { /* these have no sum */
    atomicAdd(b->extras + channel * 3 + slot - a->find.bins, 1u);
    return;
  }
#if HEDDLE_WHERE == HD_WHERE_GLOBAL
  weight_add(a, cell, &w);
#if HEDDLE_COUNTED
  atomicAdd((u64 *)a->totals + cell, 1ull);
#endif
#else
  const u32 stride = b->share.span, at = cell - b->share.base;
  digits_add(a, b->words + at, stride, cell, &w);
#if HEDDLE_COUNTED
  atomicAdd(&b->words[DIGITS * stride + at], 1u);
#endif
#endif
}

HD_DEVICE void weigh_one(const struct hist_args *a, const struct hist_block *b, u64 i) {
  u32 words[2];
  words[1] = 0;
  load_words((const u8 *)a->weights + i * WEIGHT_BYTES, WEIGHT_BYTES, WEIGHT_BYTES, words);
  u32 rank = settle_rank(&a->find, to_key(((const element *)a->in)[i]));
  weigh(a, b, slot_of(&a->find, rank), i, weight_of(words, 0));
}

/* PACK elements from `first` on for every k < packs, STEP further each. */
HD_DEVICE void weigh_packs(const struct hist_args *a, const struct hist_block *b, u64 first,
                           int packs) {
  u32 x[PACKS][PACK * ELEMENT_BYTES / 4 + 1], w[PACKS][PACK * WEIGHT_BYTES / 4 + 1];
#pragma unroll
  for (int k = 0; k < packs; k++) {
    load_pack((const u8 *)a->in + (first + (u64)k * STEP) * ELEMENT_BYTES, ELEMENT_BYTES, x[k]);
    load_pack((const u8 *)a->weights + (first + (u64)k * STEP) * WEIGHT_BYTES, WEIGHT_BYTES, w[k]);
  }
#pragma unroll
  for (int k = 0; k < packs; k++) {
    key value[PACK];
    u32 rank[PACK];
#pragma unroll
    for (int j = 0; j < PACK; j++) value[j] = to_key(word_element(x[k], j));
    find_ranks(&a->find, b->cells, value, rank, PACK);
#pragma unroll
    for (int j = 0; j < PACK; j++)
      weigh(a, b, slot_of(&a->find, rank[j]), first + (u64)k * STEP + j, weight_of(w[k], j));
  }
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

HD_DEVICE void weigh_all(const struct hist_args *a, const struct hist_block *b) {
  const u64 head = first_pack(a), ends = head + (a->count - head) / PACK * PACK;
  const u64 tile = (u64)STEP * PACKS, tiles = (a->count - head) / tile;
  for (u64 t = b->share.member; t < tiles; t += b->share.members)
    weigh_packs(a, b, head + t * tile + threadIdx.x * PACK, PACKS);
  for (u64 i = head + tiles * tile + (b->share.member * HEDDLE_THREADS + threadIdx.x) * (u64)PACK;
       i < ends; i += b->share.members * (u64)STEP)
    weigh_packs(a, b, i, 1);
  if (b->share.member) return;
  if (threadIdx.x < head) weigh_one(a, b, threadIdx.x);
  if (threadIdx.x < a->count - ends) weigh_one(a, b, ends + threadIdx.x);
}

/* All threads arrive, after a barrier behind the last addition. */
HD_DEVICE void weights_flush(const struct hist_args *a, const struct hist_block *b) {
#if HEDDLE_WHERE != HD_WHERE_GLOBAL
  const u32 stride = b->share.span;
  for (u32 i = threadIdx.x; i < stride; i += HEDDLE_THREADS) {
    u64 cell = (u64)b->share.base + i;
    digits_flush(a, b->words + i, stride, cell);
#if HEDDLE_COUNTED
    u32 count = b->words[DIGITS * stride + i];
    if (count) atomicAdd((u64 *)a->totals + cell, (u64)count);
#endif
  }
#endif
  if (threadIdx.x < EXTRAS && b->extras[threadIdx.x]) {
    u64 cell = (u64)threadIdx.x / 3 * a->slots + a->find.bins + threadIdx.x % 3;
    atomicAdd((u64 *)a->totals + cell, (u64)b->extras[threadIdx.x]);
  }
}

HD_KERNEL __launch_bounds__(HEDDLE_THREADS, HEDDLE_BLOCKS)
    histogram_weights(const __grid_constant__ struct hist_args a) {
  extern __shared__ u32 shared[];
  __shared__ u32 extras[EXTRAS];
  struct hist_block b;
  b.extras = extras;
  b.share = share_of(&a);
  b.words = shared;
  b.cells = shared + PLANES * a.span;
  b.exponent = fixed_exponent(&a);
  if (threadIdx.x < EXTRAS) extras[threadIdx.x] = 0;
#if HEDDLE_WHERE != HD_WHERE_GLOBAL
  for (u32 i = threadIdx.x; i < PLANES * b.share.span; i += HEDDLE_THREADS) shared[i] = 0;
#endif
#if HEDDLE_WAY == HD_WAY_CELLS
  for (u32 i = threadIdx.x; i <= a.find.place_last >> a.find.place_bits; i += HEDDLE_THREADS)
    shared[PLANES * a.span + i] = __ldg((const u32 *)a.packed + i);
#endif
  __syncthreads(); /* all counters are zero, cells are there */
  weigh_all(&a, &b);
  __syncthreads(); /* all is added */
  weights_flush(&a, &b);
  if (a.finish) finish_block(&a);
}
