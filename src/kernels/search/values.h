/* values.h - the values of a block, tile by tile, and where their positions go
 *
 * Result   block_search_values  every value of the launch, by thread_search
 * Defines  kernels/sort/key.h's, HEDDLE_ORDER 0 or 2; HEDDLE_THREADS; HEDDLE_RIGHT; HEDDLE_INDEX_BYTES 4 or 8;
 *          HEDDLE_VECTOR 1: values and index begin at multiples of 16 bytes
 * Needs    before it search_value, what values are compared as, value_of(a, bits), one of them, and, defined later,
 *          thread_search(a, x, found): the positions of ITEMS values by what is in shared memory
 * Method   Several values a thread are on their way at once. */
#ifndef HEDDLE_KERNELS_SEARCH_VALUES_H
#define HEDDLE_KERNELS_SEARCH_VALUES_H

#include "kernels/sort/key.h"

#include "args.h" /* needs its types */

#define PER (16 / HEDDLE_KEY_BYTES) /* values of a vector */
#define VECTORS (HEDDLE_KEY_BYTES == 8 ? 4 : HEDDLE_KEY_BYTES == 4 ? 2 : 1)
#define ITEMS (PER * VECTORS)

#if HEDDLE_INDEX_BYTES == 8
typedef u64 search_index;
#else
typedef u32 search_index;
#endif

HD_DEVICE void thread_search(const struct search_args *a, const search_value *x,
                             search_index *found);

/* Values first .. of a tile of which `left` are there, a thread apart. */
HD_DEVICE void block_search_some(const struct search_args *a, u64 first, u64 left) {
  const key_bits *const values = (const key_bits *)a->values + first;
  search_index *const index = (search_index *)a->index + first;
  search_value x[ITEMS];
  search_index found[ITEMS];
#pragma unroll
  for (u32 j = 0; j < ITEMS; j++) {
    const u32 i = threadIdx.x + j * HEDDLE_THREADS;
    x[j] = i < left ? value_of(a, values[i]) : (search_value)0;
  }
  thread_search(a, x, found);
#pragma unroll
  for (u32 j = 0; j < ITEMS; j++) {
    const u32 i = threadIdx.x + j * HEDDLE_THREADS;
    if (i < left) index[i] = found[j];
  }
}

#if HEDDLE_VECTOR
HD_DEVICE key_bits vector_bits(const u32 *words, u32 i) {
#if HEDDLE_KEY_BYTES == 8
  return words[2 * i] | (u64)words[2 * i + 1] << 32;
#elif HEDDLE_KEY_BYTES == 4
  return words[i];
#else
  return (key_bits)(words[i * HEDDLE_KEY_BYTES / 4] >> (i * HEDDLE_KEY_BYTES % 4 * 8));
#endif
}

/* PER positions at a multiple of as many. */
HD_DEVICE void thread_put_vector(search_index *to, const search_index *found) {
#if HEDDLE_INDEX_BYTES == 8
#pragma unroll
  for (u32 i = 0; i < PER; i += 2) {
    const uint4 two = {(u32)found[i], (u32)(found[i] >> 32), (u32)found[i + 1],
                       (u32)(found[i + 1] >> 32)};
    store16_stream(to + i, two);
  }
#elif PER == 2
  const uint2 two = {found[0], found[1]};
  store8_stream(to, two);
#else
#pragma unroll
  for (u32 i = 0; i < PER; i += 4) {
    const uint4 four = {found[i], found[i + 1], found[i + 2], found[i + 3]};
    store16_stream(to + i, four);
  }
#endif
}

/* A whole tile, in vectors. */
HD_DEVICE void block_search_tile(const struct search_args *a, u64 first) {
  const uint4 *const values = (const uint4 *)((const key_bits *)a->values + first);
  search_index *const index = (search_index *)a->index + first;
  search_value x[ITEMS];
  search_index found[ITEMS];
  uint4 vector[VECTORS];
#pragma unroll
  for (u32 j = 0; j < VECTORS; j++) vector[j] = load16(values + threadIdx.x + j * HEDDLE_THREADS);
#pragma unroll
  for (u32 j = 0; j < VECTORS; j++) {
    const u32 words[4] = {vector[j].x, vector[j].y, vector[j].z, vector[j].w};
#pragma unroll
    for (u32 i = 0; i < PER; i++) x[j * PER + i] = value_of(a, vector_bits(words, i));
  }
  thread_search(a, x, found);
#pragma unroll
  for (u32 j = 0; j < VECTORS; j++)
    thread_put_vector(index + (threadIdx.x + j * HEDDLE_THREADS) * PER, found + j * PER);
}
#endif

HD_DEVICE void block_search_values(const struct search_args *a) {
  const u64 tile = (u64)HEDDLE_THREADS * ITEMS;
  for (u64 first = blockIdx.x * tile; first < a->count; first += gridDim.x * tile) {
    const u64 left = a->count - first;
#if HEDDLE_VECTOR
    if (left >= tile) {
      block_search_tile(a, first);
      continue;
    }
#endif
    block_search_some(a, first, left < tile ? left : tile);
  }
}

#endif
