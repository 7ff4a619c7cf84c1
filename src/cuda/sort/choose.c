/* choose.c - how large the blocks of sorts are: a table by the size of keys and values
 *
 * Method   The first line that takes a key and a value; smaller tiles where there are few of them. Results
 *          do not depend on it. */
#include "sort.h"

struct line {
  u32 keys, values; /* bytes of a key, of a value, at most */
  struct hd_cuda_sort_sizes sizes, few;
};

/* On an H100 (2026-11-26), Gkey/s. 2^28 u32, CUB 48.3: 256 threads of 32 51.2 (their first step 1.05 ms, as
 * equal digits may come in any order, the others 1.25), 30 of them 50.7, 320 of 26 49.9, 256 of 36 49.9; all
 * steps stable: 49.6, and without the next tile's prefetch 47.2; 384 of 20 45.8, 512 of 16 39.7. Looks back
 * before ranking: 29.7 to 38.3; between ranked rows: 34.9 to 45.5; one block that adds up for all: 6.7 to
 * 14.9; 4 tiles a look 45.5, 2: 45.8, 1: 43.7.
 * 2^27 u64, CUB 15.6: 512 of 16 15.7, 384 of 20 15.6, 256 of 24 15.5, 384 of 12 14.5. 2^28 pairs of 4 bytes,
 * CUB 29.2: 384 of 24 28.2, 512 of 20 28.0, 384 of 28 27.9, 256 of 22 25.8, 512 of 16, two an SM, 21.1.
 * 2^27 keys of 8 bytes with 4, ms: 384 of 20 11.57, 256 of 16 11.84, 384 of 16 11.93, 384 of 12 12.71.
 * 2^20 u32: 384 of 12 82 us, 256 of 16 85, 256 of 32 85, 512 of 8 89. */
static const struct line step_lines[] = {
    {4, 0, {256, 32, 2}, {384, 12, 2}}, {4, 4, {384, 24, 1}, {256, 12, 2}},
    {8, 0, {512, 16, 1}, {256, 12, 2}}, {8, 4, {384, 20, 1}, {256, 8, 2}},
    {8, 8, {384, 12, 1}, {256, 8, 2}},  {8, 16, {256, 8, 2}, {256, 8, 2}}};

enum {
  SOFTWARE_THREADS = 256,
  SOFTWARE_ITEMS = 4,
  BLOCK_THREADS = 512,
  BLOCK_ITEMS = 16,
  WIDE_ITEMS = 12,
  SMALL_ITEMS = 8,
  FEW_TILES = 2 /* an SM */
};

struct hd_cuda_sort_sizes hd_cuda_sort_block_sizes(const struct hd_cuda_limits *limits,
                                                   u32 key_bytes, u32 value_bytes) {
  struct hd_cuda_sort_sizes sizes = {BLOCK_THREADS, BLOCK_ITEMS, 1};
  if (key_bytes == 8 || value_bytes >= 8) sizes.items = WIDE_ITEMS; /* that registers hold */
  if (key_bytes + value_bytes >= 24) sizes.items = SMALL_ITEMS;
  if (limits->shared_per_block < 128 << 10) sizes.items = SMALL_ITEMS;
  if (limits->software) sizes = (struct hd_cuda_sort_sizes){SOFTWARE_THREADS, SOFTWARE_ITEMS, 1};
  return sizes;
}

struct hd_cuda_sort_sizes hd_cuda_sort_step_sizes(const struct hd_cuda_limits *limits,
                                                  u32 key_bytes, u32 value_bytes, u64 elements) {
  const struct line *line = step_lines;
  while (line->keys < key_bytes || line->values < value_bytes) line++;
  struct hd_cuda_sort_sizes sizes = line->sizes;
  if (elements / (sizes.threads * sizes.items) < FEW_TILES * (u64)limits->sms) sizes = line->few;
  while (limits->threads_per_sm < (int)(sizes.threads * sizes.blocks)) sizes.blocks--;
  if (limits->software) sizes = (struct hd_cuda_sort_sizes){SOFTWARE_THREADS, SOFTWARE_ITEMS, 1};
  return sizes;
}
