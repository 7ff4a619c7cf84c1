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
  for (carry = c[0]; e < n; e++) {
    SCAN_A a;
    memcpy(&a, x + e * sizeof a, sizeof a);
    a = (SCAN_A)SCAN_OP(carry, a);
    memcpy(out + e * sizeof a, exclusive ? &carry : &a, sizeof a);
    carry = a;
  }
  return carry;
}

static inline __attribute__((always_inline)) void
SCAN_FN(any)(const void *x, void *out, size_t n, const void *prefix, void *next, bool exclusive) {
  SCAN_A carry;
  memcpy(&carry, prefix, sizeof carry);
  carry = SCAN_FN(piece)(x, out, n, carry, exclusive);
  if (next) memcpy(next, &carry, sizeof carry);
}

/* One by one: the processor reads a stride as fast as it adds. */
static void SCAN_FN(strided)(const void *x, ptrdiff_t step, void *out, size_t n, void *carry,
                             bool exclusive) {
  SCAN_A before, after, a;
  memcpy(&before, carry, sizeof before);
  for (size_t e = 0; e < n; e++, before = after) {
    memcpy(&a, (const char *)x + (ptrdiff_t)e * step, sizeof a);
    after = (SCAN_A)SCAN_OP(before, a);
    memcpy((char *)out + e * sizeof a, exclusive ? &before : &after, sizeof a);
  }
  memcpy(carry, &before, sizeof before);
}
