/* limbs.c - rows of limbs of those totals that need some; see limbs.h
 *
 * Limits   A part of a weight is below 2^33 in magnitude: all rows are carried before a limb could have had
 *          HD_EXACT_ROOM of them. */
#include "limbs.h"

#include <string.h>

static size_t row_limbs(const struct hd_cpu_limbs *l) { return l->span.end - l->span.first; }

static u32 block_of(u32 row) {
  return hd_top_bit((u64)row + (1u << HD_LIMBS_BLOCK_BITS)) - HD_LIMBS_BLOCK_BITS;
}
static size_t block_rows(u32 block) { return (size_t)1 << (block + HD_LIMBS_BLOCK_BITS); }
static size_t block_bytes(const struct hd_cpu_limbs *l, u32 block) {
  return block_rows(block) * row_limbs(l) * sizeof(i64);
}

static i64 *row_at(const struct hd_cpu_limbs *l, u32 row) {
  const u32 block = block_of(row);
  const size_t at = (size_t)row + block_rows(0) - block_rows(block);
  return l->block[block] + at * row_limbs(l);
}

static void *cleared(heddle_context *ctx, const struct hd_cpu_limbs *l, size_t bytes) {
  pthread_mutex_lock(l->memory);
  void *memory = hd_allocate(ctx, bytes);
  pthread_mutex_unlock(l->memory);
  if (memory) memset(memory, 0, bytes);
  return memory;
}

i64 *hd_cpu_limbs_row(const struct hd_cpu_limbs *l, size_t total) {
  return l->row && l->row[total] ? row_at(l, l->row[total] - 1) : NULL;
}

i64 *hd_cpu_limbs_make(heddle_context *ctx, struct hd_cpu_limbs *l, size_t total) {
  if (!l->row && !(l->row = cleared(ctx, l, l->totals * sizeof *l->row))) return NULL;
  if (!l->row[total]) {
    const u32 block = block_of(l->rows);
    if (!l->block[block] && !(l->block[block] = cleared(ctx, l, block_bytes(l, block))))
      return NULL;
    l->row[total] = ++l->rows;
  }
  return row_at(l, l->row[total] - 1);
}

static void carry_all(struct hd_cpu_limbs *l) {
  const size_t limbs = row_limbs(l);
  for (u32 r = 0; r < l->rows; r++) {
    i64 *limb = row_at(l, r);
    for (size_t i = 0; i + 1 < limbs; i++) {
      limb[i + 1] += limb[i] >> 32;
      limb[i] &= (i64)UINT32_MAX;
    }
  }
  l->added = 0;
}

bool hd_cpu_limbs_add(heddle_context *ctx, struct hd_cpu_limbs *l, size_t total, f64 weight) {
  i32 exponent;
  const i64 integer = hd_exact_integer(weight, &exponent);
  const struct hd_exact_parts parts = hd_exact_split(integer, exponent);
  i64 *row = hd_cpu_limbs_row(l, total);
  if (!row && !(row = hd_cpu_limbs_make(ctx, l, total))) return false;
  for (u32 k = 0; k < 3; k++) row[parts.limb - l->span.first + k] += parts.part[k];
  if (++l->added >= HD_EXACT_ROOM) carry_all(l);
  return true;
}

void hd_cpu_limbs_sum(const i64 *row, struct hd_exact_span span, struct hd_exact *sum) {
  for (u32 i = span.first; i < span.end; i++) sum->limb[i] += row[i - span.first];
}

void hd_cpu_limbs_free(heddle_context *ctx, struct hd_cpu_limbs *l) {
  for (u32 b = 0; b < HD_LIMBS_BLOCKS; b++) hd_release(ctx, l->block[b], block_bytes(l, b));
  hd_release(ctx, l->row, l->totals * sizeof *l->row);
}
