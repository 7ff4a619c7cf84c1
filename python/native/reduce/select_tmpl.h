/* select_tmpl.h - elements of one size, those with a 0 beside them as another one
 *
 * Parameters NAME the function, ELEMENT an unsigned type. A mask of step 1. */
static void NAME(ELEMENT *restrict to, const ELEMENT *restrict from, const uint8_t *restrict mask,
                 size_t count, const void *fill) {
  ELEMENT other;
  memcpy(&other, fill, sizeof other);
  for (size_t i = 0; i < count; i++) {
    const ELEMENT kept = (ELEMENT) - (ELEMENT)(mask[i] != 0); /* all bits, or none */
    to[i] = (ELEMENT)((from[i] & kept) | (other & (ELEMENT)~kept));
  }
}

#undef NAME
#undef ELEMENT
