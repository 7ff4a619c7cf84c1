/* kernels.h - what an instruction set gives to the search of values in a sorted array */
#ifndef HEDDLE_CPU_SEARCH_KERNELS_H
#define HEDDLE_CPU_SEARCH_KERNELS_H

#include "order/types.h"

enum {
  HD_SEARCH_FAN = 16,       /* elements of a level for one of the level above */
  HD_SEARCH_LEVELS = 16,    /* at most: 16^16 elements are more than memory holds */
  HD_SEARCH_BLOCK = 256,    /* values that go down together */
  HD_SEARCH_TOP_MOST = 4096 /* elements of the level at the top */
};

struct hd_cpu_search_job {
  const void *sorted;
  size_t count;   /* of sorted */
  size_t numbers; /* of sorted, before the first NaN */
  const void *values;
  void *index;
  u32 index_bytes;
  bool right;
  /* Above the numbers: level[k][i] = element 16 i + 15 of level[k + 1], of which the last is sorted. */
  u32 levels; /* 0: none */
  const void *level[HD_SEARCH_LEVELS];
  size_t level_count[HD_SEARCH_LEVELS];
};

struct hd_cpu_search_kernel {
  /* How many elements stand before the first NaN. */
  size_t (*numbers)(const void *sorted, size_t n);
  /* index[i] of values first <= i < first + n. */
  void (*search)(const struct hd_cpu_search_job *job, size_t first, size_t n);
  /* to[i] = from[16 i + 15] for 16 i + 15 < n; NULL: of types without levels. */
  void (*thin)(const void *from, size_t n, void *to);
};

struct hd_cpu_search_kernels {
  struct hd_cpu_search_kernel of[HD_TYPE_COUNT];
};

extern const struct hd_cpu_search_kernels hd_cpu_search_scalar, hd_cpu_search_neon,
    hd_cpu_search_avx2, hd_cpu_search_avx512;

#endif
