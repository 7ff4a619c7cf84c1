/* blocks_tmpl.h - the counter of aligned blocks (rules 3, 4 and 6)
 *
 * Parameters  BLOCKS_NAME            begins the functions' names
 *             BLOCKS_COUNTER         a struct of slots
 *             BLOCKS_T               a total, or a pointer to one
 *             BLOCKS_OP(k, a, b)     a op b; where totals are pointed at: put in place of a, and a
 *             BLOCKS_SLOT(k, i)      the total of the block of 2^i items that bit i of n means
 *             BLOCKS_KEEP(k, i, t)   puts t there
 *             BLOCKS_CARRY(k, i)     where carries are wanted, an lvalue: the total of all items up to
 *                                    the end of that block
 *             BLOCKS_START(k)        with it, if anything comes before the first item: its total
 * Result      n is how many items came before, which the caller counts.
 *             NAME_push    takes the total of the next 2^level items, n being a multiple of that, and
 *                          gives the total of the largest block that ends with them
 *             NAME_onto    acc op the blocks that the bits of n name, biggest first (rule 4)
 *             NAME_carry   with carries, instead of both: takes one item, and gives the total of all
 *                          up to its end (rule 6)
 * Method      A push adds 2^level to a binary number; each carry makes one block of two neighbours of
 *             one size. What stays are the aligned blocks that tile the items.
 * Limits      C only: on a GPU a counter is spread over a warp, or unrolled into registers. */
#define BLOCKS_FN_(name, part) name##_##part
#define BLOCKS_FN__(name, part) BLOCKS_FN_(name, part)
#define BLOCKS_FN(part) BLOCKS_FN__(BLOCKS_NAME, part)

#ifndef BLOCKS_CARRY

static inline BLOCKS_T BLOCKS_FN(push)(BLOCKS_COUNTER *k, u64 n, u32 level, BLOCKS_T t) {
  for (u64 odd = n >> level; odd & 1; odd >>= 1, level++)
    t = BLOCKS_OP(k, BLOCKS_SLOT(k, level), t);
  BLOCKS_KEEP(k, level, t);
  return t;
}

static inline BLOCKS_T BLOCKS_FN(onto)(BLOCKS_COUNTER *k, u64 n, BLOCKS_T acc) {
  for (; n; n ^= (u64)1 << hd_top_bit(n)) acc = BLOCKS_OP(k, acc, BLOCKS_SLOT(k, hd_top_bit(n)));
  return acc;
}

#else

static inline BLOCKS_T BLOCKS_FN(carry)(BLOCKS_COUNTER *k, u64 n, BLOCKS_T t) {
  u32 level = 0;
  for (; n & 1; n >>= 1, level++) t = BLOCKS_OP(k, BLOCKS_SLOT(k, level), t);
  BLOCKS_KEEP(k, level, t);
#ifdef BLOCKS_START
  const BLOCKS_T left = n ? BLOCKS_CARRY(k, level + hd_low_bit(n)) : BLOCKS_START(k);
  return BLOCKS_CARRY(k, level) = BLOCKS_OP(k, left, t);
#else
  if (n) t = BLOCKS_OP(k, BLOCKS_CARRY(k, level + hd_low_bit(n)), t);
  return BLOCKS_CARRY(k, level) = t;
#endif
}

#endif

#undef BLOCKS_FN_
#undef BLOCKS_FN__
#undef BLOCKS_FN
#undef BLOCKS_NAME
#undef BLOCKS_COUNTER
#undef BLOCKS_T
#undef BLOCKS_OP
#undef BLOCKS_SLOT
#undef BLOCKS_KEEP
#undef BLOCKS_CARRY
#undef BLOCKS_START
