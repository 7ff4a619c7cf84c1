/* choose.c - how large the tiles of select and of runs are
 *
 * Method   About 16 KiB of the larger of keys and values, or 8 where those are bytes: four blocks an SM have
 *          twice as much on its way as memory answers late. Results do not depend on it. */
#include "select.h"
#include <stdlib.h>
#include <stdio.h>

enum { THREADS = 256, SOFTWARE_THREADS = 128, BLOCKS = 4, MOST_ITEMS = 32, SPARED = 1 << 20 };

struct hd_cuda_select_sizes hd_cuda_select_sizes(const struct hd_cuda_limits *limits, u32 key_bytes,
                                                 u32 value_bytes) {
  const u32 largest = value_bytes > key_bytes ? value_bytes : key_bytes;
  struct hd_cuda_select_sizes sizes = {THREADS, 64 / largest, BLOCKS};
  if (sizes.items > MOST_ITEMS) sizes.items = MOST_ITEMS;
  if (limits->software) sizes.threads = SOFTWARE_THREADS, sizes.blocks = 1;
  const char *e = getenv("HD_SEL");
  if (e && largest >= 4) { sscanf(e, "%u,%u,%u", &sizes.threads, &sizes.items, &sizes.blocks); sizes.items = sizes.items * 4 / largest; }
  return sizes;
}

/* A tile's count, and what comes before it, have 31 bits (kernels/select/look_back.h). */
u64 hd_cuda_select_most(const struct hd_cuda_limits *limits) {
  enum { SOFTWARE_MOST = 12000 };
  return limits->software ? SOFTWARE_MOST : ((u64)1 << 31) - SPARED;
}
