/* independent_tmpl.h - one scan kernel along lanes of an operator whose order cannot be seen
 *
 * Parameters  those of op_tmpl.h, which includes it
 * Method      A vector is scanned on its own by log2 of its lanes shifts; what came before it is put
 *             on the left, and moves on by the vector's last lane. Vectors thus wait for each other
 *             for one operation only, and no total is taken beforehand. */
static inline SCAN_V SCAN_FN(within)(SCAN_V v, SCAN_V identity) {
  v = SCAN_OPV(SCAN_MOVE(up1)(identity, v), v);
#if SCAN_LANES >= 4
  v = SCAN_OPV(SCAN_MOVE(up2)(identity, v), v);
#endif
#if SCAN_LANES >= 8
  v = SCAN_OPV(SCAN_MOVE(up4)(identity, v), v);
#endif
#if SCAN_LANES >= 16
  v = SCAN_OPV(SCAN_MOVE(up8)(identity, v), v);
#endif
  return v;
}

/* The processor reads a stride as fast as it adds. Gives the carry behind n lanes. */
static inline __attribute__((always_inline)) SCAN_A SCAN_FN(one_by_one)(const char *x,
                                                                        ptrdiff_t step, char *out,
                                                                        size_t n, SCAN_A carry,
                                                                        bool exclusive) {
  for (size_t e = 0; e < n; e++, x += step, out += sizeof carry) {
    SCAN_A a, before = carry;
    memcpy(&a, x, sizeof a);
    carry = (SCAN_A)SCAN_OP(carry, a);
    a = exclusive ? before : carry;
    memcpy(out, &a, sizeof a);
  }
  return carry;
}

/* Scans n lanes and gives the carry behind them. */
static inline __attribute__((always_inline)) SCAN_A
SCAN_FN(piece)(const char *x, char *out, size_t n, SCAN_A carry, bool exclusive) {
  const SCAN_V identity = SCAN_SPLAT((SCAN_A)SCAN_IDENTITY);
  SCAN_V c = SCAN_SPLAT(carry), v;
  size_t e = 0;
  for (; e + SCAN_LANES <= n; e += SCAN_LANES) {
    memcpy(&v, x + e * sizeof carry, sizeof v);
    v = SCAN_FN(within)(v, identity);
    SCAN_V result = SCAN_OPV(c, exclusive ? SCAN_MOVE(up1)(identity, v) : v);
    memcpy(out + e * sizeof carry, &result, sizeof v);
    c = SCAN_OPV(c, SCAN_MOVE(last)(v));
  }
  return SCAN_FN(one_by_one)(x + e * sizeof carry, sizeof carry, out + e * sizeof carry, n - e,
                             c[0], exclusive);
}

static void SCAN_FN(scan_lanes)(const void *x, void *out, size_t n, const void *prefix, void *next,
                                bool exclusive) {
  SCAN_A carry;
  memcpy(&carry, prefix, sizeof carry);
  carry =
      exclusive ? SCAN_FN(piece)(x, out, n, carry, true) : SCAN_FN(piece)(x, out, n, carry, false);
  if (next) memcpy(next, &carry, sizeof carry);
}

static void SCAN_FN(last_lanes)(const void *carry, void *out) {
  memcpy(out, carry, sizeof(SCAN_A));
}

#ifdef VEC_NONTEMPORAL
/* As in chunk_tmpl.h. */
static void SCAN_FN(past_caches_lanes)(const void *x, const struct hd_cpu_scan_nontemporal *to,
                                       const void *prefix, void *next) {
  enum { BYTES = SCAN_LANES * VEC_BYTES };
  SCAN_A carry;
  memcpy(&carry, prefix, sizeof carry);
  for (size_t at = 0; at < HD_CHUNK_BYTES; at += BYTES) {
    SCAN_UNROLL for (size_t i = 0; i < BYTES; i += HD_SCAN_LINE)
        __builtin_prefetch(to->ahead + at + i, 0, 2);
    carry = SCAN_FN(piece)((const char *)x + at, to->stage + to->skip + at, BYTES / sizeof carry,
                           carry, true);
    if (at) nontemporal_lines(to->line + at - BYTES, to->stage + at - BYTES, BYTES);
  }
  nontemporal_lines(to->line + HD_CHUNK_BYTES - BYTES, to->stage + HD_CHUNK_BYTES - BYTES, BYTES);
  memcpy(next, &carry, sizeof carry);
}
#define SCAN_PAST_CACHES SCAN_FN(past_caches_lanes)
#else
#define SCAN_PAST_CACHES NULL
#endif

static const struct hd_cpu_scan_format SCAN_FN(format_lanes) = {
    SCAN_FN(scan_lanes), SCAN_PAST_CACHES, SCAN_FN(last_lanes)};
#undef SCAN_PAST_CACHES

static void SCAN_FN(strided)(const void *x, ptrdiff_t step, void *out, size_t n, void *carry,
                             bool exclusive) {
  SCAN_A c;
  memcpy(&c, carry, sizeof c);
  c = exclusive ? SCAN_FN(one_by_one)(x, step, out, n, c, true)
                : SCAN_FN(one_by_one)(x, step, out, n, c, false);
  memcpy(carry, &c, sizeof c);
}
