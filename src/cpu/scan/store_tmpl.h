/* store_tmpl.h - scan_store_A_OUT: one conversion from lanes of a scan to elements
 *
 * Parameters STORE_A, STORE_OUT: lane and element type, the latter not wider. */
#define STORE_NAME_(a, out) scan_store_##a##_##out
#define STORE_NAME(a, out) STORE_NAME_(a, out)

static void STORE_NAME(STORE_A, STORE_OUT)(void *lanes, void *out, size_t n, u64 nan) {
  enum { L = VEC_BYTES / sizeof(STORE_A) };
  typedef STORE_OUT narrow __attribute__((vector_size(L * sizeof(STORE_OUT))));
  const STORE_A *a = lanes;
  char *y = out;
  size_t i = 0;
  (void)nan;
  for (; i + L <= n; i += L) {
    v_of(STORE_A) v;
    memcpy(&v, a + i, sizeof v);
    narrow e = __builtin_convertvector(v, narrow);
    memcpy(y + i * sizeof(STORE_OUT), &e, sizeof e);
  }
  for (; i < n; i++) {
    STORE_OUT e = (STORE_OUT)a[i];
    memcpy(y + i * sizeof e, &e, sizeof e);
  }
}

#undef STORE_NAME_
#undef STORE_NAME
