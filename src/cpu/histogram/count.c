/* count.c - slot numbers into counters; see count.h
 *
 * Method   One loop of plain loads, adds and stores a block: a byte or an index costs about 1.2
 *          cycles, bound by stores. Scatter with conflict detection loses (docs/histogram.md).
 * Limits   u32 counters: the caller empties them before 2^32 elements. */
#include "count.h"

#include <string.h>

/* Counts bytes, eight a load. Each load precedes the stores of the counters before it: it need not
 * wait until their addresses are known. */
void hd_cpu_count_bytes(u32 *tables, unsigned copies, const void *in, size_t n) {
  enum { T = HD_BYTE_TABLE };
  const u8 *x = in;
  size_t i = 0;
  if (copies == 8 && n >= 16) {
    u64 next;
    memcpy(&next, x, 8);
    for (i = 8; i + 8 <= n; i += 8) {
      u64 w = next;
      memcpy(&next, x + i, 8);
      tables[0 * T + (w & 255)]++;
      tables[1 * T + (w >> 8 & 255)]++;
      tables[2 * T + (w >> 16 & 255)]++;
      tables[3 * T + (w >> 24 & 255)]++;
      tables[4 * T + (w >> 32 & 255)]++;
      tables[5 * T + (w >> 40 & 255)]++;
      tables[6 * T + (w >> 48 & 255)]++;
      tables[7 * T + (w >> 56)]++;
    }
    i -= 8;
  } else {
    for (; i + 6 <= n && copies == 6; i += 6)
      for (unsigned copy = 0; copy < 6; copy++) tables[copy * T + x[i + copy]]++;
  }
  for (unsigned copy = 0; i < n; i++, copy = copy + 1 == copies ? 0 : copy + 1)
    tables[copy * T + x[i]]++;
}

/* Three indices tell at once that most data is not constant. */
static bool constant(const struct hd_cpu_histogram_kernels *kernels, const u32 *index, size_t n) {
  return n >= 64 && index[0] == index[n / 2] && index[0] == index[n - 1] &&
         kernels->equal(index, n, index[0]) == n;
}

void hd_cpu_count_copies(const struct hd_cpu_histogram_kernels *kernels, u32 *table,
                         unsigned copies, const u32 *index, size_t n) {
  size_t i = 0;
  if (constant(kernels, index, n)) {
    for (unsigned copy = 0; copy < copies; copy++)
      table[index[0] + copy] += (u32)((n - copy + copies - 1) / copies);
    return;
  }
  if (copies == 8) {
    for (; i + 8 <= n; i += 8) {
      table[index[i + 0] + 0]++;
      table[index[i + 1] + 1]++;
      table[index[i + 2] + 2]++;
      table[index[i + 3] + 3]++;
      table[index[i + 4] + 4]++;
      table[index[i + 5] + 5]++;
      table[index[i + 6] + 6]++;
      table[index[i + 7] + 7]++;
    }
  } else {
    for (; i + 6 <= n; i += 6)
      for (unsigned copy = 0; copy < 6; copy++) table[index[i + copy] + copy]++;
  }
  for (unsigned copy = 0; i < n; i++, copy++) table[index[i] + copy]++;
}

enum { HEAVY = 8 }; /* a value that is one in so many leaves first */

/* Takes one frequent value out of index; returns how often it was there, 0 if none was found. */
static size_t take_frequent(const struct hd_cpu_histogram_kernels *kernels, u32 *index, size_t *n,
                            u32 *value) {
  if (*n < 64) return 0;
  *value = index[*n / 2];
  size_t count = kernels->equal(index, *n, *value);
  if (count < *n / HEAVY) return 0;
  *n = count == *n ? 0 : kernels->drop(index, *n, *value);
  return count;
}

#define COUNT_T u16
#include "count_tmpl.h"
#define COUNT_T u32
#include "count_tmpl.h"
#define COUNT_T u64
#include "count_tmpl.h"

void hd_cpu_count_shared(const struct hd_cpu_histogram_kernels *kernels, u64 *table, u32 *index,
                         size_t n) {
  u32 value;
  for (size_t count; (count = take_frequent(kernels, index, &n, &value)) != 0;)
    __atomic_fetch_add(&table[value], count, __ATOMIC_RELAXED);
  for (size_t i = 0; i < n; i++) __atomic_fetch_add(&table[index[i]], 1, __ATOMIC_RELAXED);
}
