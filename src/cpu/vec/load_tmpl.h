/* load_tmpl.h - load_IN_LANE, and one_IN_LANE for a single element, for one pair of types
 *
 * Parameters VEC_IN, VEC_LANE, and VEC_WIDENS where the two differ; with VEC_HAS_WIDENING the ISA
 * brings those loads itself, since compilers widen fourfold and more by detours. */
#define VEC_NAME_(in, lane) load_##in##_##lane
#define VEC_NAME(in, lane) VEC_NAME_(in, lane)
#define VEC_ONE_(in, lane) one_##in##_##lane
#define VEC_ONE(in, lane) VEC_ONE_(in, lane)
#define VEC_OUT_(lane) v##lane
#define VEC_OUT(lane) VEC_OUT_(lane)

#if !defined(VEC_WIDENS) || !defined(VEC_HAS_WIDENING)
static inline VEC_OUT(VEC_LANE) VEC_NAME(VEC_IN, VEC_LANE)(const void *p) {
#ifdef VEC_WIDENS
  typedef VEC_IN narrow __attribute__((vector_size(VEC_BYTES / sizeof(VEC_LANE) * sizeof(VEC_IN))));
  narrow n;
  memcpy(&n, p, sizeof n);
  return __builtin_convertvector(n, VEC_OUT(VEC_LANE));
#else
  VEC_OUT(VEC_LANE) v;
  memcpy(&v, p, sizeof v);
  return v;
#endif
}
#endif

static inline VEC_LANE VEC_ONE(VEC_IN, VEC_LANE)(const void *p) {
  VEC_IN e;
  memcpy(&e, p, sizeof e);
  return (VEC_LANE)e;
}

#undef VEC_ONE_
#undef VEC_ONE
#undef VEC_NAME_
#undef VEC_NAME
#undef VEC_OUT_
#undef VEC_OUT
