/* count.h - slot numbers into counters
 *
 * Several counters a bin, taken in turn by neighbours, keep equal neighbours from waiting for each
 * other's store: `copies` of them, 8 or 6, a multiple of the channels, so that copy w counts channel
 * w % channels. Where such tables leave the first-level cache there is one counter a bin, and values
 * that fill much of a block are counted by comparison instead. */
#ifndef HEDDLE_CPU_HISTOGRAM_COUNT_H
#define HEDDLE_CPU_HISTOGRAM_COUNT_H

#include "kernels.h"

enum {
  HD_COPIES = 8, /* counters a slot: table[slot * HD_COPIES + copy] */
  HD_COPIES_SHIFT = 3,
  HD_BYTE_TABLE = 256 + 16 /* counters a copy for bytes: an odd number of cache lines apart */
};

/* tables[copy * HD_BYTE_TABLE + x[i]]++, copy = i % copies. */
void hd_cpu_count_bytes(u32 *tables, unsigned copies, const void *in, size_t n);
/* table[index[i] + i % copies]++: index is slot * HD_COPIES. */
void hd_cpu_count_copies(const struct hd_cpu_histogram_kernels *kernels, u32 *table,
                         unsigned copies, const u32 *index, size_t n);
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
