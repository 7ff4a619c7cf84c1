/* order_free_place.h - what a thread keeps of the elements it has seen, of an argreduce
 *
 * Result   place_start()        nothing seen
 *          warp_take_places(..) some vectors of 16 bytes more
 *          warp_place_total(..) what the warp's come to, in all its lanes; without the element's bits
 * Defines  as order/device/total.h; HEDDLE_CC
 * Who      all lanes of the warp arrive
 * Method   The least key of a lane's vectors costs what an extreme does. Only where one of the warp's lanes
 *          has less than all have seen so far are places looked for, and only by lanes that have the least of
 *          them all: first the vector, then the element in it. A place is 32 bits, from the block's first
 *          element on, and the least key is the same in all lanes. Later vectors have later places: equal keys
 *          change nothing.
 * Limits   totals of HD_TOTAL_ARG; fewer than 2^32 elements of a block */
#ifndef HEDDLE_KERNELS_FOLD_ORDER_FREE_PLACE_H
#define HEDDLE_KERNELS_FOLD_ORDER_FREE_PLACE_H

#include "order/device/total.h"

#define PLACE_ELEMENTS (16 / ELEMENT_BYTES)
#define PLACE_NONE 0xffffffffu

struct places {
  arg_key_type best; /* the least key that the warp has seen, */
  bool some;         /* if it has seen one */
  u32 at;            /* the first of this lane's elements that has it */
};
HD_DEVICE struct places place_start(void) {
  struct places p;
  p.best = 0, p.some = false, p.at = PLACE_NONE;
  return p;
}

HD_DEVICE u32 warp_least_place(u32 at) {
#if HEDDLE_CC >= 80
  return __reduce_min_sync(HD_ALL, at);
#else
#pragma unroll
  for (int h = 16; h; h >>= 1) {
    const u32 other = __shfl_xor_sync(HD_ALL, at, h);
    at = other < at ? other : at;
  }
  return at;
#endif
}
HD_DEVICE arg_key_type warp_least_key(arg_key_type key) {
#if HEDDLE_CC >= 80 && ELEMENT_BYTES < 8
  return __reduce_min_sync(HD_ALL, key);
#else
#pragma unroll
  for (int h = 16; h; h >>= 1) {
    const arg_key_type other = __shfl_xor_sync(HD_ALL, key, h);
    key = other < key ? other : key;
  }
  return key;
#endif
}

/* The least key of a vector. */
HD_DEVICE arg_key_type vector_least(const u32 *words) {
  arg_key_type least = arg_key(word_element(words, 0));
#pragma unroll
  for (int e = 1; e < PLACE_ELEMENTS; e++) {
    const arg_key_type key = arg_key(word_element(words, e));
    least = key < least ? key : least;
  }
  return least;
}

/* Where key is: element e of vector v is at v * stride + e. */
HD_DEVICE u32 place_of(u32 words[][4], const arg_key_type *least, int how_many, u32 stride,
                       arg_key_type key) {
  u32 at = 0, word[4];
#pragma unroll
  for (int w = 0; w < 4; w++) word[w] = words[0][w];
  bool found = least[0] == key;
#pragma unroll
  for (int v = 1; v < how_many; v++) {
    const bool here = !found && least[v] == key;
    at = here ? v * stride : at;
#pragma unroll
    for (int w = 0; w < 4; w++) word[w] = here ? words[v][w] : word[w];
    found = found || here;
  }
  u32 element_at = 0;
#pragma unroll
  for (int e = PLACE_ELEMENTS - 1; e > 0; e--)
    if (arg_key(word_element(word, e)) == key) element_at = (u32)e;
  return at + (arg_key(word_element(word, 0)) == key ? 0 : element_at);
}

/* how_many vectors, a constant, of which the first element has the place `at`; is_in: the lane has them. */
HD_DEVICE void warp_take_places(struct places *p, u32 words[][4], int how_many, u32 at, u32 stride,
                                bool is_in) {
  arg_key_type of[8], least;
#pragma unroll
  for (int v = 0; v < how_many; v++) {
    of[v] = vector_least(words[v]);
    least = v && least < of[v] ? least : of[v];
  }
  const bool better = is_in && !arg_is_none(least) && (!p->some || least < p->best);
  if (!__any_sync(HD_ALL, better)) return;
  p->best = warp_least_key(better ? least : ARG_WORST), p->some = true;
  p->at = PLACE_NONE;
  if (better && least == p->best) p->at = at + place_of(words, of, how_many, stride, least);
}

/* `base`: the index of the block's first element. */
HD_DEVICE total warp_place_total(const struct places *p, u64 base) {
  const u32 at = warp_least_place(p->at);
  total t = total_identity();
  if (p->some) t.key = p->best, t.index = base + at;
  return t;
}

#endif
