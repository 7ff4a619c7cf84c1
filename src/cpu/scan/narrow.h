/* narrow.h - vectors of f16 and bf16 elements as lanes of f32, and back; what scans of them need
 *
 * load_T_f32 are of cpu/vec. Stores round to nearest, ties to even. A canonical NaN goes through them as any
 * number does, and one with bits in its upper half only stays a NaN. */
#ifndef HEDDLE_CPU_SCAN_NARROW_H
#define HEDDLE_CPU_SCAN_NARROW_H

/* In the upper half of 32 bits: 0x7fff is added, and one more where that half is odd. */
static inline vu32 round_bf16(vf32 v) {
  const vu32 bits = (vu32)v;
  return bits - ((bits >> 16 & 1) ^ -0x7fffu);
}

static inline void store_f32_bf16(void *p, vf32 v) {
  typedef bf16 narrow __attribute__((vector_size(LANES32 * sizeof(bf16))));
  const narrow e = __builtin_convertvector(round_bf16(v) >> 16, narrow);
  memcpy(p, &e, sizeof e);
}

/* The elements of even and of odd index of 2 * LANES32: each is the upper half of an f32. */
static inline void split_bf16_f32(const char *x, vf32 *even, vf32 *odd) {
  const vu32 pairs = load_u32_u32(x);
  *even = (vf32)(pairs << 16), *odd = (vf32)(pairs & 0xffff0000u);
}
static inline void join_f32_bf16(char *out, vf32 even, vf32 odd) {
  const vu32 pairs = round_bf16(even) >> 16 | (round_bf16(odd) & 0xffff0000u);
  memcpy(out, &pairs, sizeof pairs);
}

/* Elements of `bytes` bytes, a vector's or more: those that are NaN become `nan`. */
static inline void canonical_narrow(char *x, size_t bytes, u16 infinity, u16 nan) {
  for (size_t at = 0; at < bytes; at += VEC_BYTES) {
    char *p = x + (at + VEC_BYTES <= bytes ? at : bytes - VEC_BYTES);
    vu16 v = load_u16_u16(p);
    const vu16 is_nan = (vu16)((vi16)(v & 0x7fff) > (vi16)(infinity - (vu16){0}));
    v = (v & ~is_nan) | (is_nan & nan);
    memcpy(p, &v, sizeof v);
  }
}
static inline void canonical_f16(char *x, size_t bytes) {
  canonical_narrow(x, bytes, 0x7c00, HD_NAN_F16);
}
static inline void canonical_bf16(char *x, size_t bytes) {
  canonical_narrow(x, bytes, 0x7f80, HD_NAN_BF16);
}

#endif
