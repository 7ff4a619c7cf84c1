/* select.c - elements that a mask lets through: plain loops, which compilers make vectors of */
#include <string.h>

#include "masked.h"

enum { FILLED = 16, TOGETHER = 64 };

#define NAME select_1
#define ELEMENT uint8_t
#include "select_tmpl.h"
#define NAME select_2
#define ELEMENT uint16_t
#include "select_tmpl.h"
#define NAME select_4
#define ELEMENT uint32_t
#include "select_tmpl.h"
#define NAME select_8
#define ELEMENT uint64_t
#include "select_tmpl.h"

static void select_bools(uint8_t *restrict to, const uint8_t *restrict from,
                         const uint8_t *restrict mask, size_t count, uint8_t other) {
  for (size_t i = 0; i < count; i++) to[i] = mask[i] ? from[i] != 0 : other;
}

void select_ones(uint8_t *bools, size_t count) {
  for (size_t i = 0; i < count; i++) bools[i] = bools[i] != 0;
}

void select_mask(uint8_t *restrict to, const uint8_t *restrict mask, ptrdiff_t step, size_t count) {
  if (!step) {
    memset(to, *mask != 0, count);
    return;
  }
  for (size_t i = 0; i < count; i++) to[i] = mask[i] != 0;
}

/* One byte of the mask for all. */
static void select_all(uint8_t *to, const void *from, bool counts, size_t count, size_t bytes,
                       const uint8_t *fill, bool is_bool) {
  if (counts) {
    memcpy(to, from, count * bytes);
    if (is_bool) select_ones(to, count);
    return;
  }
  const size_t first = count < FILLED ? count : FILLED;
  for (size_t i = 0; i < first; i++) memcpy(to + i * bytes, fill, bytes);
  for (size_t i = first, n; i < count; i += n) { /* twice as many each time */
    n = i < count - i ? i : count - i;
    memcpy(to + i * bytes, to, n * bytes);
  }
}

void select_some(void *to, const void *from, const uint8_t *mask, ptrdiff_t step, size_t count,
                 size_t bytes, const void *fill, bool is_bool) {
  if (!step)
    select_all(to, from, *mask, count, bytes, fill, is_bool);
  else if (is_bool)
    select_bools(to, from, mask, count, *(const uint8_t *)fill);
  else if (bytes == 1)
    select_1(to, from, mask, count, fill);
  else if (bytes == 2)
    select_2(to, from, mask, count, fill);
  else if (bytes == 4)
    select_4(to, from, mask, count, fill);
  else
    select_8(to, from, mask, count, fill);
}

/* ---- NaN --------------------------------------------------------------------------------- */

/* Bytes that say of up to TOGETHER floats which are NaN, and which are not finite. */
struct oddities {
  uint8_t nan[TOGETHER], infinite[TOGETHER];
};

#define NAME odd_16
#define ELEMENT uint16_t
#define STEP ((uint16_t)1 << 10)
#include "odd_tmpl.h"
#define NAME odd_32
#define ELEMENT uint32_t
#define STEP ((uint32_t)1 << 23)
#include "odd_tmpl.h"
#define NAME odd_64
#define ELEMENT uint64_t
#define STEP ((uint64_t)1 << 52)
#include "odd_tmpl.h"

static bool find_odd(struct oddities *odd, const void *x, size_t bytes, size_t count) {
  return bytes == 8   ? odd_64(odd, x, count)
         : bytes == 4 ? odd_32(odd, x, count)
                      : odd_16(odd, x, count);
}

void select_numbers(struct masked *m, uint8_t *mask, const void *from, size_t count) {
  const size_t bytes = heddle_type_size(m->type);
  uint8_t nan = 0, infinite = 0;
  for (size_t at = 0; at < count; at += TOGETHER) {
    const size_t n = count - at < TOGETHER ? count - at : TOGETHER;
    struct oddities odd;
    if (!find_odd(&odd, (const char *)from + at * bytes, bytes, n)) continue;
    for (size_t i = 0; i < n; i++) {
      nan |= mask[at + i] & odd.nan[i];
      infinite |= mask[at + i] & odd.infinite[i];
    }
    for (size_t i = 0; m->without_nan && i < n; i++) mask[at + i] &= !odd.nan[i];
  }
  m->found_nan |= nan;
  m->found_infinite |= infinite;
}
