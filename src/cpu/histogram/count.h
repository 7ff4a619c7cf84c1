/* count.h - slot numbers into counters
 *
 * Several counters a bin, taken in turn by neighbours, keep equal neighbours from waiting for each
 * other's store: `ways` of them, 8 or 6, a multiple of the channels, so that way w counts channel
 * w % channels. Where such tables leave the first-level cache there is one counter a bin, and values
 * that fill much of a block are counted by comparison instead. */
#ifndef HEDDLE_CPU_HISTOGRAM_COUNT_H
#define HEDDLE_CPU_HISTOGRAM_COUNT_H

#include "kernels.h"

enum {
  HD_WAYS = 8, /* counters a slot: table[slot * HD_WAYS + way] */
  HD_WAYS_SHIFT = 3,
  HD_BYTE_TABLE = 256 + 16 /* counters a way for bytes: an odd number of cache lines apart */
};

/* tables[way * HD_BYTE_TABLE + x[i]]++, way = i % ways. */
void hd_cpu_count_bytes(u32 *tables, unsigned ways, const void *in, size_t n);
/* table[index[i] + i % ways]++: index is slot * HD_WAYS. */
void hd_cpu_count_copies(const struct hd_cpu_histogram_kernels *kernels, u32 *table, unsigned ways,
                         const u32 *index, size_t n);
/* table[index[i]]++; index is used up. */
void hd_cpu_count_u16(const struct hd_cpu_histogram_kernels *kernels, u16 *table, u32 *index,
                      size_t n);
void hd_cpu_count_u32(const struct hd_cpu_histogram_kernels *kernels, u32 *table, u32 *index,
                      size_t n);
void hd_cpu_count_u64(const struct hd_cpu_histogram_kernels *kernels, u64 *table, u32 *index,
                      size_t n);
/* The same on a table that other threads add to as well. */
void hd_cpu_count_shared(const struct hd_cpu_histogram_kernels *kernels, u64 *table, u32 *index,
                         size_t n);

#endif
