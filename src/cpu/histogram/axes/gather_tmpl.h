/* gather_tmpl.h - gather_T: elements of GATHER_T that lie apart */
#define GATHER_NAME_(a, t) a##_##t
#define GATHER_NAME(a, t) GATHER_NAME_(a, t)

static inline __attribute__((always_inline)) void
GATHER_NAME(gather_by, GATHER_T)(const void *from, ptrdiff_t stride, size_t n, GATHER_T *to) {
  typedef GATHER_T unaligned __attribute__((aligned(1), may_alias));
  const unaligned *x = from;
  for (size_t i = 0; i < n; i++) to[i] = x[(ptrdiff_t)i * stride];
}

static void GATHER_NAME(gather, GATHER_T)(const void *from, ptrdiff_t stride, size_t n,
                                          GATHER_T *to) {
  if (stride == 2)
    GATHER_NAME(gather_by, GATHER_T)(from, 2, n, to);
  else if (stride == 3)
    GATHER_NAME(gather_by, GATHER_T)(from, 3, n, to);
  else
    GATHER_NAME(gather_by, GATHER_T)(from, stride, n, to);
}

#undef GATHER_NAME_
#undef GATHER_NAME
#undef GATHER_T
