/* block_tmpl.h - a block of SCAN_LANES vectors, up the tree and down: rules 3, 4 and 6
 *
 * Parameters  those of op_tmpl.h, which includes it and has the tree
 *             BLOCK_FN(part)              names the functions
 *             BLOCK_GET(x, i, even, odd)  lanes of even and of odd index of the block's i-th 2 * SCAN_LANES
 *             BLOCK_PUT(out, i, even, odd)  those of results, which have one form of NaN
 * Result      BLOCK_FN(up): left halves' totals and the tree across lanes; BLOCK_FN(down): results, from
 *             the carry before the block and the one behind it. */
static inline __attribute__((always_inline)) void BLOCK_FN(up)(const char *x,
                                                               struct SCAN_FN(block) * b) {
  enum { L = SCAN_LANES };
  SCAN_V t[L / 2];
  SCAN_UNROLL for (int i = 0; i < L / 2; i++) {
    SCAN_V odd;
    BLOCK_GET(x, i, &b->left[L / 2 + i], &odd);
    t[i] = SCAN_OPV(b->left[L / 2 + i], odd);
  }
#if SCAN_LANES >= 4
  SCAN_FN(pairs)(t, b->left + L / 4, L / 4);
#endif
#if SCAN_LANES >= 8
  SCAN_FN(pairs)(t, b->left + L / 8, L / 8);
#endif
#if SCAN_LANES >= 16
  SCAN_FN(pairs)(t, b->left + L / 16, L / 16);
#endif
  SCAN_FN(up)(t[0], &b->tree);
}

static inline __attribute__((always_inline)) void BLOCK_FN(down)(const struct SCAN_FN(block) * b,
                                                                 SCAN_A carry, SCAN_A behind,
                                                                 char *out, bool exclusive) {
  enum { L = SCAN_LANES };
  SCAN_V c[L + 1];
  c[0] = SCAN_FN(down)(&b->tree, carry);
#if SCAN_LANES >= 16
  SCAN_FN(halves)(c, b->left + L / 16, L / 16);
#endif
#if SCAN_LANES >= 8
  SCAN_FN(halves)(c, b->left + L / 8, L / 8);
#endif
#if SCAN_LANES >= 4
  SCAN_FN(halves)(c, b->left + L / 4, L / 4);
#endif
  c[L / 2] = SCAN_SPLAT(behind);
  SCAN_UNROLL for (int i = 0; i < L / 2; i++) {
    /* The inclusive value of a lane is the exclusive one of the next lane. */
    SCAN_V middle = SCAN_OPV(c[i], b->left[L / 2 + i]);
    SCAN_V even = exclusive ? c[i] : middle;
    SCAN_V odd = exclusive ? middle : SCAN_MOVE(next)(c[i], c[i + 1]);
    BLOCK_PUT(out, i, SCAN_CLEAN(even), SCAN_CLEAN(odd));
  }
}

#undef BLOCK_FN
#undef BLOCK_GET
#undef BLOCK_PUT
