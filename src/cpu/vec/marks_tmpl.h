/* marks_tmpl.h - the lanes of a mask as bits, for vec.h
 *
 * Parameter   VEC_T  the type of a lane, which is 0 or -1 */
#define MARKS__(t) marks_##t
#define MARKS_(t) MARKS__(t)
#define MARKS_V__(t) v##t
#define MARKS_V_(t) MARKS_V__(t)

static inline u64 MARKS_(VEC_T)(MARKS_V_(VEC_T) mask) {
  u64 bits = 0;
  for (size_t k = 0; k < VEC_BYTES / sizeof(VEC_T); k++) bits |= (u64)(mask[k] & 1) << k;
  return bits;
}

#undef MARKS__
#undef MARKS_
#undef MARKS_V__
#undef MARKS_V_
#undef VEC_T
