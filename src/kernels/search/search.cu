/* search.cu - where values would be put into a sorted array
 *
 * Result   index[i] = how many elements of the table are below values[i], or, HEDDLE_RIGHT, not above it
 * Defines  kernels/sort/key.h's, HEDDLE_ORDER 0 or 2; HEDDLE_THREADS; HEDDLE_RIGHT; HEDDLE_INDEX_BYTES 4 or 8;
 *          HEDDLE_VECTOR 1: values and index begin at multiples of 16 bytes
 * Launch   any number of blocks of HEDDLE_THREADS
 * Memory   dynamic shared memory: SEARCH_COPIES keys for each of the 2^top nodes above, and one for each of the
 *          others
 * Method   A complete tree in the order of its levels lies in shared memory: node k has 2k and 2k + 1 below it.
 *          Levels above have a copy a lane, in banks of its own; lower ones are shared, and lanes that want
 *          different words of a bank wait. Several values a thread are on their way down at once. Where the tree
 *          has only some of the elements, what lies between two of them is halved in global memory. Nodes
 *          beyond the table have the greatest key: they count for a value with that key alone, for which the
 *          answer is the whole table.
 * Source   Eytzinger's order: Khuong and Morin 2017, Array layouts for comparison-based searching */
#include "kernels/sort/key.h"

#include "args.h"

#define SEARCH_COPIES (HEDDLE_KEY_BYTES == 8 ? 16u : 32u)
#define PER (16 / HEDDLE_KEY_BYTES) /* values of a vector */
#define VECTORS (HEDDLE_KEY_BYTES == 8 ? 4 : HEDDLE_KEY_BYTES == 4 ? 2 : 1)
#define ITEMS (PER * VECTORS)

#if HEDDLE_INDEX_BYTES == 8
typedef u64 search_index;
#else
typedef u32 search_index;
#endif

extern __shared__ uint4 search_room[];

HD_DEVICE bool is_below(sort_key node, sort_key x) { return HEDDLE_RIGHT ? node <= x : node < x; }

HD_DEVICE sort_key table_key(const struct search_args *a, u64 at) {
  return key_of(&a->map, ((const key_bits *)a->sorted)[at]);
}

/* Node k of the tree, counted from 1: the deepest nodes are every other one in order. */
HD_DEVICE sort_key node_key(const struct search_args *a, u32 k) {
  const u32 depth = 31u - (u32)__clz((i32)k);
  const u64 rank = (u64)(2 * (k - (1u << depth)) + 1) << (a->levels - 1 - depth);
  const u64 at = (rank << a->shift) - 1;
  return at < a->sorted_count ? table_key(a, at) : KEY_ALL;
}

/* All threads arrive. */
HD_DEVICE void block_make_tree(const struct search_args *a, sort_key *room) {
  const u32 copied = SEARCH_COPIES << a->top, all = copied + (1u << a->levels) - (1u << a->top);
#pragma unroll 4
  for (u32 i = threadIdx.x; i < all; i += HEDDLE_THREADS) {
    const u32 k = i < copied ? i / SEARCH_COPIES : i - copied + (1u << a->top);
    if (k && a->levels) room[i] = node_key(a, k);
  }
  __syncthreads(); /* the tree is there */
}

/* The elements between two of the tree. */
HD_DEVICE u64 thread_halve(const struct search_args *a, u64 low, sort_key x) {
#pragma unroll 1
  for (u32 s = a->shift; s-- > 0;) {
    const u64 at = low + (1ull << s) - 1;
    if (at < a->sorted_count && is_below(table_key(a, at), x)) low = at + 1;
  }
  return low;
}

HD_DEVICE void thread_search(const struct search_args *a, const sort_key *room, const sort_key *x,
                             search_index *found) {
  const sort_key *const mine = room + threadIdx.x % SEARCH_COPIES;
  const sort_key *const low = room + (SEARCH_COPIES << a->top) - (1u << a->top);
  u32 k[ITEMS];
#pragma unroll
  for (u32 j = 0; j < ITEMS; j++) k[j] = 1;
#pragma unroll 1
  for (u32 d = 0; d < a->top; d++)
#pragma unroll
    for (u32 j = 0; j < ITEMS; j++) k[j] = 2 * k[j] + is_below(mine[k[j] * SEARCH_COPIES], x[j]);
#pragma unroll 1
  for (u32 d = a->top; d < a->levels; d++)
#pragma unroll
    for (u32 j = 0; j < ITEMS; j++) k[j] = 2 * k[j] + is_below(low[k[j]], x[j]);
#pragma unroll
  for (u32 j = 0; j < ITEMS; j++) {
    u64 at = (u64)(k[j] - (1u << a->levels)) << a->shift;
    if (at > a->sorted_count) at = a->sorted_count;
    found[j] = (search_index)(a->shift ? thread_halve(a, at, x[j]) : at);
  }
}

/* Values first .. of a tile of which `left` are there, a thread apart. */
HD_DEVICE void block_search_some(const struct search_args *a, const sort_key *room, u64 first,
                                 u64 left) {
  const key_bits *const values = (const key_bits *)a->values + first;
  search_index *const index = (search_index *)a->index + first;
  sort_key x[ITEMS];
  search_index found[ITEMS];
#pragma unroll
  for (u32 j = 0; j < ITEMS; j++) {
    const u32 i = threadIdx.x + j * HEDDLE_THREADS;
    x[j] = i < left ? key_of(&a->map, values[i]) : 0;
  }
  thread_search(a, room, x, found);
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
HD_DEVICE void block_search_tile(const struct search_args *a, const sort_key *room, u64 first) {
  const uint4 *const values = (const uint4 *)((const key_bits *)a->values + first);
  search_index *const index = (search_index *)a->index + first;
  sort_key x[ITEMS];
  search_index found[ITEMS];
  uint4 vector[VECTORS];
#pragma unroll
  for (u32 j = 0; j < VECTORS; j++) vector[j] = load16(values + threadIdx.x + j * HEDDLE_THREADS);
#pragma unroll
  for (u32 j = 0; j < VECTORS; j++) {
    const u32 words[4] = {vector[j].x, vector[j].y, vector[j].z, vector[j].w};
#pragma unroll
    for (u32 i = 0; i < PER; i++) x[j * PER + i] = key_of(&a->map, vector_bits(words, i));
  }
  thread_search(a, room, x, found);
#pragma unroll
  for (u32 j = 0; j < VECTORS; j++)
    thread_put_vector(index + (threadIdx.x + j * HEDDLE_THREADS) * PER, found + j * PER);
}
#endif

/* Registers for all values of a thread: without a word on it some are put into memory. */
HD_KERNEL __launch_bounds__(HEDDLE_THREADS, 2)
    heddle_search(const __grid_constant__ struct search_args a) {
  sort_key *const room = (sort_key *)search_room;
  const u64 tile = (u64)HEDDLE_THREADS * ITEMS;
  block_make_tree(&a, room);
  for (u64 first = blockIdx.x * tile; first < a.count; first += gridDim.x * tile) {
    const u64 left = a.count - first;
#if HEDDLE_VECTOR
    if (left >= tile) {
      block_search_tile(&a, room, first);
      continue;
    }
#endif
    block_search_some(&a, room, first, left < tile ? left : tile);
  }
}
