/* nonzero_tmpl.h - which elements of one size are not zero
 *
 * Parameters NAME the function, ELEMENT an unsigned type. `bits`: those that are looked at. */
static void NAME(uint8_t *restrict to, const ELEMENT *restrict from, ELEMENT bits, size_t count) {
  for (size_t i = 0; i < count; i++) to[i] = (from[i] & bits) != 0;
}

#undef NAME
#undef ELEMENT
