/* narrow_tmpl.h - chunks of f16 or bf16 past the caches, with no lanes in memory
 *
 * Parameters  those of op_tmpl.h, which includes it
 *             NARROW_IN   f16 or bf16, one of the two after the other
 * Result      SCAN_NAME_past_inclusive_IN, SCAN_NAME_past_exclusive_IN: as hd_cpu_scan_kernel's, of
 *             elements instead of lanes
 * Method      Elements come apart into lanes of even and of odd index, and go together again, in
 *             registers: op_tmpl.h would move them once for the conversion and once for the tree. */
#ifndef HEDDLE_CPU_SCAN_NARROW
#define HEDDLE_CPU_SCAN_NARROW

/* ---- vectors of elements as two of f32, of the even and of the odd ones, and back ------------------ */

/* An element of bf16 is the upper half of an f32. */
static inline void split_bf16(const char *x, vf32 *even, vf32 *odd) {
  const vu32 pairs = load_u32_u32(x);
  *even = (vf32)(pairs << 16), *odd = (vf32)(pairs & 0xffff0000u);
}

/* To nearest, ties to even, in the upper half; a canonical NaN as any number. */
static inline vu32 round_bf16(vf32 v) {
  const vu32 bits = (vu32)v;
  return bits + 0x7fff + (bits >> 16 & 1);
}
static inline void join_bf16(char *out, vf32 even, vf32 odd) {
  const vu32 pairs = round_bf16(even) >> 16 | (round_bf16(odd) & 0xffff0000u);
  memcpy(out, &pairs, sizeof pairs);
}

static inline void split_f16(const char *x, vf32 *even, vf32 *odd) {
  const vf32 a = load_f16_f32(x), b = load_f16_f32(x + VEC_BYTES / 2);
  *even = even_f32(a, b), *odd = odd_f32(a, b);
}
static inline void join_f16(char *out, vf32 even, vf32 odd) {
  store_f32_f16(out, low_f32(even, odd));
  store_f32_f16(out + VEC_BYTES / 2, high_f32(even, odd));
}

#endif

#define NARROW_CAT_(a, b, c) a##b##c
#define NARROW_CAT(a, b, c) NARROW_CAT_(a, b, c)
#define NARROW_FN(part) NARROW_CAT(SCAN_FN(part), _, NARROW_IN)

static inline void NARROW_FN(get)(const char *x, int i, SCAN_V *even, SCAN_V *odd) {
  NARROW_CAT(split_, NARROW_IN, )(x + (size_t)i * VEC_BYTES, even, odd);
}
static inline void NARROW_FN(put)(char *out, int i, SCAN_V even, SCAN_V odd) {
  NARROW_CAT(join_, NARROW_IN, )(out + (size_t)i * VEC_BYTES, even, odd);
}
#define BLOCK_FN(part) NARROW_FN(part##_block)
#define BLOCK_GET NARROW_FN(get)
#define BLOCK_PUT NARROW_FN(put)
#include "block_tmpl.h"

static inline __attribute__((always_inline)) void
NARROW_FN(past_caches)(const char *x, const struct hd_cpu_scan_nontemporal *to, const void *prefix,
                       void *next, bool exclusive) {
  enum { BYTES = SCAN_LANES / 2 * VEC_BYTES, ALL = HD_CHUNK_BYTES / 2 };
  SCAN_A carry, last;
  memcpy(&carry, prefix, sizeof carry);
  memcpy(&last, next, sizeof last);
  struct SCAN_FN(counter) k = {.start = carry};
  struct SCAN_FN(block) block[2];
  NARROW_FN(up_block)(x, &block[0]);
  for (size_t at = 0; at < ALL; at += BYTES) {
    SCAN_UNROLL for (size_t i = 0; i < BYTES; i += HD_SCAN_LINE)
        __builtin_prefetch(to->ahead + at + i, 0, 2);
    const struct SCAN_FN(block) *b = &block[at / BYTES % 2];
    const bool more = at + BYTES < ALL;
    if (more) NARROW_FN(up_block)(x + at + BYTES, &block[(at / BYTES + 1) % 2]);
    const SCAN_A behind = more ? SCAN_FN(next_carry)(&k, k.count++, b->tree.total) : last;
    NARROW_FN(down_block)(b, carry, behind, to->stage + to->skip + at, exclusive);
    carry = behind;
    if (at) nontemporal_lines(to->line + at - BYTES, to->stage + at - BYTES, BYTES);
  }
  nontemporal_lines(to->line + ALL - BYTES, to->stage + ALL - BYTES, BYTES);
}

static void NARROW_FN(past_inclusive)(const void *x, const struct hd_cpu_scan_nontemporal *to,
                                      const void *prefix, void *next) {
  NARROW_FN(past_caches)(x, to, prefix, next, false);
}
static void NARROW_FN(past_exclusive)(const void *x, const struct hd_cpu_scan_nontemporal *to,
                                      const void *prefix, void *next) {
  NARROW_FN(past_caches)(x, to, prefix, next, true);
}

#undef NARROW_CAT_
#undef NARROW_CAT
#undef NARROW_FN
#undef NARROW_IN
