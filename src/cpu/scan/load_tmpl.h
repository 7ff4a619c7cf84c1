/* load_tmpl.h - one conversion from elements to lanes of a scan
 *
 * Parameters  LOAD_NAME     the function's name
 *             LOAD_IN       element type
 *             LOAD_A        lane type
 *             LOAD_V(p)     a vector of lanes from the elements at p; `nan` is in scope
 *             LOAD_1(p)     one lane from the element at p */
static void LOAD_NAME(const void *in, void *lanes, size_t n, u64 nan) {
  enum { L = VEC_BYTES / sizeof(LOAD_A) };
  const char *x = in;
  char *a = lanes;
  size_t i = 0;
  (void)nan;
  for (; i + L <= n; i += L) {
    v_of(LOAD_A) v = (v_of(LOAD_A))LOAD_V(x + i * sizeof(LOAD_IN));
    memcpy(a + i * sizeof(LOAD_A), &v, sizeof v);
  }
  if (sizeof(LOAD_IN) == 2 && L > 1 && i < n) { /* one f16 takes as long as a vector of them */
    char room[L * sizeof(LOAD_IN)] = {0};
    memcpy(room, x + i * sizeof(LOAD_IN), (n - i) * sizeof(LOAD_IN));
    const v_of(LOAD_A) v = (v_of(LOAD_A))LOAD_V(room);
    memcpy(a + i * sizeof(LOAD_A), &v, (n - i) * sizeof(LOAD_A));
    return;
  }
  for (; i < n; i++) {
    LOAD_A v = (LOAD_A)LOAD_1(x + i * sizeof(LOAD_IN));
    memcpy(a + i * sizeof(LOAD_A), &v, sizeof v);
  }
}
