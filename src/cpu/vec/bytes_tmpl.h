/* bytes_tmpl.h - the lowest bits of lanes as bytes, for vec.h
 *
 * Parameters  VEC_T  the type of a lane
 *             VEC_BYTES_OF_MARKS  defined where compilers narrow lanes one by one, and an instruction gives
 *                                 their signs as bits; four_bytes_of_32 and _64 are there, which pack four
 *                                 vectors of lanes that are 0, 1 or all ones */
#define BYTES__(t) bytes_##t
#define BYTES_(t) BYTES__(t)
#define BYTES_FOUR__(t) four_bytes_##t
#define BYTES_FOUR_(t) BYTES_FOUR__(t)
#define BYTES_V__(t) v##t
#define BYTES_V_(t) BYTES_V__(t)

static inline void BYTES_(VEC_T)(BYTES_V_(VEC_T) lanes, void *to) {
  enum { LANES = VEC_BYTES / sizeof(VEC_T) };
#ifdef VEC_BYTES_OF_MARKS
  if (sizeof(VEC_T) >= 4) {
    /* A copy of the bits in each byte, which keeps its own; 127 more moves that to the byte's sign. */
    lanes <<= 8 * sizeof(VEC_T) - 1;
    const u64 bits = sizeof(VEC_T) == 4 ? marks_i32((vi32)lanes) : marks_i64((vi64)lanes);
    const u64 own = bits * UINT64_C(0x0101010101010101) & UINT64_C(0x8040201008040201);
    const u64 ones = (own + UINT64_C(0x7f7f7f7f7f7f7f7f)) >> 7 & UINT64_C(0x0101010101010101);
    memcpy(to, &ones, LANES < sizeof ones ? LANES : sizeof ones);
    return;
  }
#endif
  typedef u8 bytes __attribute__((vector_size(LANES)));
  const bytes b = __builtin_convertvector(lanes & 1, bytes);
  memcpy(to, &b, sizeof b);
}

/* The same of four vectors at `from`. */
static inline void BYTES_FOUR_(VEC_T)(const void *from, void *to) {
#ifdef VEC_BYTES_OF_MARKS
  if (sizeof(VEC_T) == 4) {
    four_bytes_of_32(from, to);
    return;
  }
  if (sizeof(VEC_T) == 8) {
    four_bytes_of_64(from, to);
    return;
  }
#endif
  for (size_t v = 0; v < 4; v++) {
    BYTES_V_(VEC_T) lanes;
    memcpy(&lanes, (const char *)from + v * sizeof lanes, sizeof lanes);
    BYTES_(VEC_T)(lanes, (char *)to + v * (VEC_BYTES / sizeof(VEC_T)));
  }
}

#undef BYTES__
#undef BYTES_
#undef BYTES_FOUR__
#undef BYTES_FOUR_
#undef BYTES_V__
#undef BYTES_V_
