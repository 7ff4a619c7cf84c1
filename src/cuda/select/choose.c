/* choose.c - how large the tiles of select and of runs are
 *
 * Method   A block has a tile on its way from memory and two in shared memory. Tiles of 32 KiB of the larger of keys and
 *          values, or 16 where those are bytes: on one H100 half of 2^28 f32 came at 2,404 GB/s; tiles of 16 KiB, by
 *          four blocks, at 2,286, of 24 KiB at 2,111, and 32 KiB by blocks of half as many threads at 2,296. Short
 *          arrays want blocks for all processors. Keys and values apart take registers for both. Results do not depend on it. */
#include "select.h"

enum {
  THREADS = 512,
  BLOCKS = 2,
  SHORT_THREADS = 256,
  SHORT_BLOCKS = 4,
  REGISTER_BLOCKS = 3, /* threads have two arrays, or more elements of one or two bytes */
  SHORT_MOST = 1 << 22,
  SOFTWARE_THREADS = 128,
  LEAST_ITEMS = 4,
  MOST_ITEMS = 32,
  SPARED = 1 << 20,
  STATIC_BYTES = 8192 /* of compact.cu, and what a driver takes */
};

u32 hd_cuda_select_shared(const struct hd_cuda_select_sizes *sizes, u32 value_bytes,
                          u32 position_bytes) {
  const u32 tile = sizes->threads * sizes->items;
  return 2 * ((value_bytes ? tile * value_bytes + 16 : 0) + (position_bytes ? 2 * tile : 0));
}

struct hd_cuda_select_sizes hd_cuda_select_sizes(const struct hd_cuda_limits *limits, u64 count,
                                                 u32 key_bytes, u32 value_bytes, bool apart) {
  const u32 largest = value_bytes > key_bytes ? value_bytes : key_bytes;
  struct hd_cuda_select_sizes sizes = {THREADS, (apart ? 32u : 64u) / largest, BLOCKS};
  if (sizes.items > (u32)MOST_ITEMS / (apart ? 2 : 1))
    sizes.items = (u32)MOST_ITEMS / (apart ? 2 : 1);
  if (sizes.items < LEAST_ITEMS) sizes.items = LEAST_ITEMS;
  const u32 most = hd_cuda_select_shared(&sizes, value_bytes, 1) + STATIC_BYTES;
  if (count <= SHORT_MOST || most > (u32)limits->shared_per_block)
    sizes.threads = SHORT_THREADS, sizes.blocks = SHORT_BLOCKS;
  if (apart || largest < 4) sizes.threads = SHORT_THREADS, sizes.blocks = REGISTER_BLOCKS;
  if (limits->software) sizes.threads = SOFTWARE_THREADS, sizes.blocks = 1;
  return sizes;
}

/* A tile's count, and what comes before it, have 32 bits (kernels/select/look_back.h). */
u64 hd_cuda_select_most(const struct hd_cuda_limits *limits) {
  enum { SOFTWARE_MOST = 12000 };
  return limits->software ? SOFTWARE_MOST : ((u64)1 << 31) - SPARED;
}
