/* pack_tmpl.h - elements, or their positions, by the bits of masks; included once a size
 *
 * Parameters  PACK_NAME             of the kernel
 *             PACK_BYTES            of an element, or of a position
 *             PACK_INDEX            1: positions
 *             PACK_STEP, PACK_SOME  of cpu/vec/pack.h: bits a step, and what moves them
 * Result      PACK_NAME, a hd_cpu_pack_kernel, or a hd_cpu_positions_kernel
 * Limits      A step writes more than its bits say, so steps stop where the rest of the output has less room
 *             than 64 elements. Nothing behind an element that is yet to be read is written: bits come in
 *             order, and what a step writes never passes what it has read. */
#define PACK_JOIN__(a, b) a##_##b
#define PACK_JOIN_(a, b) PACK_JOIN__(a, b)
#define PACK_FN(part) PACK_JOIN_(PACK_NAME, part)
#define PACK_FEW 32 /* bits, times those of a step: measured on Zen 4 */
#if PACK_INDEX
#define PACK_FROM u64
#define PACK_ARGUMENT u64
#define PACK_AT(from, k) ((from) + (k))
#else
#define PACK_FROM const char *
#define PACK_ARGUMENT const void *
#define PACK_AT(from, k) ((from) + (size_t)(k)*PACK_BYTES)
#endif

static inline void PACK_FN(one)(char *to, PACK_FROM from, u32 k) {
#if PACK_INDEX && PACK_BYTES == 4
  const u32 at = (u32)(from + k);
  memcpy(to, &at, sizeof at);
#elif PACK_INDEX
  const u64 at = from + k;
  memcpy(to, &at, sizeof at);
#else
  memmove(to, PACK_AT(from, k), PACK_BYTES);
#endif
}

/* Only what the bits say is read and written. */
static inline void PACK_FN(ones)(char *to, PACK_FROM from, u64 mask) {
  for (; mask; mask &= mask - 1, to += PACK_BYTES) PACK_FN(one)(to, from, hd_low_bit(mask));
}

/* Steps do not wait for one another's counts. */
static inline void PACK_FN(steps)(char *to, PACK_FROM from, u64 mask) {
  const u32 most = PACK_STEP == 16 ? 0xffff : (1u << PACK_STEP) - 1;
  VEC_UNROLL
  for (u32 k = 0; k < 64; k += PACK_STEP) {
    const u64 below = mask & (((u64)1 << k) - 1);
    PACK_SOME(to + (size_t)__builtin_popcountll(below) * PACK_BYTES, PACK_AT(from, k),
              (u32)(mask >> k) & most);
  }
}

static void PACK_NAME(PACK_ARGUMENT in, size_t n, const u64 *masks, size_t found, void *out) {
  PACK_FROM from = in;
  char *to = out, *const end = to + found * PACK_BYTES;
  for (; n >= 64; n -= 64, from = PACK_AT(from, 64), masks++) {
    const u64 mask = *masks;
    const size_t count = (size_t)__builtin_popcountll(mask);
    if (!mask) continue;
    if (count * PACK_STEP <= PACK_FEW || (size_t)(end - to) < 64 * (size_t)PACK_BYTES)
      PACK_FN(ones)(to, from, mask);
#if !PACK_INDEX
    else if (mask == HD_U64_MAX)
      memmove(to, from, 64 * (size_t)PACK_BYTES);
#endif
    else
      PACK_FN(steps)(to, from, mask);
    to += count * PACK_BYTES;
  }
  if (n) PACK_FN(ones)(to, from, *masks);
}

#undef PACK_JOIN__
#undef PACK_JOIN_
#undef PACK_FN
#undef PACK_FEW
#undef PACK_FROM
#undef PACK_ARGUMENT
#undef PACK_AT
#undef PACK_NAME
#undef PACK_BYTES
#undef PACK_INDEX
#undef PACK_STEP
#undef PACK_SOME
